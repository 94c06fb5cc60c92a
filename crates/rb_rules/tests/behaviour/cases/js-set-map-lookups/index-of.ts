// mode: node
const countries: readonly string[] = [
  'at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee',
  'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it', // and more
];

function split(codes: string[]) {
  const inside: string[] = [];
  const outside: string[] = [];
  for (const code of codes) {
    if (countries.indexOf(code) !== -1) inside.push(code);
    if (countries.indexOf(code) === -1 && !countries.includes(code)) outside.push(code);
  }
  return { inside, outside };
}

export default async function main(log: (value: unknown) => void) {
  log(split(['at', 'it', 'us', '', 'AT', 'undefined']));
  log(split([]));
}
