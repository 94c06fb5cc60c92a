import { Breadcrumbs } from '@/components';
import { ResultList } from './result-list';
import { loadResults } from '@/lib/catalog.mjs';

type Props = { searchParams: Promise<{ q?: string }> };

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const results = await loadResults(q ?? '');
  return (
    <main>
      <Breadcrumbs trail={['Search']} />
      <ResultList results={results} />
    </main>
  );
}
