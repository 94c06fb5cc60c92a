import { formatCents } from '@/lib/format.mjs';

export function PriceTag({ cents, before }: { cents: number; before?: number }) {
  return (
    <span>
      {before ? <s>{formatCents(before)}</s> : null} <b>{formatCents(cents)}</b>
    </span>
  );
}
