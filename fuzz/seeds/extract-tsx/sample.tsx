"use client"
import React, { useState, Suspense, memo } from 'react'
type Props = { a: string; children?: React.ReactNode }
/** Shows it. */
export const Card = memo<Props>(function Card({ a, ...rest }: Props) {
  const [n, set] = useState<number>(0)
  React.useEffect(() => { set(n + 1) }, [n])
  return <Suspense fallback={<p>wait &amp; see</p>}>
    {rest.children && <ns.Item key={a} {...rest} on:click={() => set(1)} />}
    <>{n > 1 ? <b>{a}</b> : null}</>
  </Suspense>
})
export default function Page<T,>(props: { t: T }) { return <Card a="x">{String(props.t)}</Card> }
