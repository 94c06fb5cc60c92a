import { NextResponse } from 'next/server';
import { db } from '@/lib/db.mjs';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const inShop = await db.stock.findFirst({ where: { productId: id, location: 'shop' } });
  const inStore = await db.stock.findFirst({ where: { productId: id, location: 'store' } });
  return NextResponse.json({ shop: inShop?.amount ?? 0, store: inStore?.amount ?? 0 });
}
