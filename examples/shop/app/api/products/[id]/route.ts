import { db } from '@/lib/db.mjs';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context) {
  const { id } = await params;
  const product = await db.product.findUnique({ where: { id } });
  const reviews = await db.review.findMany({ where: { productId: id } });
  const stock = await db.stock.findFirst({ where: { productId: id } });

  if (!product) return Response.json({ error: 'not found' }, { status: 404 });
  return Response.json({ product, reviews, amount: stock?.amount ?? 0 });
}
