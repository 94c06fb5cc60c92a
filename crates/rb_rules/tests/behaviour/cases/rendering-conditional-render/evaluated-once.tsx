// mode: dom
// differs: the 0 of the empty list is gone
import { useState } from 'react';

let reads = 0;
const size = (list: string[]): number => {
  reads += 1;
  return list.length;
};

export default function List() {
  const [items, setItems] = useState<string[]>([]);
  const [count, setCount] = useState(0);
  return (
    <div>
      <button
        onClick={() => {
          setItems([...items, `i${items.length}`]);
          setCount(count + 1);
        }}
      />
      {size(items) && <b>{items.join()}</b>}
      {count && <i>{count}</i>}
    </div>
  );
}

export async function script({ container, fire, log }) {
  log(reads);
  await fire(container.querySelector('button'), 'click');
  log(reads, container.querySelector('b')?.textContent);
  await fire(container.querySelector('button'), 'click');
  log(reads, container.querySelector('i')?.textContent);
}
