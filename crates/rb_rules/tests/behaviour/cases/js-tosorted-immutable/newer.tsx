// mode: ssr
// given: es2023
import React from 'react';

type Row = { name: string; age: number };

export default function List(props: { rows: Row[]; title: string }) {
  const sorted = props.rows.sort((a, b) => a.age - b.age);
  return (
    <p title={props.title}>
      {sorted.length}
      {sorted.map((row) => row.name).join(' ')}
    </p>
  );
}

export const props = [
  { title: 'two', rows: [{ name: 'a', age: 3 }, { name: 'b', age: 1 }, { name: 'c', age: 3 }] },
  { title: 'none', rows: [] },
];
