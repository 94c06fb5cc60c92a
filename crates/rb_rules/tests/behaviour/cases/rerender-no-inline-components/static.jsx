// mode: dom
import React from 'react'

const Box = ({ children }) => {
  const Frame = (props) => <section>{props.children}</section>

  return <Frame>{children}</Frame>
}

export default function Page() {
  const [n, setN] = React.useState(1)
  return <main onClick={() => setN(n + 1)}><Box>{n}</Box></main>
}

export async function script({ container, fire, log }) {
  await fire('main', 'click')
  log(container.querySelector('section').textContent)
}
