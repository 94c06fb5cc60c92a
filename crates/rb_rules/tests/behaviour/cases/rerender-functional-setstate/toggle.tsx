// mode: dom
import { useState } from 'react';

export default function Page() {
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState({ n: 0, by: 2 });
  const add = () => {
    setCount({ ...count, n: count.n + count.by });
  };
  return (
    <main>
      <button onClick={() => setOpen(!open)}>{open ? 'open' : 'shut'}</button>
      <b onClick={add}>{JSON.stringify(count)}</b>
    </main>
  );
}

export async function script({ fire }) {
  await fire('button', 'click');
  await fire('b', 'click');
  await fire('button', 'click');
  await fire('b', 'click');
}
