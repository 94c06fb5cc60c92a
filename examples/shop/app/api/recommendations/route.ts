import { getBanners, getFeatured } from '@/lib/catalog.mjs';
import { getSession } from '@/lib/session';
import { db } from '@/lib/db.mjs';
import { trackEvent } from '@/lib/track';

export async function GET() {
  const featured = await getFeatured();
  const banners = await getBanners();
  return Response.json({ featured, banners });
}

/** The ones for whoever is signed in. */
export async function POST() {
  const session = await getSession();
  const featured = await getFeatured();
  const orders = session ? await db.order.findMany({ where: { customerId: session.customerId } }) : [];
  await trackEvent('recommend', { known: orders.length });
  return Response.json({ featured, orders });
}
