// mode: dom
import * as React from "react";

const log = [];

function watch(target, name) {
  const listener = (event) => {
    event.stopPropagation();
    log.push([name, event.type, event.target.textContent]);
  };
  target.addEventListener("touchmove", listener, {
    capture: true,
  });
  return () => target.removeEventListener("touchmove", listener, true);
}

export default function Watched() {
  const ref = React.useRef(null);
  const [on, setOn] = React.useState(true);
  React.useEffect(() => (on ? watch(ref.current, "a") : undefined), [on]);
  return (
    <section ref={ref}>
      <button onClick={() => setOn((old) => !old)}>{on ? "on" : "off"}</button>
    </section>
  );
}

export async function script({ container, fire, log: show }) {
  for (let round = 0; round < 3; round += 1) {
    await fire("button", "touchmove");
    await fire("button", "click");
  }
  show(log);
}
