"use strict";
// Keeps the page of a run in step with its journal. Parts come rendered from the server.
(() => {
  const LINES = 300;
  const run = document.getElementById("run");
  const log = document.getElementById("run-log");
  const live = document.getElementById("run-live");
  // A run that is over has no events to follow.
  const source = run.dataset.events ? new EventSource(run.dataset.events) : null;

  // A part is not replaced under the hands of a person: not while one types there, presses a button, or is asked for a confirmation.
  const waiting = new Map();
  let isPressed = false;
  const isInUse = (part) => {
    const active = document.activeElement;
    const isTyping = active !== null && part.contains(active) && active.matches("input, textarea, select");
    return isTyping || isPressed || document.querySelector("dialog[open]") !== null;
  };

  const fields = (part) => [...part.querySelectorAll("input, textarea")];
  const nameOf = (field) => `${field.name} ${field.getAttribute("value")}`;
  const isTouched = (field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  // What stays the same when a part is rendered anew.
  const keyOf = (element) => [
    element.tagName, element.id || element.closest("[id]")?.id, element.getAttribute("href"), element.getAttribute("value"),
    element.matches("a, button, summary") ? element.textContent : "",
  ].join(" ");
  const SCROLLERS = ".wide, .graph > div, .lines";

  // Takes down what a person did with a part, and gives it back to the part that takes its place.
  const remember = (part) => {
    const touched = new Map(fields(part).filter(isTouched).map((field) => [nameOf(field), field]));
    const details = () => [...part.querySelectorAll("details")].map((it) => [keyOf(it.querySelector("summary")), it]);
    const open = new Map(details().map(([key, it]) => [key, it.open]));
    const scrolled = [...part.querySelectorAll(SCROLLERS)].map((box) => [box.scrollLeft, box.scrollTop]);
    const active = part.contains(document.activeElement) ? document.activeElement : null;
    const focused = active && keyOf(active);
    return () => {
      for (const field of fields(part)) {
        const old = touched.get(nameOf(field));
        if (!old) continue;
        field.value = old.value;
        if (old.checked !== undefined) field.checked = old.checked;
      }
      for (const [key, it] of details()) if (open.has(key)) it.open = open.get(key);
      [...part.querySelectorAll(SCROLLERS)].forEach((box, at) => {
        if (scrolled[at]) [box.scrollLeft, box.scrollTop] = scrolled[at];
      });
      if (!focused) return;
      const all = [...part.querySelectorAll(active.tagName)];
      all.find((element) => keyOf(element) === focused)?.focus({ preventScroll: true });
    };
  };

  const replace = (id, html) => {
    const part = document.getElementById(id);
    if (!part) return;
    if (isInUse(part)) {
      waiting.set(id, html);
      return;
    }
    waiting.delete(id);
    const restore = remember(part);
    part.innerHTML = html;
    restore();
    part.dispatchEvent(new Event("content", { bubbles: true }));
  };

  // After the event: a button that is taken away sends no form.
  const flush = () => setTimeout(() => waiting.forEach((html, id) => replace(id, html)));
  document.addEventListener("pointerdown", () => { isPressed = true; });
  for (const type of ["pointerup", "pointercancel"]) {
    document.addEventListener(type, () => {
      isPressed = false;
      flush();
    });
  }
  for (const type of ["click", "keyup"]) document.addEventListener(type, flush);
  // The close of a dialog does not bubble.
  document.addEventListener("close", flush, true);

  const append = (html) => {
    if (!html) return;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.insertAdjacentHTML("beforeend", html);
    while (log.childElementCount > LINES) log.firstElementChild.remove();
    log.dispatchEvent(new Event("content", { bubbles: true }));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };

  source?.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    for (const [id, html] of Object.entries(message.parts)) replace(id, html);
    append(message.log);
    if (message.title) document.title = `${message.title} · refactor-bot`;
    live.textContent = message.over ? "The run has ended." : "Following the run.";
    if (message.over) source.close();
  });
  source?.addEventListener("error", () => {
    const isOver = source.readyState === EventSource.CLOSED;
    live.textContent = isOver ? "The run is no longer followed. Reload the page." : "The server does not answer; trying again.";
  });
  log.scrollTop = log.scrollHeight;

  // The plan that waits: how many of its tasks are ticked, and all of them at once.
  const ticks = () => [...document.querySelectorAll(".plan input[name=task]")];
  const count = () => {
    const output = document.querySelector(".plan-bar output");
    if (!output) return;
    const all = ticks();
    const ticked = all.filter((tick) => tick.checked).length;
    const words = `${ticked} of ${all.length} ticked`;
    if (output.textContent !== words) output.textContent = words;
    document.querySelector(".plan-form button.primary").disabled = ticked === 0;
    for (const hidden of document.querySelectorAll(".plan-bar [hidden]")) hidden.hidden = false;
  };
  document.addEventListener("change", count);
  document.addEventListener("content", count);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-tick]");
    if (!button) return;
    for (const tick of ticks()) tick.checked = button.dataset.tick === "all";
    count();
  });
  count();
})();
