// mode: node
function useLeast(sizes: number[]) {
  const least = [...sizes].sort((a, b) => a - b)[0];
  const most = [...sizes].sort((a, b) => a - b).at(-1);
  return { least, most };
}

export default async function main(log: (value: unknown) => void) {
  const show = (it: { least: unknown; most: unknown }) => log([String(it.least), String(it.most)]);
  show(useLeast([]));
  show(useLeast([3, -1, 2, Infinity, -Infinity, Infinity]));
  show(useLeast([7]));
  log(Object.is(useLeast([0, -0]).least, 0));
}
