// mode: node
const answers: Record<string, unknown> = { '/news': ['a', 'b'], '/rain': { today: 3, later: [1, 2] } };

async function home() {
  const news = await fetch('/news');
  const rain = await fetch('/rain');
  return { news, rain };
}

async function parts() {
  const { today } = await fetch('/rain');
  const [first, ...rest] = await fetch('/news');
  return [today, first, rest];
}

async function bodies() {
  const one = await (await fetch('/one')).json();
  const two = await (await fetch('/two')).json();
  return [one, two];
}

export default async function main(log: (value: unknown) => void) {
  globalThis.fetch = async (url) => {
    log(`start ${url}`);
    await null;
    return answers[url] ?? { json: async () => `body of ${url}` };
  };
  const both = await home();
  log(both);
  log(both.news === answers['/news']);
  log(await parts());
  log(await bodies());
}
