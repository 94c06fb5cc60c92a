import { BellIcon } from '@/components/icons';
import { PriceTag } from './price-tag';

export function ProductCard({ name, cents, stars = 0 }: { name: string; cents: number; stars?: number }) {
  return (
    <article>
      <h3>{name}</h3>
      {stars > 4 ? <BellIcon /> : null}
      <PriceTag cents={cents} />
    </article>
  );
}
