'use client';

import { useState } from 'react';
import { SalesChart } from '@/components/sales-chart';

type Day = { day: string; cents: number };

export function SalesBoard({ days }: { days: Day[] }) {
  const [showChart, setShowChart] = useState(false);
  return (
    <section>
      <button onClick={() => setShowChart(!showChart)}>{showChart ? 'Table' : 'Chart'}</button>
      {showChart && <SalesChart days={days} />}
      {!showChart && days.map((row) => <p key={row.day}>{`${row.day}: ${row.cents}`}</p>)}
    </section>
  );
}
