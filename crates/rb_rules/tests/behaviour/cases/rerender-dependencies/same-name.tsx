// mode: dom
import { useMemo, useState } from 'react';

type User = { name: string; age: number };

function Card({ user }: { user: User }) {
  const loud = useMemo(() => user.name.toUpperCase(), [user]);
  const both = useMemo(() => `${user.name} ${user.age}`.trim(), [user]);
  return (
    <p title={loud}>
      {both}
    </p>
  );
}

export default function Page() {
  const [user, setUser] = useState<User>({ name: 'ann', age: 1 });
  return (
    <main>
      <Card user={user} />
      <b onClick={() => setUser({ name: 'ann', age: 1 })}>same</b>
      <i onClick={() => setUser({ name: 'ann', age: 2 })}>older</i>
      <u onClick={() => setUser({ name: 'bob', age: 2 })}>other</u>
    </main>
  );
}

export async function script({ fire }) {
  for (const tag of ['b', 'i', 'u', 'b', 'i']) await fire(tag, 'click');
}
