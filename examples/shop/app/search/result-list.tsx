'use client';

import { useMemo, useState } from 'react';
import { FilterPanel, ProductCard } from '@/components';

type Result = { id: string; name: string; cents: number; category: string };

export function ResultList({ results }: { results: Result[] }) {
  const [wanted, setWanted] = useState<string[]>([]);
  const [folded, setFolded] = useState(false);
  const categories = [...new Set(results.map((result) => result.category))];

  const bargains = useMemo(() => {
    const cheap = results.filter((result) => result.cents < 500).sort((a, b) => a.cents - b.cents);
    return <p>Bargains: {cheap.map((result) => result.name).join(', ')}</p>;
  }, [results]);

  if (folded) return <button onClick={() => setFolded(false)}>Show {results.length} results</button>;

  const shown = results.filter((result) => wanted.length === 0 || wanted.includes(result.category));
  return (
    <section>
      <button onClick={() => setFolded(true)}>Hide</button>
      <FilterPanel names={categories} from={0} to={10000} onChange={setWanted} />
      {bargains}
      {shown.map((result) => (
        <ProductCard key={result.id} name={result.name} cents={result.cents} />
      ))}
    </section>
  );
}
