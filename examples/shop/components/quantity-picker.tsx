'use client';

import { useState } from 'react';
import { MinusIcon, PlusIcon } from '@/components/icons';

export function QuantityPicker({ max }: { max: number }) {
  const [count, setCount] = useState(1);

  const Label = () => <span>pieces</span>;

  return (
    <div>
      <button disabled={count <= 1} onClick={() => setCount(count - 1)}>
        <MinusIcon />
      </button>
      {count} <Label />
      <button disabled={count >= max} onClick={() => setCount(count + 1)}>
        <PlusIcon />
      </button>
    </div>
  );
}
