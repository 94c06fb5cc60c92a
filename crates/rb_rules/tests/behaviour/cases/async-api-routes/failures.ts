// mode: node
let failing: string[] = [];

async function readSettings() {
  return fetch('/settings');
}

async function readSession() {
  for (let turn = 0; turn < 5; turn += 1) await null;
  if (failing.includes('session')) throw new Error('no session');
  return { id: 7 };
}

async function act() {
  'use server';
  const who = await readSession();
  const settings = await readSettings();
  return { settings, id: who.id };
}

export default async function main(log: (value: unknown) => void) {
  globalThis.fetch = async (url) => {
    if (failing.includes('settings')) throw new Error(`no ${url}`);
    return url;
  };
  process.on('unhandledRejection', (error) => log(`unhandled ${error}`));
  for (const these of [[], ['session'], ['settings'], ['session', 'settings']]) {
    failing = these;
    try {
      log(await act());
    } catch (error) {
      log((error as Error).message);
    }
    await new Promise((done) => setImmediate(done));
  }
}
