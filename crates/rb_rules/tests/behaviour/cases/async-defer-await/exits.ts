// mode: node
async function load(id: string, preview: boolean) {
  const row = await fetch(`/rows/${id}`);
  if (preview) return null;
  return `${row}!`;
}

async function strict(id: string, closed: boolean) {
  const row = await fetch(`/rows/${id}`);
  const text = 'closed';
  if (closed) {
    throw new Error(text);
  }
  return row;
}

export default async function main(log: (value: unknown) => void) {
  globalThis.fetch = async (url) => {
    await null;
    return url;
  };
  log(await load('1', false));
  log(await load('1', true));
  log(await strict('2', false));
  try {
    log(await strict('2', true));
  } catch (error) {
    log((error as Error).message);
  }
}
