'use server';

import { db } from '@/lib/db.mjs';
import { getSession } from '@/lib/session';
import { trackEvent } from '@/lib/track';

/** What a cart is worth today: prices may have changed since it was filled. */
export async function refreshCart(productIds: string[]) {
  const products = await db.product.findMany({ where: { listed: true } });
  const coupons = await db.coupon.findMany({ where: { used: false } });
  const wanted = products.filter((product: { id: string }) => productIds.includes(product.id));
  return { wanted, coupons: coupons.length };
}

export async function reportProblem(text: string) {
  const session = await getSession();
  await trackEvent('problem', { text, customer: session?.customerId });
}
