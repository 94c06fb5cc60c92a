// mode: dom
// differs: the inner component keeps its state when the outer one renders
import { useState } from 'react';

export default function Page() {
  const [n, setN] = useState(0);
  const Counter = () => {
    const [clicks, setClicks] = useState(0);
    return <b onClick={() => setClicks((it) => it + 1)}>{clicks}</b>;
  };

  return (
    <main>
      <Counter />
      <i onClick={() => setN(n + 1)}>{n}</i>
    </main>
  );
}

export async function script({ fire }) {
  await fire('b', 'click');
  await fire('b', 'click');
  await fire('i', 'click');
  await fire('b', 'click');
}
