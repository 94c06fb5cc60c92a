// mode: ssr
import * as React from 'react'

interface Row { id: number; title: string }

export const props = [{ row: { id: 1, title: 'a' } }, { row: { id: 2, title: '' } }]

export default function Head({ row }: { row: Row }) {
  const label = React.useMemo(() => (row.title ? row.title.trim() : 'none'), [row])
  return <h1>{label}</h1>
}
