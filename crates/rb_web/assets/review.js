"use strict";
// The review page: diffs that come when they are opened, a filter for the changes, and a key for every decision.
(() => {
  const changes = [...document.querySelectorAll("details.change")];
  const items = [...document.querySelectorAll("nav.list li")];
  const filter = document.getElementById("filter");
  const keys = document.getElementById("keys");
  let current = -1;

  const load = async (change) => {
    const address = change.dataset.diff;
    if (!address) return;
    delete change.dataset.diff;
    const place = change.querySelector(".diffs");
    const words = document.createElement("p");
    words.className = "soft";
    words.setAttribute("role", "status");
    words.textContent = "Loading the diff…";
    place.replaceChildren(words);
    try {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(reply.statusText);
      // Rendered and escaped by the server.
      place.innerHTML = await reply.text();
    } catch {
      change.dataset.diff = address;
      words.textContent = "The diff could not be loaded. Close the change and open it to try again.";
    }
  };

  const select = (at) => {
    if (at === current || !changes[at]) return;
    items[current]?.firstElementChild.removeAttribute("aria-current");
    current = at;
    const link = items[at].firstElementChild;
    link.setAttribute("aria-current", "true");
    link.scrollIntoView({ block: "nearest" });
  };

  const go = (change) => {
    change.open = true;
    const summary = change.querySelector("summary");
    change.scrollIntoView({ block: "start" });
    summary.focus({ preventScroll: true });
  };

  const step = (by) => {
    let at = current + by;
    while (changes[at]?.hidden) at += by;
    if (changes[at]) {
      select(at);
      go(changes[at]);
    }
  };

  // The first file below the top of the window, or the last above it.
  const stepFile = (by) => {
    const files = [...document.querySelectorAll("details.change[open]:not([hidden]) details.file")];
    const margin = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const offset = (file) => file.getBoundingClientRect().top - margin;
    const next = by > 0 ? files.find((file) => offset(file) > 4) : files.findLast((file) => offset(file) < -4);
    if (next) {
      next.scrollIntoView({ block: "start" });
      next.querySelector("summary").focus({ preventScroll: true });
    }
  };

  const press = (key) => {
    const target = document.querySelector(`[data-key="${key}"]`);
    if (!target) return;
    if (target.matches("textarea")) {
      target.closest("details").open = true;
      target.focus();
    } else {
      target.click();
    }
  };

  const actions = {
    j: () => step(1),
    k: () => step(-1),
    n: () => stepFile(1),
    p: () => stepFile(-1),
    o: () => { if (changes[current]) changes[current].open = !changes[current].open; },
    f: () => filter?.focus(),
    "?": () => keys.showModal(),
  };
  for (const key of ["s", "a", "r", "A", "R"]) actions[key] = () => press(key);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === filter) filter.blur();
    if (event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  const search = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    items.forEach((item, at) => {
      const text = `${item.textContent}\n${item.dataset.files}`.toLowerCase();
      const matches = words.every((word) => text.includes(word));
      item.hidden = !matches;
      changes[at].hidden = !matches;
      found += matches;
    });
    document.getElementById("none-found").hidden = found > 0;
  };

  // A link to a change or to a line opens what is around it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const change = target?.closest("details.change");
    if (!change) return;
    select(changes.indexOf(change));
    if (target === change) {
      go(change);
    } else {
      change.open = true;
      target.closest("details.file").open = true;
      target.scrollIntoView({ block: "center" });
    }
  };

  changes.forEach((change, at) => {
    change.addEventListener("toggle", () => { if (change.open) load(change); });
    change.addEventListener("focusin", () => select(at));
  });
  if (filter) {
    filter.hidden = false;
    filter.addEventListener("input", search);
  }
  const help = document.getElementById("show-keys");
  help.hidden = false;
  help.addEventListener("click", () => keys.showModal());
  window.addEventListener("hashchange", follow);
  // A link to the place that is shown already changes no address.
  document.querySelector("nav.list")?.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) follow();
  });
  follow();
})();
