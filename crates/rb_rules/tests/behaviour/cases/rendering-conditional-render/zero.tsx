// mode: ssr
// differs: the stray 0 and NaN are gone
export const props = [
  { n: 0, big: 0n, items: [] },
  { n: 2, big: 3n, items: ['a'] },
  { n: -1, big: -1n, items: ['a', 'b'] },
  { n: NaN, big: 1n, items: [] },
];

export default function Cart({ n, big, items }: { n: number; big: bigint; items: string[] }) {
  return (
    <ul>
      {n && <li>{n}</li>}
      {big && <li>{String(big)}</li>}
      {items.length && items.map((it) => <li key={it}>{it}</li>)}
    </ul>
  );
}
