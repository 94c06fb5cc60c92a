// mode: node
const BASE = '/api'

async function readUser() {
  return fetch(`${BASE}/user`)
}

const readTags = async () => fetch('/tags')

export async function page() {
	const user = await readUser()
	const tags = await readTags()
	const third = await fetch('/a/rather/long/address/so/that/it/does/not/fit')
	return [user, tags, third]
}

export default async function main(log) {
  const calls = []
  globalThis.fetch = async (url) => {
    calls.push(url)
    await null
    return url.toUpperCase()
  }
  log(await page())
  log(calls)
}
