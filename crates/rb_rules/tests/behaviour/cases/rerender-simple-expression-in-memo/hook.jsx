// mode: dom
import { useMemo, useState } from 'react'

function useBusy(one, two) {
  return useMemo(() => one.loading || two.loading, [one.loading, two.loading])
}

export default function Page() {
  const [one, setOne] = useState({ loading: false })
  const busy = useBusy(one, { loading: false })
  return <p onClick={() => setOne({ loading: !one.loading })}>{String(busy)}</p>
}

export async function script({ fire }) {
  await fire('p', 'click')
  await fire('p', 'click')
}
