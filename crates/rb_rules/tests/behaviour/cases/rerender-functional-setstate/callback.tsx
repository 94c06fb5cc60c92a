// mode: dom
import { useCallback, useState } from 'react'

export default function Page({ step = 3 }: { step?: number }) {
  const [list, setList] = useState<number[]>([])
  const grow = useCallback(() => {
    setList([...list, list.length * step])
  }, [list, step])
  return (
    <ul onClick={grow}>
      {list.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  )
}

export async function script({ fire }) {
  for (let i = 0; i < 3; i++) await fire('ul', 'click')
}
