// mode: node
async function show(full: boolean, log: (value: unknown) => void) {
  const row = await fetch('/rows');
  if (full) {
    log(`full ${row}`);
  }
}

export default async function main(log: (value: unknown) => void) {
  globalThis.fetch = async (url) => {
    await null;
    return url;
  };
  const shown = show(true, log);
  log('called');
  await shown;
  await show(false, log);
}
