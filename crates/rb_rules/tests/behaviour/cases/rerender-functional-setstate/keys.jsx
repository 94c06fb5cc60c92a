// mode: dom
import React from "react";

export default function Page() {
  const [at, move] = React.useState(1);
  const labels = ["a", "b", "c", "d"];
  function next() {
    move((at + 1) % labels.length);
  }
  return <p onKeyDown={next} tabIndex={0}>{labels[at]}</p>;
}

export async function script({ fire }) {
  for (let i = 0; i < 5; i++) await fire("p", "keydown", { key: "x" });
}
