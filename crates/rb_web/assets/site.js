"use strict";
// What every page has: a key that goes to the search, and a question before what cannot be undone.
(() => {
  const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      document.getElementById("find").focus();
    }
  });

  // The form is sent with the button that was pressed, once the person has agreed.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !button.dataset.confirm || button.dataset.agreed) return;
    event.preventDefault();
    const dialog = document.createElement("dialog");
    const words = document.createElement("p");
    words.textContent = button.dataset.confirm;
    const actions = document.createElement("div");
    actions.className = "actions";
    const yes = document.createElement("button");
    yes.className = "primary";
    yes.textContent = button.textContent;
    const no = document.createElement("button");
    no.textContent = "Cancel";
    actions.append(yes, no);
    dialog.append(words, actions);
    dialog.setAttribute("aria-label", button.textContent);
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      dialog.close();
      button.dataset.agreed = "yes";
      event.target.requestSubmit(button);
    });
    dialog.showModal();
    yes.focus();
  });
})();
