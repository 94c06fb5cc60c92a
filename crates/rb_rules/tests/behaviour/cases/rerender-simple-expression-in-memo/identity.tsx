// mode: dom
import React, { useEffect, useState } from 'react';

export default function Page() {
  const [user, setUser] = useState({ name: 'a', tags: ['x'] });
  const [runs, setRuns] = useState(0);
  const tags = React.useMemo(() => user.tags, [user]);
  useEffect(() => {
    setRuns((it) => it + 1);
  }, [tags]);
  return (
    <main>
      <b onClick={() => setUser({ ...user, name: 'b' })}>{user.name}</b>
      <i onClick={() => setUser({ ...user, tags: ['y'] })}>{tags}</i>
      <u>{runs}</u>
    </main>
  );
}

export async function script({ fire }) {
  await fire('b', 'click');
  await fire('i', 'click');
  await fire('b', 'click');
}
