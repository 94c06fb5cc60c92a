// mode: ssr
import { useId } from 'react';

export const props = [{ busy: true, name: 'a' }, { busy: false, name: 'b' }];

export default function Box({ busy, name }: { busy: boolean; name: string }) {
  const id = useId();
  if (busy) {
    return (
      <ul className="skeleton">
        <li style={{ top: -1, color: 'red' }}>one &amp; two</li>
        <li data-n={3} hidden>
          three
        </li>
        <li>{'four'}</li>
        <li />
      </ul>
    );
  }
  return (
    <p id={id}>
      {name} <svg viewBox="0 0 8 8" aria-hidden><path d="M1 1h6" /></svg> text
    </p>
  );
}
