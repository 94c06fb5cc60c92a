// mode: node
async function run(isOwner: boolean, log: (value: unknown) => void) {
  const on = await fetch('/flag');
  if (on && isOwner) log('started');
}

export default async function main(log: (value: unknown) => void) {
  for (const flag of [true, false]) {
    for (const owner of [true, false]) {
      globalThis.fetch = async () => flag;
      const running = run(owner, log);
      log(`called for ${owner}`);
      await running;
    }
  }
}
