// mode: dom
import { useEffect, useRef } from "react";

const seen: string[] = [];

export default function Order() {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const note = (where: string) => () => seen.push(where);
    const caught = () => seen.push("caught");
    const bubbled = (event: TouchEvent) => {
      seen.push(`bubbled ${event.eventPhase}`);
    };
    function once({ type }: Event) {
      seen.push(`once ${type}`);
    }
    outer.current?.addEventListener("touchstart", caught, true);
    outer.current?.addEventListener("touchstart", bubbled, false);
    outer.current!.addEventListener("touchstart", caught, true);
    outer.current!.addEventListener("touchstart", bubbled, false);
    inner.current!.addEventListener("touchstart", once, { once: true });
    inner.current!.addEventListener("click", note("click"));
    return () => {
      outer.current?.removeEventListener("touchstart", caught, true);
    };
  }, []);
  return (
    <div ref={outer}>
      <p ref={inner}>x</p>
    </div>
  );
}

export async function script({ container, fire, log }) {
  const element = container.querySelector("p");
  await fire(element, "touchstart");
  await fire(element, "touchstart");
  await fire(element, "click");
  log(seen);
}
