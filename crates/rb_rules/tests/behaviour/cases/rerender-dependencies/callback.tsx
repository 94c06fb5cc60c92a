// mode: dom
import { useCallback, useState } from 'react';

type Size = { width: number; height: number };

function Area({ size, factor }: { size: Size; factor: number }) {
  const area = useCallback(() => size.width * size.height * factor, [size, factor]);
  return <b>{area()}</b>;
}

export default function Page() {
  const [n, setN] = useState(0);
  return (
    <main onClick={() => setN((it) => it + 1)}>
      <Area size={{ width: n > 1 ? 5 : 2, height: 3 }} factor={n} />
    </main>
  );
}

export async function script({ fire }) {
  for (let i = 0; i < 4; i++) await fire('main', 'click');
}
