import { notFound } from 'next/navigation';
import { Breadcrumbs, PriceTag } from '@/components';
import { db } from '@/lib/db.mjs';
import { HelpBox } from './help-box';

type Props = { params: Promise<{ id: string }> };

export default async function OrderPage({ params }: Props) {
  const { id } = await params;
  const order = await db.order.findUnique({ where: { id } });
  const lines = await db.orderLine.findMany({ where: { orderId: id } });
  const shipment = await db.shipment.findFirst({ where: { orderId: id } });

  return (
    <main>
      <Breadcrumbs trail={['Orders', order.number]} />
      <ul>
        {lines.map((line: { id: string; name: string; cents: number }) => (
          <li key={line.id}>
            {line.name} <PriceTag cents={line.cents} />
          </li>
        ))}
      </ul>
      <p>{shipment ? `On its way: ${shipment.tracking}` : 'We are packing it.'}</p>
      <HelpBox />
    </main>
  );
}
