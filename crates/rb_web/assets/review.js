"use strict";
// The review page: a filter for the changes, a key for every decision, and on to the next change that waits.
(() => {
  const review = document.getElementById("review");
  const changes = [...document.querySelectorAll("details.change")];
  const items = [...document.querySelectorAll("nav.list li")];
  const list = document.getElementById("change-list");
  const filter = document.getElementById("filter");
  const keys = document.getElementById("keys");
  const layouts = [...document.querySelectorAll(".review-head .segments a")];
  const isNarrow = window.matchMedia("(max-width: 60rem)");
  let current = -1;

  const select = (at) => {
    if (at === current || !changes[at]) return;
    items[current]?.firstElementChild.removeAttribute("aria-current");
    current = at;
    // The other layout shows the same change.
    for (const link of layouts) {
      const address = new URL(link.href);
      address.searchParams.set("task", changes[at].id);
      address.hash = changes[at].id;
      link.href = address;
    }
    const link = items[at]?.firstElementChild;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    if (!isNarrow.matches) link.scrollIntoView({ block: "nearest" });
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
    f: () => {
      if (list) list.open = true;
      filter?.focus();
    },
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

  const anchor = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      // A percent sign that encodes nothing names no place here.
      return "";
    }
  };

  // A link to a change or to a line opens what is around it, and loads it first if need be.
  const follow = () => {
    const id = anchor();
    const target = document.getElementById(id);
    const change = target?.closest("details.change") ?? changes.find((it) => id.startsWith(`${it.id}-`));
    if (!change) return;
    select(changes.indexOf(change));
    if (target === change) {
      go(change);
    } else if (target) {
      change.open = true;
      target.closest("details.file").open = true;
      target.scrollIntoView({ block: "center" });
    } else if (change.dataset.diff) {
      change.addEventListener("content", () => { if (anchor() === id && document.getElementById(id)) follow(); }, { once: true });
      go(change);
    } else {
      go(change);
    }
  };

  changes.forEach((change, at) => change.addEventListener("focusin", () => select(at)));
  if (filter) {
    filter.hidden = false;
    filter.addEventListener("input", search);
  }
  const help = document.getElementById("show-keys");
  help.hidden = false;
  help.addEventListener("click", () => keys.showModal());
  window.addEventListener("hashchange", follow);
  list?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    if (isNarrow.matches) list.open = false;
    // A link to the place that is shown already changes no address.
    if (link.hash === location.hash) follow();
  });
  if (list && isNarrow.matches) list.open = false;
  // On a wide screen the list has no summary that could open it again.
  isNarrow.addEventListener("change", () => { if (list && !isNarrow.matches) list.open = true; });
  follow();

  // While the run goes on: what became of the decision, and the next change that waits.
  const followRun = () => {
    const job = document.getElementById("run-job");
    const state = document.getElementById("review-state");
    const source = new EventSource(review.dataset.events);
    let isTouched = false;
    for (const type of ["keydown", "pointerdown", "wheel"]) {
      window.addEventListener(type, () => { isTouched = true; }, { passive: true });
    }
    let waits = review.dataset.waits;
    const isTask = () => waits.startsWith("batch-");
    const move = () => {
      const address = new URL(location.href);
      address.hash = "";
      address.searchParams.delete("task");
      if (isTask()) {
        address.searchParams.set("task", waits);
        address.hash = waits;
      }
      // An address that differs in its fragment alone would not load the page anew.
      const isSame = address.search === location.search;
      if (isSame) history.replaceState(null, "", address);
      if (isSame) location.reload();
      else location.replace(address);
    };
    const show = () => {
      if (waits === "" || waits === review.dataset.waits || job.querySelector(".live")) return;
      source.close();
      if (!isTouched) {
        move();
        return;
      }
      const words = document.createElement("p");
      words.textContent = isTask() ? `${waits} is waiting for your decision.` : "The run has gone on.";
      const button = document.createElement("button");
      button.className = "primary";
      button.textContent = isTask() ? "Go to it" : "Show it";
      button.addEventListener("click", move);
      state.className = "notice wait review-state";
      state.replaceChildren(words, button);
    };
    source.addEventListener("message", (event) => {
      const { parts, over } = JSON.parse(event.data);
      if (parts["run-job"] !== undefined) job.innerHTML = parts["run-job"];
      if (parts["run-actions"] !== undefined) {
        const template = document.createElement("template");
        template.innerHTML = parts["run-actions"];
        waits = template.content.querySelector("[data-waits]")?.dataset.waits ?? "";
      }
      show();
      if (over) source.close();
    });
  };
  if (review?.dataset.events) followRun();
})();
