// mode: dom
import * as React from "react";

localStorage.setItem("saved", '{"a":1}');

export default function Page() {
  const [saved, setSaved] = React.useState(JSON.parse(localStorage.getItem("saved") ?? "{}"));
  const [view] = React.useState({ keys: Object.keys(saved).map((key) => key.toUpperCase()) });
  return <p onClick={() => setSaved((it) => ({ ...it, b: 2 }))}>{JSON.stringify(saved)} {view.keys}</p>;
}

export async function script({ fire }) {
  localStorage.setItem("saved", '{"z":9}');
  await fire("p", "click");
}
