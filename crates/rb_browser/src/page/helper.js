// What pages are asked, in a script context of their own: nothing that a page defines is seen here.
(() => {
  const MOST_ELEMENTS = 50000;
  const line = (text) => (text || "").replace(/\s+/g, " ").trim();
  const same = (text) => line(text).toLowerCase();
  // A page can give an element the name of a method of its document.
  const query = (root, css) =>
    [...(root instanceof Document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(root, css)];

  // The document and every open shadow root.
  const roots = () => {
    const found = [document];
    let count = 0;
    for (const root of found) {
      for (const element of query(root, "*")) {
        if (++count > MOST_ELEMENTS) return found;
        if (element.shadowRoot) found.push(element.shadowRoot);
      }
    }
    return found;
  };
  const all = (css) => roots().flatMap((root) => query(root, css));

  const visible = (element) => {
    if (!element.isConnected) return false;
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    return [...element.getClientRects()].some((rect) => rect.width > 0 && rect.height > 0);
  };
  const pick = (elements) => elements.find(visible) || null;

  const cut = (text, most) => (text.length > most ? text.slice(0, most) + "…" : text);
  const describe = (element) => {
    const id = element.getAttribute("id");
    const classes = line(element.getAttribute("class"));
    const quoted = classes.includes(" ") ? `"${cut(classes, 60)}"` : cut(classes, 60);
    return `<${element.localName}${id ? ` id=${cut(id, 40)}` : ""}${classes ? ` class=${quoted}` : ""}>`;
  };
  const selector = (element) => {
    const id = element.getAttribute("id");
    const classes = line(element.getAttribute("class")).split(" ").filter(Boolean).slice(0, 2);
    return cut(element.localName + (id ? `#${id}` : classes.map((name) => `.${name}`).join("")), 80);
  };

  const above = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;
  const contains = (outer, inner) => {
    for (let at = inner; at; at = above(at)) if (at === outer) return true;
    return false;
  };
  const at = (x, y) => {
    let root = document;
    let hit = Document.prototype.elementFromPoint.call(document, x, y);
    while (hit && hit.shadowRoot && hit.shadowRoot !== root) {
      root = hit.shadowRoot;
      const inner = root.elementFromPoint(x, y);
      if (!inner) break;
      hit = inner;
    }
    return hit;
  };

  const CONTROLS = "button, input, select, textarea, option, a, label, [role]";
  const isDisabled = (element) => {
    for (let at = element; at; at = above(at)) {
      if (at.matches("button, input, select, textarea, option, fieldset") && at.matches(":disabled")) return true;
      if (at.getAttribute("aria-disabled") === "true") return true;
    }
    return false;
  };
  const TYPED = ["text", "search", "email", "url", "tel", "password", "number"];
  const SET = ["date", "time", "datetime-local", "month", "week", "color", "range"];
  const typing = (element) => {
    if (element.isContentEditable) return "typed";
    if (element.localName === "textarea") return element.readOnly ? "read-only" : "typed";
    if (element.localName !== "input") return "no";
    if (element.readOnly) return "read-only";
    return TYPED.includes(element.type) ? "typed" : SET.includes(element.type) ? "set" : "no";
  };
  // Without what can be chosen or typed in a field inside the label.
  const labelText = (label) => {
    const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    let text = "";
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement.closest("select, textarea, script, style")) text += walker.currentNode.data;
    }
    return text;
  };
  const labelsOf = (element) => {
    const ids = line(element.getAttribute("aria-labelledby")).split(" ").filter(Boolean);
    const root = element.getRootNode();
    return [
      ...[...(element.labels || [])].map(labelText),
      ...ids.map((id) => root.getElementById(id)?.textContent),
      element.getAttribute("aria-label"),
      element.getAttribute("placeholder"),
    ].map(line).filter(Boolean);
  };
  const FIELDS = "input, select, textarea, [contenteditable], [role=textbox], [role=combobox], [role=checkbox], [role=switch], [role=slider]";

  const rank = (elements, textsOf, wanted) => {
    const fits = (test) => elements.filter((element) => textsOf(element).some((text) => test(same(text))));
    const exact = fits((text) => text === wanted);
    return exact.length ? exact : fits((text) => text.includes(wanted));
  };

  // A shadow root's text is not that of its host.
  const bodyText = () => {
    const shadows = roots().slice(1).flatMap((root) => [...root.children]);
    const parts = [document.body, ...shadows].filter((element) => element instanceof HTMLElement && visible(element));
    return parts.map((element) => element.innerText).filter(line).join("\n");
  };

  const NO_TEXT = ["script", "style", "noscript", "template", "head", "title"];
  const changed = (element) => {
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  return {
    css(css) {
      try {
        return all(css);
      } catch {
        return null;
      }
    },
    text(text) {
      const wanted = same(text);
      const candidates = all("body, body *, :host *").filter((element) => !NO_TEXT.includes(element.localName));
      const buttons = candidates.filter((element) => element.matches("input[type=submit], input[type=button], input[type=reset]"));
      const has = new Set(candidates.filter((element) => same(element.textContent).includes(wanted)));
      const innermost = [...has].filter((element) => ![...element.children].some((child) => has.has(child)));
      return rank([...innermost, ...buttons], (element) => [element.textContent, element.localName === "input" ? element.value : ""], wanted);
    },
    label(label) {
      return rank(all(FIELDS), labelsOf, same(label));
    },
    labels() {
      return [...new Set(all(FIELDS).filter(visible).map((element) => labelsOf(element)[0]).filter(Boolean))].slice(0, 12);
    },
    // Where to point at, and what would be in the way. `this` is the list of all matches.
    inspect(scroll) {
      const element = pick(this);
      if (!element) return { count: this.length };
      const [width, height] = [innerWidth, innerHeight];
      const inside = (rect) => rect.left >= 0 && rect.top >= 0 && rect.right <= width && rect.bottom <= height;
      const box = () => [...element.getClientRects()].find((rect) => rect.width > 0 && rect.height > 0);
      if (scroll && !inside(box())) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const rect = box();
      const [left, right] = [Math.max(rect.left, 0), Math.min(rect.right, width)];
      const [top, bottom] = [Math.max(rect.top, 0), Math.min(rect.bottom, height)];
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const hit = at(x, y);
      const control = element.closest(CONTROLS) || element;
      const labels = [...(element.labels || [])];
      const reached = hit && [element, control, ...labels].some((outer) => contains(outer, hit));
      return {
        count: this.length,
        rect: [rect.left, rect.top, rect.width, rect.height],
        point: [x, y],
        covered: reached ? null : hit ? describe(hit) : "the edge of the page",
        disabled: isDisabled(element),
        typing: typing(element),
        element: describe(element),
      };
    },
    focus() {
      pick(this)?.focus();
    },
    // Selects the whole content, so that what is typed replaces it.
    selectAll() {
      const element = pick(this);
      if (!element) return;
      element.focus();
      if (element.isContentEditable) getSelection().selectAllChildren(element);
      else element.select();
    },
    set(value) {
      const element = pick(this);
      if (!element) return;
      element.value = value;
      changed(element);
    },
    choose(option) {
      const element = pick(this);
      if (!element || element.localName !== "select") return { element: element ? describe(element) : "gone" };
      const options = [...element.options];
      const wanted = same(option);
      const found = options.find((one) => same(one.label) === wanted) || options.find((one) => one.value === option);
      if (!found || found.disabled) return { options: options.filter((one) => !one.disabled).map((one) => line(one.label)).slice(0, 20) };
      if (element.multiple) found.selected = !found.selected;
      else found.selected = true;
      changed(element);
      return { done: true };
    },
    content(most) {
      const element = pick(this);
      return element ? (element.innerText ?? element.textContent ?? "").slice(0, most) : null;
    },
    body(most) {
      return bodyText().slice(0, most);
    },
    value() {
      const element = pick(this) || this[0];
      if (!element) return null;
      if (element.localName === "input" && ["checkbox", "radio"].includes(element.type)) return element.checked ? "checked" : "unchecked";
      return element.value ?? (element.isContentEditable ? element.innerText : null);
    },
    attribute(name) {
      const element = pick(this) || this[0];
      return element ? element.getAttribute(name) : null;
    },
    count() {
      return this.length;
    },
    isVisible() {
      return !!pick(this);
    },
    list(...elements) {
      return elements;
    },
    box() {
      const element = pick(this);
      if (!element) return { count: this.length };
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const rect = element.getBoundingClientRect();
      return { count: this.length, rect: [rect.left + scrollX, rect.top + scrollY, rect.width, rect.height] };
    },
    // Elements wider than the window, the outermost of each first.
    overflow(most) {
      const width = document.documentElement.clientWidth;
      const clips = (element) => {
        for (let outer = above(element); outer && outer !== document.body && outer !== document.documentElement; outer = above(outer)) {
          const rect = outer.getBoundingClientRect();
          if (getComputedStyle(outer).overflowX !== "visible" && rect.right <= width + 1 && rect.left >= -1) return true;
        }
        return false;
      };
      const sticksOut = (element) => {
        if (!visible(element)) return false;
        const rect = element.getBoundingClientRect();
        // A link to skip to the content, and a drawer that is shut, wait outside.
        const isOutside = rect.right <= 1 || (rect.left >= width && getComputedStyle(element).position === "fixed");
        if (isOutside) return false;
        if (rect.right > width + 1 || rect.left < -1) return true;
        const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && line(node.data));
        return hasText && getComputedStyle(element).overflowX === "visible" && rect.left + element.scrollWidth > width + 1;
      };
      const found = [];
      for (const element of all("body, body *, :host *")) {
        if (found.some((outer) => contains(outer, element))) continue;
        if (element.namespaceURI === "http://www.w3.org/2000/svg" && element.localName !== "svg") continue;
        if (sticksOut(element) && !clips(element)) found.push(element);
        if (found.length >= most) break;
      }
      return found.map(selector);
    },
    hasContent() {
      if (line(bodyText())) return true;
      return all("img, canvas, svg, video, input, textarea, select, button, object, embed, iframe").some(visible);
    },
  };
})()
