// mode: node
const PATH = '/config.json';

async function readConfig() {
  return fetch(PATH);
}

async function readSession() {
  await null;
  return { id: 7 };
}

async function act() {
  'use server';
  const who = await readSession();
  const config = await readConfig();
  return { config, id: who.id };
}

export default async function main(log: (value: unknown) => void) {
  globalThis.fetch = async (url) => {
    await null;
    return `text of ${url}`;
  };
  log(await act());
}
