// mode: dom
import { memo, useState } from 'react';

const Row = memo(function Row({ items, onPick }: { items: string[]; onPick: () => void }) {
  return <ul onClick={onPick}>{items.length}</ul>;
});

const Tags = memo(function Tags({ items = [], onPick = () => {} }: { items?: string[]; onPick?: () => void }) {
  return <Row items={items} onPick={onPick} />;
});

export default function Page() {
  const [given, setGiven] = useState(false);
  return (
    <main>
      <button onClick={() => setGiven(true)}>give</button>
      {given ? <Tags items={['a', 'b']} /> : <Tags />}
    </main>
  );
}

export async function script({ container, fire, log }) {
  await fire('ul', 'click');
  await fire('button', 'click');
  log(container.querySelector('ul').textContent);
}
