// mode: ssr
import { useState } from 'react'

export const props = [{ rows: ['b', 'a'] }, { rows: [] }]

export default function Sorted({ rows }: { rows: string[] }) {
  const [seen] = useState<Set<string>>(new Set(rows))
  const [first] = useState(rows.filter((row) => row !== 'b').map((row) => row + '!'))
  return <p>{[...seen].join('+')} {first}</p>
}
