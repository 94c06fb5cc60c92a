// mode: node
// differs: the array of the caller stays as it was
import { createElement } from 'react';

export function Names({ names }: { names: string[] }) {
  const text = names.sort().join(' ');
  return createElement('p', null, text);
}

export default async function main(log: (value: unknown) => void) {
  const names = ['b', 'c', 'a'];
  log(Names({ names }).props);
  log(names);
}
