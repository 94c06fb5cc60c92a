// mode: node
type Flag = { on: boolean; name: string };
type Pair = { left: boolean; right: boolean };

function names(pairs: Pair[], flags: Flag[]) {
  const all = pairs.map((pair) => ({
    left: flags.find((flag) => flag.on === pair.left),
    right: flags.find(({ on }) => on === pair.right)?.name,
  }));
  const again = pairs.filter((pair) => flags.find((flag) => flag.on === pair.left));
  return { all, again };
}

export default async function main(log: (value: unknown) => void) {
  const flags = [{ on: true, name: 'yes' }, { on: true, name: 'also' }];
  log(names([{ left: true, right: false }, { left: false, right: true }], flags));
}
