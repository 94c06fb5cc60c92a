'use client';

import { Bar, BarChart, Tooltip, XAxis, YAxis } from 'recharts';

export function SalesChart({ days }: { days: { day: string; cents: number }[] }) {
  return (
    <BarChart width={640} height={320} data={days}>
      <XAxis dataKey="day" />
      <YAxis />
      <Tooltip />
      <Bar dataKey="cents" />
    </BarChart>
  );
}
