import { redirect } from 'next/navigation';
import { Breadcrumbs, NewsletterForm } from '@/components';
import { getCustomer, getSession } from '@/lib/session';
import type { Customer } from '@/lib/types';
import { ordersOf } from '@/lib/orders.mjs';
import { ProfileCard } from './profile-card';

export default async function AccountPage() {
  const session = await getSession();
  if (!session) redirect('/');
  const customer: Customer = await getCustomer(session.customerId);
  const orders = await ordersOf(session.customerId);

  return (
    <main>
      <Breadcrumbs trail={['Account']} />
      <ProfileCard customer={customer} />
      <ul>
        {orders.map((order: { id: string; number: string; total: string }) => (
          <li key={order.id}>
            {order.number}: {order.total}
          </li>
        ))}
      </ul>
      <NewsletterForm email={customer.email} />
    </main>
  );
}
