import { cookies } from 'next/headers';
import { db } from './db.mjs';

/** Who is signed in; null for a visitor. */
export async function getSession() {
  const jar = await cookies();
  const id = jar.get('customer')?.value;
  return id ? { customerId: id } : null;
}

export async function getCustomer(id: string) {
  return db.customer.findUnique({ where: { id } });
}
