import { db } from '@/lib/db.mjs';
import { slugify } from '@/lib/format.mjs';

export async function GET(request: Request) {
  const words = new URL(request.url).searchParams.get('q') ?? '';
  const products = await db.product.findMany({ orderBy: { name: 'asc' } });
  const categories = await db.category.findMany({ where: { visible: true } });

  const wanted = slugify(words);
  const fits = (row: { name: string }) => slugify(row.name).includes(wanted);
  return Response.json({ products: products.filter(fits), categories: categories.filter(fits) });
}
