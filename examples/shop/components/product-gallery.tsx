'use client';

import { useEffect, useMemo, useState } from 'react';

type Props = { images: string[]; alt: string; sizes?: number[] };

export function ProductGallery({ images, alt, sizes = [320, 640, 1280] }: Props) {
  const [at, setAt] = useState(0);
  const [caption, setCaption] = useState('');
  const sources = useMemo(() => images.map((image) => sizes.map((size) => `${image}?w=${size} ${size}w`).join(', ')), [images, sizes]);

  useEffect(() => {
    setCaption(`${alt}, picture ${at + 1}`);
  }, [alt, at]);

  const isLast = useMemo(() => at === images.length - 1, [at, images]);

  return (
    <figure>
      <img srcSet={sources[at]} alt={caption} />
      <button onClick={() => setAt(at - 1)} disabled={at === 0}>
        <svg viewBox="0 0 16 16">
          <path d="M10 2 4 8l6 6" />
        </svg>
      </button>
      <button onClick={() => setAt(at + 1)} disabled={isLast}>
        next
      </button>
    </figure>
  );
}
