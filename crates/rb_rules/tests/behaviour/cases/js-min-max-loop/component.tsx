// mode: ssr
import React from 'react';

interface Score {
  by: { name: string };
  points: { total: number };
}

export default function Best({ scores }: { scores: Score[] }) {
  const best = [...scores].sort((one, two) => two.points.total - one.points.total)[0];
  return <p>{best ? best.by.name : 'nobody'}</p>;
}

const score = (name: string, total: number) => ({ by: { name }, points: { total } });

export const props = [
  { scores: [] },
  { scores: [score('a', 1), score('b', 3), score('c', 3)] },
  { scores: [score('a', -5), score('b', -7)] },
];
