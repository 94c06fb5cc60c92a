'use client';

import { memo, useEffect, useMemo, useState } from 'react';
import type { CartItem } from '@/lib/types';
import { formatCents } from '@/lib/format.mjs';

const Row = memo(function Row({ item, badges }: { item: CartItem; badges: string[] }) {
  return (
    <li>
      {item.quantity} × {item.name} {badges.join(' ')}
    </li>
  );
});

export function CartDrawer({ items, badges = [] }: { items: CartItem[]; badges?: string[] }) {
  const [open, setOpen] = useState(false);
  const [total, setTotal] = useState(0);
  const [seen] = useState(new Set(items.map((item) => item.productId)));

  useEffect(() => {
    setTotal(items.reduce((sum, item) => sum + item.cents * item.quantity, 0));
  }, [items]);

  const isEmpty = useMemo(() => items.length === 0, [items]);
  if (isEmpty) return null;

  return (
    <aside>
      <button onClick={() => setOpen(!open)}>
        Cart ({items.length}) {seen.size > 0 ? 'again' : null}
      </button>
      {open && (
        <ul>
          {items.map((item) => (
            <Row key={item.productId} item={item} badges={badges} />
          ))}
        </ul>
      )}
      <p>{formatCents(total)}</p>
    </aside>
  );
}
