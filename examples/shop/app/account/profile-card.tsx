'use client';

import { useState } from 'react';
import type { Customer } from '@/lib/types';

export function ProfileCard({ customer }: { customer: Customer }) {
  const [open, setOpen] = useState(false);
  return (
    <section>
      <h2>{customer.name}</h2>
      <button onClick={() => setOpen(!open)}>{open ? 'less' : 'more'}</button>
      {open && <p>{customer.city}</p>}
    </section>
  );
}
