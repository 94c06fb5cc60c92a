// mode: node
async function all(ids, dry, log) {
  for (const id of ids) {
    const row = await fetch('/rows')
    if (dry) {
      return 'dry'
    }
    log(`${row} ${id}`)
  }
  return 'all'
}

export default async function main(log) {
  globalThis.fetch = async (url) => {
    await null
    return url
  }
  const first = all(['a', 'b'], false, log)
  const second = all(['c', 'd'], true, log)
  log('called')
  log(await first)
  log(await second)
}
