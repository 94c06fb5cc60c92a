// mode: node
const act = async () => {
  'use server'
  const rows = await fetch('/rows')
  const tags = await fetch('/tags')
  return [rows, tags]
}

export default async function main(log) {
  const calls = []
  globalThis.fetch = async (url) => {
    calls.push(url)
    await null
    return url.length
  }
  log(await act())
  log(calls)
}
