// mode: ssr
// differs: the first picture shows the value and not the initial state
import { useEffect, useState } from 'react';

export const props = [{ age: 17 }, { age: 18 }];

export default function Gate({ age }: { age: number }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(age > 17), [age]);
  return <p>{open ? 'come in' : 'closed'}</p>;
}
