// A document for one case, and the rendering of its component into it, step by step.
//
// The globals of a browser exist only while the document is open, so that code for a server finds none.
// There is no layout, and nothing is loaded from anywhere.

const TAKEN_OVER = ["Event", "EventTarget", "CustomEvent", "FormData", "Blob", "File", "AbortController", "AbortSignal", "navigator"];

export function openDocument({ JSDOM, VirtualConsole }, html, trace) {
  const virtualConsole = new VirtualConsole();
  virtualConsole.on("jsdomError", (error) => trace.error("uncaught", error.cause ?? error));
  const body = `<!doctype html><body><div id="root">${html}</div></body>`;
  const { window } = new JSDOM(body, { url: "http://localhost/", pretendToBeVisual: true, virtualConsole });
  const before = new Map();
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !TAKEN_OVER.includes(name)) continue;
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  }
  const close = () => {
    for (const [name, old] of before) {
      delete globalThis[name];
      if (old) Object.defineProperty(globalThis, name, old);
    }
    window.close();
  };
  return { window, container: window.document.getElementById("root"), close };
}

/** Renders with each of `props`, then hands over to the script of the case. The document is written down after each step. */
export async function runScript(module, { window, container }, props, trace, tool, { hydrate } = {}) {
  const react = tool("react");
  // Only now: when it is loaded it looks whether there is a document.
  const client = tool("react-dom/client");
  const element = (each) => react.createElement(module.default, each);
  const act = async (work) => {
    let result;
    await react.act(async () => void (result = await work()));
    trace.html(container.innerHTML);
    return result;
  };
  let root;
  // The rest of its message are hints.
  const onRecoverableError = (error) => trace.log("recovered", error.message.split("\n")[0]);
  await act(() => {
    root = hydrate ? client.hydrateRoot(container, element(props[0]), { onRecoverableError }) : client.createRoot(container);
    if (!hydrate) root.render(element(props[0]));
  });
  try {
    const render = (each) => act(() => root.render(element(each)));
    for (const each of props.slice(1)) await render(each);
    const log = (...values) => trace.log(...values);
    const fire = (target, type, init) => act(() => dispatch(window, container, target, type, init));
    await module.script?.({ container, window, act, render, fire, log });
  } finally {
    await react.act(async () => root.unmount());
  }
}

/** `target` is an element or a selector; a `value` is typed into it first, as a person would, past React's own setter. */
function dispatch(window, container, target, type, { value, ...init } = {}) {
  const element = typeof target === "string" ? container.querySelector(target) : target;
  if (!element) throw new Error(`nothing matches ${target}`);
  if (value !== undefined) {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, value);
  }
  const kind = /^(?:click|dblclick|mouse)/.test(type) ? "MouseEvent" : /^key/.test(type) ? "KeyboardEvent" : "Event";
  element.dispatchEvent(new window[kind](type, { bubbles: true, cancelable: true, ...init }));
}
