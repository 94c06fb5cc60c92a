// mode: node
async function load(id: string) {
  const row = await fetch(`/row/${id}`);
  const tags = await fetch(`/tags/${id}`);
  return `${row} with ${tags}`;
}

export default async function main(log: (value: unknown) => void) {
  let failing = '';
  globalThis.fetch = async (url) => {
    await null;
    if (url === failing) throw new Error(`no ${url}`);
    return url;
  };
  process.on('unhandledRejection', (error) => log(`unhandled ${error}`));
  for (const url of ['', '/row/1', '/tags/1']) {
    failing = url;
    try {
      log(await load('1'));
    } catch (error) {
      log((error as Error).message);
    }
    await new Promise((done) => setImmediate(done));
  }
}
