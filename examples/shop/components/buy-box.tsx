'use client';

import { useState } from 'react';
import { BasketIcon, HeartIcon, ParcelIcon } from '@/components/icons';
import { CartDrawer } from './cart-drawer';
import { QuantityPicker } from './quantity-picker';
import type { CartItem, Product } from '@/lib/types';

export function BuyBox({ product }: { product: Product }) {
  const [items, setItems] = useState<CartItem[]>([]);
  const [liked, setLiked] = useState(false);

  return (
    <section>
      <h1>{product.name}</h1>
      <QuantityPicker max={10} />
      <button onClick={() => setItems([...items, { productId: product.id, name: product.name, cents: product.cents, quantity: 1 }])}>
        <BasketIcon /> Into the cart
      </button>
      <button onClick={() => setLiked(!liked)}>
        <HeartIcon />
      </button>
      <p>
        <ParcelIcon /> tomorrow
      </p>
      <CartDrawer items={items} />
    </section>
  );
}
