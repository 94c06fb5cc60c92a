// mode: dom
import { useEffect, useRef, useState } from "react";

export default function Zoom() {
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      setZoom((old) => old + (event.deltaY || 1));
    };
    element.addEventListener("wheel", onWheel);
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
  return (
    <div ref={box} id="box">
      {zoom}
    </div>
  );
}

export async function script({ container, window, act, fire, log }) {
  await fire("#box", "wheel");
  const event = new window.WheelEvent("wheel", { deltaY: 5, bubbles: true, cancelable: true });
  await act(() => container.querySelector("#box").dispatchEvent(event));
  log(event.defaultPrevented);
}
