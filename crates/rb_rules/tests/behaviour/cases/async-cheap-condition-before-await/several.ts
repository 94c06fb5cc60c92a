// mode: node
async function run(a: boolean, count: number, log: (value: unknown) => void) {
  const on = await fetch('/flag');
  if (a && on && count > 1) {
    log('started');
    return 'yes';
  }
}

export default async function main(log: (value: unknown) => void) {
  for (const flag of [true, false]) {
    globalThis.fetch = async () => flag;
    for (const count of [0, 2]) {
      log(await run(true, count, log));
      log(await run(false, count, log));
    }
  }
}
