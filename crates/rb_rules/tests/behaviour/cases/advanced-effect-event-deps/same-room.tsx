// mode: dom
// differs: the effect no longer ends and begins on a render that changes nothing it depends on
import * as React from 'react';

const seen: string[] = [];

export const props = [
  { room: 'a', name: '1' },
  { room: 'a', name: '2' },
  { room: 'b', name: '3' },
];

export default function Chat({ room, name }: { room: string; name: string }) {
  const onUp = React.useEffectEvent((from: string) => seen.push(`${from} ${name}`));
  React.useLayoutEffect(() => {
    onUp(`up ${room}`);
    return () => void seen.push(`down ${room}`);
  }, [onUp, room]);
  return <b>{room}</b>;
}

export async function script({ log }) {
  log(seen);
}
