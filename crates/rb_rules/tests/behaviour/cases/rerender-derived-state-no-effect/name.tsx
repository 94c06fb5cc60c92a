// mode: dom
import { useEffect, useState } from 'react';

function Full({ first, last }: { first: string; last: string }) {
  const [name, setName] = useState('');
  useEffect(() => {
    setName(`${first} ${last}`);
  }, [first, last]);
  return <p>{name}</p>;
}

export default function Page() {
  const [n, setN] = useState(0);
  return (
    <main onClick={() => setN((it) => it + 1)}>
      <Full first={`a${n}`} last="b" />
    </main>
  );
}

export async function script({ fire }) {
  await fire('main', 'click');
  await fire('main', 'click');
}
