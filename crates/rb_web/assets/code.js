"use strict";
// Comfort for the pages about the code: they say everything without it.
(() => {
  // Zoom and pan, by changing which part of the drawing is in view.
  const zoomable = (frame) => {
    const svg = frame.querySelector("svg");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    let view = { x: 0, y: 0, width, height };

    const show = (next) => {
      const scale = Math.min(1, Math.max(0.08, next.width / width));
      view = { width: width * scale, height: height * scale, x: next.x, y: next.y };
      view.x = Math.min(Math.max(view.x, 0), width - view.width);
      view.y = Math.min(Math.max(view.y, 0), height - view.height);
      svg.setAttribute("viewBox", [view.x, view.y, view.width, view.height].map((n) => n.toFixed(1)).join(" "));
      frame.classList.toggle("zooms", scale < 1);
    };
    // `x` and `y` say which point stays where it is, as shares of the view.
    const zoom = (factor, x = 0.5, y = 0.5) => {
      const scale = Math.min(width, Math.max(width * 0.08, view.width * factor)) / view.width;
      show({
        width: view.width * scale,
        x: view.x + view.width * (1 - scale) * x,
        y: view.y + view.height * (1 - scale) * y,
      });
    };
    const pan = (x, y) => show({ width: view.width, x: view.x + x * view.width, y: view.y + y * view.height });
    const all = () => show({ width, x: 0, y: 0 });

    svg.addEventListener("wheel", (event) => {
      // Without a key the page scrolls, as everywhere.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004);
      // The drawing keeps its proportions, so that its frame may be wider or higher.
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      zoom(factor, (at.x - view.x) / view.width, (at.y - view.y) / view.height);
    }, { passive: false });

    let drag = null;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && view.width < width) drag = { x: event.clientX, y: event.clientY, moved: false };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(x, y) < 4) return;
      if (!drag.moved) svg.setPointerCapture(event.pointerId);
      drag = { x: event.clientX, y: event.clientY, moved: true };
      frame.classList.add("drags");
      const scale = svg.getScreenCTM().a;
      pan(-x / (scale * view.width), -y / (scale * view.height));
    });
    const drop = () => {
      frame.classList.remove("drags");
      drag = null;
    };
    svg.addEventListener("pointerup", () => {
      if (drag?.moved) {
        // The click that ends a drag follows at once, and must not open a folder. The next one may.
        const swallow = (event) => event.preventDefault();
        svg.addEventListener("click", swallow, { capture: true });
        setTimeout(() => svg.removeEventListener("click", swallow, { capture: true }));
      }
      drop();
    });
    svg.addEventListener("pointercancel", drop);
    svg.addEventListener("dragstart", (event) => event.preventDefault());

    const keys = {
      "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1.4), 0: all,
      ArrowLeft: () => pan(-0.15, 0), ArrowRight: () => pan(0.15, 0), ArrowUp: () => pan(0, -0.15), ArrowDown: () => pan(0, 0.15),
    };
    frame.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || !keys[event.key] || (event.key.startsWith("Arrow") && view.width === width)) return;
      event.preventDefault();
      keys[event.key]();
    });
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Zoom with plus, minus and zero; move with the arrow keys");
    frame.prepend(buttons([["+", "Zoom in", () => zoom(0.7)], ["−", "Zoom out", () => zoom(1.4)], ["All", "Show all", all]]));
  };

  const buttons = (items) => {
    const bar = document.createElement("div");
    bar.className = "zoom";
    for (const [text, label, work] of items) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", work);
      bar.append(button);
    }
    return bar;
  };

  // The imports of the box under the pointer, or with the focus, stand out.
  const traceable = (svg) => {
    const paths = [...svg.querySelectorAll("[data-from]")];
    const boxes = [...svg.querySelectorAll("[data-node]")];
    const light = (node) => {
      const near = new Set([node]);
      for (const path of paths) {
        const { from, to } = path.dataset;
        const isLit = from === node || to === node;
        path.classList.toggle("lit", isLit);
        if (isLit) near.add(from).add(to);
      }
      for (const box of boxes) box.classList.toggle("lit", near.has(box.dataset.node));
      svg.classList.toggle("chosen", node !== null);
    };
    for (const box of boxes) {
      for (const kind of ["pointerenter", "focus"]) box.addEventListener(kind, () => light(box.dataset.node));
      for (const kind of ["pointerleave", "blur"]) box.addEventListener(kind, () => light(null));
    }
  };

  for (const frame of document.querySelectorAll("[data-zoom]")) {
    zoomable(frame);
    traceable(frame.querySelector("svg"));
  }

  // Marked lines come into view where the address names no line.
  const marked = document.querySelector(".source .marked");
  if (marked && !location.hash) marked.scrollIntoView({ block: "center" });
})();
