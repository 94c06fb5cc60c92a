// mode: dom
import { cloneElement, isValidElement, useState } from 'react';
import type { ReactElement } from 'react';

function Labelled({ icon, text }: { icon: ReactElement<{ className?: string }>; text: string }) {
  return (
    <b>
      {isValidElement(icon) ? cloneElement(icon, { className: text }) : null}
      {text}
    </b>
  );
}

export default function Page() {
  const [count, setCount] = useState(0);
  return (
    <main onClick={() => setCount(count + 1)}>
      <Labelled icon={<svg viewBox="0 0 4 4"><circle r="2" /></svg>} text={`n${count}`} />
      <Labelled icon={<svg viewBox="0 0 4 4"><circle r="2" /></svg>} text={`m${count}`} />
    </main>
  );
}

export async function script({ container, fire, log }) {
  await fire(container.querySelector('main'), 'click');
  await fire(container.querySelector('main'), 'click');
  log(container.querySelectorAll('.n2').length, container.querySelectorAll('.m2').length);
}
