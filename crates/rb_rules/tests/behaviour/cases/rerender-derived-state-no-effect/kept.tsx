// mode: dom
import { useEffect, useRef, useState } from 'react';

function Rows({ rows, limit }: { rows: number[]; limit: number }) {
  const [big, setBig] = useState<number[]>([]);
  const seen = useRef(0);
  useEffect(() => {
    setBig(rows.filter((row) => row > limit));
  }, [rows, limit]);
  useEffect(() => {
    if (big.length > 0) seen.current += 1;
  }, [big]);
  return <p title={String(big.length)}>{big.map((row) => row * 2).join(',')}</p>;
}

const ROWS = [1, 5, 9];

export default function Page() {
  const [limit, setLimit] = useState(4);
  return (
    <main onClick={() => setLimit((it) => it + 2)}>
      <Rows rows={ROWS} limit={limit} />
    </main>
  );
}

export async function script({ fire }) {
  for (let i = 0; i < 4; i++) await fire('main', 'click');
}
