'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { ScaleIcon } from '@/components/icons';
import { PriceTag } from './price-tag';

type Props = { names: string[]; selected?: string[]; from: number; to: number; onChange: (names: string[]) => void };

export function FilterPanel({ names, selected = [], from, to, onChange }: Props) {
  const [chosen, setChosen] = useState(new Set(selected));
  const [label, setLabel] = useState('');
  const [steps, setSteps] = useState(0);

  useEffect(() => {
    setLabel(`${from} to ${to}`);
  }, [from, to]);

  const isWide = useMemo(() => to - from > 100, [from, to]);
  const known = useMemo(() => names.filter((name) => selected.includes(name)), [names, selected]);

  const choose = useCallback(
    (name: string) => {
      const next = new Set(chosen);
      next.add(name);
      setChosen(next);
      onChange([...next]);
    },
    [chosen, onChange],
  );

  return (
    <fieldset>
      <ScaleIcon /> {label} {isWide ? 'and more' : null}
      {known.length && <em>{known.join(', ')}</em>}
      {names.map((name) => (
        <button key={name} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
      <button onClick={() => setSteps(steps + 1)}>more</button>
      <PriceTag cents={from} /> <PriceTag cents={to} /> {steps}
    </fieldset>
  );
}
