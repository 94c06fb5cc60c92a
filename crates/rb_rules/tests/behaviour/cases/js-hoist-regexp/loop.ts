// mode: node
export function words(lines: string[]) {
  const out: string[] = [];
  for (const line of lines) {
    if (/^\s*#/.test(line)) continue;
    const match = /(?<key>\w+)=(\w+)/.exec(line);
    out.push(match?.groups ? `${match.groups.key}:${match[2]}:${match.index}` : line.replace(/ +$/, ''));
  }
  return out;
}

export default async function main(log: (value: unknown) => void) {
  log(words(['# no', 'a=b', 'a=b', 'plain   ', ' x = y', '']));
  log(words(['a=b']));
}
