// mode: ssr
import { useMemo } from 'react';

const LIMIT = 3;

export const props = [{ a: 0, b: 'x', item: { on: true } }, { a: 9, b: '', item: null }, { a: -1, b: 'y' }];

export default function Show({ a, b, item }: { a: number; b: string; item?: { on: boolean } | null }) {
  const big = useMemo(() => a > LIMIT, [a]);
  const label = useMemo<string>(() => (big ? `${b}!` : b || 'none'), [big, b]);
  const on = useMemo(() => item?.on ?? false, [item]);
  return <p title={label} hidden={on}>{useMemo(() => a * 2 + 1, [a])}</p>;
}
