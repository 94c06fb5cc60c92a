// mode: dom
import { useEffect, useEffectEvent as event, useState } from 'react'

export default function Clock({ step = 1 }: { step?: number }) {
  const [ticks, setTicks] = useState<number[]>([])
  const onTick = event((n: number) => ticks.length < 1 && setTicks([...ticks, n * step]))
  const onEnd = event(() => {})
  useEffect(() => {
    if (ticks.length === 0) onTick(7)
    return () => onEnd()
  }, [
    onTick,
    onEnd,
  ])
  return <b>{ticks.join()}</b>
}

export async function script({ container, log }) {
  log(container.textContent)
}
