import { notFound } from 'next/navigation';
import { Breadcrumbs, BuyBox, ProductGallery, ReviewList } from '@/components';
import { db } from '@/lib/db.mjs';
import { getReviews } from '@/lib/catalog.mjs';
import type { Product, Review } from '@/lib/types';
import { trackEvent } from '@/lib/track';

type Props = { params: Promise<{ slug: string }> };

async function readProduct(slug: string): Promise<Product | null> {
  return db.product.findUnique({ where: { slug } });
}

export async function generateMetadata({ params }: Props) {
  const { slug } = await params;
  const product = await readProduct(slug);
  return { title: product?.name ?? 'Not here' };
}

export default async function ProductPage({ params }: Props) {
  const { slug } = await params;
  const product = await readProduct(slug);
  if (!product) notFound();
  const reviews: Review[] = await getReviews(product.id);
  await trackEvent('view', { slug });

  return (
    <main>
      <Breadcrumbs trail={[product.name]} />
      <ProductGallery images={[product.image]} alt={product.name} />
      <BuyBox product={product} />
      <ReviewList reviews={reviews} stars={reviews.map((review) => review.stars)} />
    </main>
  );
}
