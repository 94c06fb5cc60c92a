// mode: node
const one = {};
const kept = [NaN, 0, null, undefined, '', 'a', one, true, 1, 2, 3, 4, 5, 6, 7, 8, 'a', ...[9, 10]];

export function filter(values: unknown[]) {
  return values.map((value) => kept.includes(value));
}

export default async function main(log: (value: unknown) => void) {
  log(filter([NaN, -0, 0, null, undefined, '', 'a', 'A', one, {}, true, false, '1', 1, 10, 11]));
}
