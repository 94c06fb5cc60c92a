// mode: dom
import { useEffect, useEffectEvent } from 'react';

const seen: string[] = [];

export const props = [
  { room: 'a', name: '1' },
  { room: 'b', name: '2' },
  { room: 'c', name: '3' },
];

export default function Chat({ room, name }: { room: string; name: string }) {
  const onUp = useEffectEvent((from: string) => seen.push(`${from} ${name}`));
  useEffect(() => {
    onUp(`up ${room}`);
    return () => void seen.push(`down ${room}`);
  }, [room, onUp]);
  return <b>{room}</b>;
}

export async function script({ log }) {
  log(seen);
}
