'use client';

import { useMemo, useState } from 'react';
import type { Review } from '@/lib/types';
import { PenIcon, StarIcon } from '@/components/icons';

export function ReviewList({ reviews, stars = [] }: { reviews: Review[]; stars?: number[] }) {
  const [shown, setShown] = useState(3);
  const average = useMemo(() => stars.reduce((sum, it) => sum + it, 0) / (stars.length || 1), [stars]);
  const hasMore = useMemo(() => shown < reviews.length, [shown, reviews]);

  return (
    <section>
      <h2>
        <StarIcon /> {average.toFixed(1)}
      </h2>
      {reviews.slice(0, shown).map((review) => (
        <blockquote key={review.id}>{review.text}</blockquote>
      ))}
      {hasMore && (
        <button onClick={() => setShown(shown + 3)}>
          <PenIcon /> more
        </button>
      )}
    </section>
  );
}
