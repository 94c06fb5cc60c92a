// mode: ssr
import React from 'react';

export default function List({ rows }: { rows: string[] }) {
  return (
    <ul>
      {rows.sort().map((row) => (
        <li key={row}>{row}</li>
      ))}
    </ul>
  );
}

export const props = [{ rows: ['b', 'a', 'c'] }, { rows: [] }, { rows: ['10', '9', '1'] }];
