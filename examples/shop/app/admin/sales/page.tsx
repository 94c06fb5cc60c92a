import { loadSales } from '@/lib/orders.mjs';
import { SalesBoard } from './sales-board';

export const dynamic = 'force-dynamic';

export default async function SalesPage() {
  const { days, returned, waiting } = await loadSales();
  return (
    <main>
      <p>
        {returned} returned, {waiting} to be sent
      </p>
      <SalesBoard days={days} />
    </main>
  );
}
