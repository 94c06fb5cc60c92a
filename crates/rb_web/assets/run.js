"use strict";
// Keeps the page of a run in step with its journal. Parts come rendered from the server.
(() => {
  const LINES = 300;
  const run = document.getElementById("run");
  const log = document.getElementById("run-log");
  const live = document.getElementById("run-live");
  const source = new EventSource(run.dataset.events);

  // A part is not replaced under the hands of a person: it waits until the focus is elsewhere.
  const waiting = new Map();
  const isInUse = (part) => {
    const active = document.activeElement;
    return active !== null && part.contains(active) && active.matches("input, textarea, select");
  };

  const fields = (part) => [...part.querySelectorAll("input, textarea")];
  const nameOf = (field) => `${field.name} ${field.getAttribute("value")}`;
  const isTouched = (field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue;

  const replace = (id, html) => {
    const part = document.getElementById(id);
    if (!part) return;
    if (isInUse(part)) {
      waiting.set(id, html);
      return;
    }
    waiting.delete(id);
    const touched = new Map(fields(part).filter(isTouched).map((field) => [nameOf(field), field]));
    const open = [...part.querySelectorAll("details")].map((details) => details.open);
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("value") : null;
    part.innerHTML = html;
    for (const field of fields(part)) {
      const old = touched.get(nameOf(field));
      if (old) {
        field.value = old.value;
        if (old.checked !== undefined) field.checked = old.checked;
      }
    }
    part.querySelectorAll("details").forEach((details, at) => { details.open = Boolean(open[at]); });
    if (focused) {
      const again = [...part.querySelectorAll("button")].find((button) => button.value === focused);
      if (again) again.focus();
    }
  };

  const flush = () => waiting.forEach((html, id) => {
    if (!document.getElementById(id).contains(document.activeElement)) replace(id, html);
  });
  for (const type of ["click", "keyup"]) document.addEventListener(type, flush);

  const append = (html) => {
    if (!html) return;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.insertAdjacentHTML("beforeend", html);
    while (log.childElementCount > LINES) log.firstElementChild.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };

  source.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    for (const [id, html] of Object.entries(message.parts)) replace(id, html);
    append(message.log);
    live.textContent = "Following the run.";
  });
  source.addEventListener("error", () => {
    const isOver = source.readyState === EventSource.CLOSED;
    live.textContent = isOver ? "The run is no longer followed. Reload the page." : "The server does not answer; trying again.";
  });
  log.scrollTop = log.scrollHeight;
})();
