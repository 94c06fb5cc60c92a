"use strict";
// What every page has: a key that goes to the search, a question before what cannot be undone, diffs that come when they are opened,
// times as the person's clock has them, and boxes that scroll by keyboard. Whoever changes a page says so with the event "content".
(() => {
  const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      document.getElementById("find").focus();
    }
  });

  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

  // The form is sent with the button that was pressed, once the person has agreed.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !button.dataset.confirm || button.dataset.agreed) return;
    event.preventDefault();
    const isGrave = button.classList.contains("danger");
    const dialog = document.createElement("dialog");
    const words = make("p", { id: "confirm-words", textContent: button.dataset.confirm });
    const yes = make("button", { className: isGrave ? "danger" : "primary", textContent: button.firstChild.textContent.trim() });
    const no = make("button", { textContent: "Cancel" });
    const actions = make("div", { className: "actions" });
    actions.append(yes, no);
    dialog.append(words, actions);
    dialog.setAttribute("aria-label", yes.textContent);
    dialog.setAttribute("aria-describedby", words.id);
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      dialog.close();
      button.dataset.agreed = "yes";
      event.target.requestSubmit(button);
    });
    dialog.showModal();
    // A key that is pressed once too often must not drop anything.
    (isGrave ? no : yes).focus();
  });

  const announce = (place) => place.dispatchEvent(new Event("content", { bubbles: true }));

  const load = async (details) => {
    const address = details.dataset.diff;
    delete details.dataset.diff;
    const place = details.querySelector(".diffs");
    const words = make("p", { className: "soft", textContent: "Loading the diff…" });
    words.setAttribute("role", "status");
    place.replaceChildren(words);
    try {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(reply.statusText);
      // Rendered and escaped by the server.
      place.innerHTML = await reply.text();
    } catch {
      details.dataset.diff = address;
      words.textContent = "The diff could not be loaded. Close this and open it to try again.";
    }
    announce(details);
  };

  // Toggle events do not bubble.
  document.addEventListener("toggle", (event) => {
    if (event.target.matches("details[data-diff]") && event.target.open) load(event.target);
  }, true);

  // In the clock of the person; the server only knows UTC, which stays as the title.
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  const localTimes = () => {
    for (const time of document.querySelectorAll("time[datetime]:not([title])")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const isClock = /^\d\d:\d\d:\d\d$/.test(time.textContent);
      time.title = `${time.dateTime.slice(0, 19).replace("T", " ")} UTC`;
      time.textContent = (isClock ? clock : moment).format(at);
    }
  };

  // A box that is wider than its place can be reached by keyboard.
  const scrollers = () => {
    for (const box of document.querySelectorAll(".wide, .lines, .excerpt, .map:not([data-zoom])")) {
      if (box.scrollWidth <= box.clientWidth) {
        box.removeAttribute("tabindex");
      } else if (box.tabIndex < 0) {
        box.tabIndex = 0;
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "Scrolls sideways");
      }
    }
  };

  const refresh = () => {
    localTimes();
    scrollers();
  };
  document.addEventListener("content", refresh);
  window.addEventListener("resize", scrollers);
  refresh();
})();
