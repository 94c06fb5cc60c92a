// mode: node
const PATTERN = 'taken';

function useKept(names: string[]) {
  const namePattern = new RegExp('^[a-z]+(-[a-z]+)*$', 'i');
  return names.filter((name) => namePattern.test(name) && name !== PATTERN && name.split(/-/).length < 3);
}

export default async function main(log: (value: unknown) => void) {
  log(useKept(['a', 'A-b', 'a-b-c', '1', 'taken', '']));
  log(useKept(['a', 'A-b', 'a-b-c', '1', 'taken', '']));
}
