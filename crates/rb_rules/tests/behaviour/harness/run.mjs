// Runs small programs and writes down what can be seen of them, so that two forms of a program can be compared.
//
//   node run.mjs TOOLS < cases.json > traces.json
//
// TOOLS is a folder where the packages of package.json are installed. A case is
//   { id, files: { path: source }, entry, mode, props?: [object], timeout_ms?: number }
// and its answer { id, trace: [line] }. What the entry exports as `props` goes before those of the case. Modes:
//   node     `export default async function main(log)` is called
//   ssr      the default export is rendered with `renderToString`, once for each of `props`
//   static   the same with `prerender`, which waits: components may be async
//   dom      the default export is rendered in jsdom with each of `props`, then `export async function script(tools)` is called
//   hydrate  as dom, but the first of `props` is rendered on a server, without a document, and hydrated
// Files are modules as a bundler takes them (see hooks.mjs). `node_modules/NAME/…` may be among them.
// All cases share one process: one that changes globals or never ends spoils the others.

import fs from "node:fs";
import { createRequire, register } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { openDocument, runScript } from "./dom.mjs";
import { show, showError } from "./show.mjs";

const PACKAGES = ["react", "react-dom"];
const REACT = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
const PATIENCE = 5000;

/** What the running case has shown so far. */
class Trace {
  lines = [];

  log(...values) {
    this.lines.push(`log: ${values.map((value) => show(value)).join(" ")}`);
  }

  console(level, first, ...values) {
    const plain = (value) => (typeof value === "string" ? value : show(value));
    const text = plain(first).replaceAll(/%[sdifoO]/g, (place) => (values.length ? plain(values.shift()) : place));
    this.lines.push(`console.${level}: ${[text, ...values.map(plain)].join(" ")}`);
  }

  error(kind, error) {
    this.lines.push(`${kind}: ${showError(error)}`);
  }

  html(text) {
    this.lines.push(`html: ${text}`);
  }
}

let current = new Trace();
/** The document that is open, if any. */
let page;

function listen() {
  for (const level of ["log", "info", "warn", "error"]) {
    console[level] = (...values) => current.console(level, ...values);
  }
  process.on("unhandledRejection", (reason) => current.error("unhandled rejection", reason));
  process.on("uncaughtException", (error) => current.error("uncaught", error));
  // React hands the errors of event handlers to this.
  globalThis.reportError = (error) => current.error("uncaught", error);
  // For the modules of hooks.mjs.
  globalThis.harness = tool;
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

async function write(folder, files, esbuild) {
  for (const name of PACKAGES) {
    const link = path.join(folder, "node_modules", name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(tools, "node_modules", name), link, "dir");
  }
  for (const [name, source] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (!file.startsWith(folder + path.sep)) throw new Error(`${name} is outside of the case`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, await translate(name, source, esbuild));
  }
}

/** Types and JSX go, everything else stays as written: modules keep their own order and their own cycles. */
async function translate(name, source, esbuild) {
  const loader = { ".ts": "ts", ".tsx": "tsx", ".mts": "ts", ".jsx": "jsx", ".js": "jsx", ".mjs": "js" }[path.extname(name)];
  if (!loader || name.startsWith("node_modules/")) return source;
  const options = { loader, format: "esm", target: "esnext", jsx: "automatic", charset: "utf8", sourcefile: name };
  return (await esbuild.transform(source, options)).code;
}

const MODES = {
  async node({ load }) {
    const { default: main } = await load();
    const result = await main((...values) => current.log(...values));
    if (result !== undefined) current.log("returned", result);
  },

  async ssr({ load, props }) {
    const { default: Component, props: own = props } = await load();
    const { renderToString } = tool("react-dom/server");
    for (const each of own) current.html(renderToString(tool("react").createElement(Component, each)));
  },

  async static({ load, props }) {
    const { default: Component, props: own = props } = await load();
    for (const each of own) current.html(await prerender(Component, each));
  },

  async dom({ load, props }) {
    page = openDocument(tool("jsdom"), "", current);
    const module = await load();
    await runScript(module, page, module.props ?? props, current, tool);
  },

  async hydrate({ load, props }) {
    const { default: Component, props: own = props } = await load("?server");
    const html = await prerender(Component, own[0]);
    current.html(html);
    page = openDocument(tool("jsdom"), html, current);
    await runScript(await load(), page, own, current, tool, { hydrate: true });
  },
};

async function prerender(Component, props) {
  const onError = (error) => current.error("server error", error);
  const { prerenderToNodeStream } = tool("react-dom/static");
  const { prelude } = await prerenderToNodeStream(tool("react").createElement(Component, props), { onError });
  let text = "";
  for await (const chunk of prelude) text += chunk;
  return text;
}

async function observe(one, folder, esbuild) {
  forgetReact();
  current = new Trace();
  const trace = current;
  try {
    await write(folder, one.files, esbuild);
    if (!Object.hasOwn(MODES, one.mode)) throw new Error(`unknown mode ${one.mode}`);
    const url = pathToFileURL(path.join(folder, one.entry)).href;
    const load = (query = "") => import(url + query);
    await within(one.timeout_ms ?? PATIENCE, MODES[one.mode]({ load, props: one.props ?? [{}] }));
  } catch (error) {
    trace.error("threw", error);
  }
  await settled();
  // Here and not at the end of the rendering, which may never come.
  page?.close();
  page = undefined;
  // Messages of errors name the folder.
  const lines = trace.lines.map((line) => line.replaceAll(pathToFileURL(folder).href, "").replaceAll(folder, ""));
  return { id: one.id, trace: lines };
}

/** Each case has a React of its own: ids are counted, and warnings given once, in each process. */
function forgetReact() {
  for (const file of Object.keys(tool.cache)) {
    if (REACT.test(file)) delete tool.cache[file];
  }
}

function within(milliseconds, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Node tells of an unhandled rejection only after the microtasks of its turn. */
async function settled() {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const tools = fs.realpathSync(process.argv[2]);
const tool = createRequire(path.join(tools, "package.json"));

async function main() {
  const cases = JSON.parse(fs.readFileSync(0, "utf8"));
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "behaviour-")));
  const esbuild = tool("esbuild");
  register("./hooks.mjs", import.meta.url, { data: { root: pathToFileURL(scratch).href, tools: path.join(tools, "package.json") } });
  listen();
  const results = [];
  try {
    for (const [number, one] of cases.entries()) {
      results.push(await observe(one, path.join(scratch, String(number)), esbuild));
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  return JSON.stringify(results);
}

// Timers and listeners of the cases may be left, so the end is said. A failure here is of the harness, not of a case.
try {
  const text = await main();
  process.stdout.write(`${text}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${error.stack}\n`, () => process.exit(1));
}
