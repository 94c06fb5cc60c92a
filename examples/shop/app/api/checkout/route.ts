import { orderTotal, shippingFor } from '@/lib/pricing.mjs';
import { db } from '@/lib/db.mjs';
import { trackEvent } from '@/lib/track';
import { formatCents } from '@/lib/format.mjs';

export async function POST(request: Request) {
  const { items, code } = (await request.json()) as { items: { cents: number; quantity: number }[]; code: string };
  const coupon = await db.coupon.findFirst({ where: { code } });
  const settings = await db.setting.findMany({ where: { scope: 'checkout' } });

  const goods = orderTotal(items, coupon?.percent);
  const open = settings.every((row: { name: string; value: string }) => row.name !== 'closed' || row.value !== 'yes');
  await trackEvent('checkout', { goods });
  return Response.json({ open, total: goods + shippingFor(goods) });
}
