// mode: dom
import { useState } from 'react';

const squares = (rows: number[]) => rows.map((row) => row * row);

export default function Page() {
  const [rows] = useState(squares([1, 2, 3]));
  const [index] = useState(new Map(rows.map((row, at) => [row, at])));
  const [n, setN] = useState(0);
  return (
    <main onClick={() => setN((it) => it + 1)}>
      {rows.join(',')} {index.get(4)} {n}
    </main>
  );
}

export async function script({ fire }) {
  await fire('main', 'click');
  await fire('main', 'click');
}
