// mode: dom
import { useState } from 'react'

export default function Box({ label = 'x' }: { label?: string }) {
  const [open, setOpen] = useState(false)
  const empty = <svg width={8}><path d="M1 1h6" /><path d="M2 2h6" /></svg>
  return (
    <div>
      <button onClick={() => setOpen(!open)}>{label}</button>
      {open ? (
        <svg viewBox="0 0 8 8">
          <path d="M1 1h6" strokeWidth={2} />
        </svg>
      ) : (
        empty
      )}
      {[1, 2].map((it) => (
        <p key={it}>
          {it}: <span><b>a</b> <i>b</i> <i>c</i> d</span>
        </p>
      ))}
    </div>
  )
}

export async function script({ container, act, log, fire }) {
  const button = container.querySelector('button')
  await fire(button, 'click')
  log(container.querySelectorAll('path').length)
  await fire(button, 'click')
  await act(() => {})
  log(container.querySelectorAll('path').length)
}
