'use client';

import { useEffect, useMemo, useState } from 'react';
import { MagnifierIcon } from '@/components/icons';

// Nothing is kept where the page is made on the server.
function readRecent(): string[] {
  return typeof window === 'undefined' ? [] : JSON.parse(localStorage.getItem('recent') ?? '[]');
}

export function SearchBox({ names }: { names: string[] }) {
  const [query, setQuery] = useState('');
  const [recent] = useState(readRecent());
  const [hint, setHint] = useState('');

  useEffect(() => {
    setHint(query === '' ? 'What are you looking for?' : `Looking for ${query}`);
  }, [query]);

  const hits = names.filter((name) => name.toLowerCase().includes(query.toLowerCase()));
  const isShort = useMemo(() => query.length < 3, [query]);

  return (
    <form action="/search">
      <MagnifierIcon />
      <input name="q" value={query} placeholder={hint} onChange={(event) => setQuery(event.target.value)} />
      <ul>
        {(isShort ? recent : hits).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </form>
  );
}
