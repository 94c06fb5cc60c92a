// mode: node
async function run(a, b, log) {
  const off = await fetch('/off')
  if (!off && (a || b)) {
    log('started')
  }
}

export default async function main(log) {
  for (const flag of [true, false, 0, 'x']) {
    globalThis.fetch = async () => flag
    await run(true, false, log)
    await run(false, false, log)
    await run(false, true, log)
    log(`was ${flag}`)
  }
}
