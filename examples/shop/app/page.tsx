import Link from 'next/link';
import { Breadcrumbs, ProductCard, SearchBox } from '@/components';
import { getBanners, getCategories, getFeatured } from '@/lib/catalog.mjs';

export default async function HomePage() {
  const featured = await getFeatured();
  const categories = await getCategories();
  const banners = await getBanners();

  return (
    <main>
      <Breadcrumbs trail={[]} />
      <SearchBox names={categories.map((category: { name: string }) => category.name)} />
      {banners.map((banner: { id: string; text: string }) => (
        <p key={banner.id}>{banner.text}</p>
      ))}
      <ul>
        {featured.map((product: { id: string; slug: string; name: string; cents: number }) => (
          <li key={product.id}>
            <Link href={`/products/${product.slug}`}>
              <ProductCard name={product.name} cents={product.cents} />
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
