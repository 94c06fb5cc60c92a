// Lets Node load the files of a case as a bundler would: endings and `/index` may be left out, `@/` is the root (or `src`) of the case,
// style sheets are empty. The files were translated before, whatever their names still say. Each case gets a React of its own.
// Knows nothing of tsconfig paths or of other kinds of assets. Packages are left to Node.

import fs from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ENDINGS = ["", ".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", "/index.ts", "/index.tsx", "/index.js", "/index.jsx"];
const REACT = /^react(?:-dom)?(?:\/|$)/;
const MODULE = /\.(?:ts|tsx|mts|jsx|js)$/;

const SHARED = "shared:";

let root, tool;

export function initialize(data) {
  root = `${data.root}/`;
  tool = createRequire(data.tools);
}

export function resolve(specifier, context, next) {
  if (REACT.test(specifier) && context.parentURL?.startsWith(root)) {
    return { url: `${SHARED}${caseOf(context.parentURL)}/${specifier}`, format: "module", shortCircuit: true };
  }
  if (!isOurs(context.parentURL) && !isOurs(specifier)) return next(specifier, context);
  for (const url of places(specifier, context.parentURL)) {
    const found = ENDINGS.map((ending) => url + ending).find(isFile);
    if (found) return { url: found + query(context.parentURL), format: "module", shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (url.startsWith(SHARED)) return { format: "module", source: shared(url), shortCircuit: true };
  if (!isOurs(url)) return next(url, context);
  const file = fileURLToPath(url);
  if (file.endsWith(".css")) return { format: "module", source: "export default {};", shortCircuit: true };
  if (!MODULE.test(file)) return next(url, context);
  return { format: "module", source: fs.readFileSync(file, "utf8"), shortCircuit: true };
}

/** The React that the harness has loaded for this case: asked for anew, since Node keeps modules for good. */
function shared(url) {
  const name = url.slice(SHARED.length).replace(/^\d+\//, "");
  const names = Object.keys(tool(name)).filter((key) => key !== "default");
  return `const module = globalThis.harness(${JSON.stringify(name)});
export default module;
export const { ${names.join(", ")} } = module;`;
}

function places(specifier, parent) {
  if (/^\.\.?\//.test(specifier)) return [new URL(specifier, parent).href];
  if (!specifier.startsWith("@/")) return [];
  const home = root + caseOf(parent);
  return [`${home}/${specifier.slice(2)}`, `${home}/src/${specifier.slice(2)}`];
}

/** The folder of a case below the root. */
function caseOf(url) {
  return url.slice(root.length).split("/")[0];
}

/** What a page loads a second time is another instance all the way down. */
function query(parent) {
  return new URL(parent).search;
}

function isOurs(url) {
  return url?.startsWith(root) && !url.includes("/node_modules/");
}

function isFile(url) {
  return fs.statSync(fileURLToPath(url), { throwIfNoEntry: false })?.isFile();
}
