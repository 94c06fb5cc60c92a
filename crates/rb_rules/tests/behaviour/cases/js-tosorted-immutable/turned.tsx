// mode: dom
// differs: the list no longer turns round with each render
import React, { useState } from 'react';

export default function Turned() {
  const [rows] = useState<string[]>(['a', 'b', 'c']);
  const [count, setCount] = useState(0);
  return (
    <button onClick={() => setCount(count + 1)}>
      {count}
      {rows.reverse().map((row) => (
        <i key={row}>{row}</i>
      ))}
    </button>
  );
}

export async function script({ container, fire }: any) {
  await fire(container.querySelector('button'), 'click');
  await fire(container.querySelector('button'), 'click');
}
