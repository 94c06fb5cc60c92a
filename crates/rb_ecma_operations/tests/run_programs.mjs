// Checks and runs TypeScript programs that arrive as JSON on standard input ([{path: text}]) and prints
// [{"code", "out", "err", "types"}] for each: what `src/main.ts` printed, and the errors of the compiler.
//
// The first argument is the compiler's package. Programs are held in memory and run as real modules of this process.
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";

const ts = createRequire(import.meta.url)(process.argv[2]);
const MAIN = "src/main.ts";
const ENDINGS = ["", ".ts", ".tsx", ".js", "/index.ts", "/index.js"];

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts"],
  types: [],
  strict: true,
  isolatedModules: true,
  skipLibCheck: true,
  allowJs: true,
  noEmit: true,
};
const GLOBALS = "declare const console: { log(...values: unknown[]): void };\n";

const libraries = new Map();
const libraryFolder = path.dirname(ts.getDefaultLibFilePath(OPTIONS));

// The declarations of the language are read and bound once.
function library(name) {
  if (!libraries.has(name)) {
    const text = ts.sys.readFile(name);
    libraries.set(name, text && ts.createSourceFile(name, text, OPTIONS.target, true));
  }
  return libraries.get(name);
}

const globals = ts.createSourceFile("/globals.d.ts", GLOBALS, OPTIONS.target, true);

function check(files) {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`/${name}`, text]));
  const host = {
    fileExists: (name) => texts.has(name) || name.startsWith(libraryFolder),
    readFile: (name) => texts.get(name),
    getSourceFile: (name) => {
      if (name === "/globals.d.ts") return globals;
      if (name.startsWith(libraryFolder)) return library(name);
      return texts.has(name) ? ts.createSourceFile(name, texts.get(name), OPTIONS.target, true) : undefined;
    },
    getDefaultLibFileName: () => path.join(libraryFolder, "lib.es2022.d.ts"),
    getDefaultLibLocation: () => libraryFolder,
    writeFile: () => {},
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    directoryExists: (name) => [...texts.keys()].some((file) => file.startsWith(`${name.replace(/\/$/, "")}/`)),
    getDirectories: () => [],
  };
  const roots = [...texts.keys()].filter((name) => /\.(ts|tsx|js)$/.test(name));
  const program = ts.createProgram([...roots, "/globals.d.ts"], OPTIONS, host);
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  return found.map((one) => {
    const place = one.file ? `${one.file.fileName}:${one.file.getLineAndCharacterOfPosition(one.start).line + 1}` : "";
    return `${place} TS${one.code}: ${ts.flattenDiagnosticMessageText(one.messageText, " ")}`;
  });
}

function resolve(files, from, specifier) {
  const stem = path.posix.join(path.posix.dirname(from), specifier);
  const stems = [stem, stem.replace(/\.js$/, "")];
  for (const one of stems) {
    const found = ENDINGS.map((ending) => one + ending).find((name) => files[name] !== undefined);
    if (found) return found;
  }
  throw new Error(`no module ${specifier} for ${from}`);
}

async function execute(files) {
  const out = [];
  const show = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? String(value));
  const context = vm.createContext({ console: { log: (...values) => out.push(values.map(show).join(" ")) } });
  const modules = new Map();
  const load = (name) => {
    if (!modules.has(name)) {
      const options = { compilerOptions: { ...OPTIONS, noEmit: false }, fileName: name };
      const text = ts.transpileModule(files[name], options).outputText;
      const importModuleDynamically = async (specifier) => {
        const module = load(resolve(files, name, specifier));
        if (module.status === "unlinked") await module.link(link);
        if (module.status !== "evaluated") await module.evaluate();
        return module;
      };
      modules.set(name, new vm.SourceTextModule(text, { context, identifier: name, importModuleDynamically }));
    }
    return modules.get(name);
  };
  const link = (specifier, from) => load(resolve(files, from.identifier, specifier));
  try {
    const main = load(MAIN);
    await main.link(link);
    await main.evaluate({ timeout: 5000 });
    return { code: 0, out: out.join("\n"), err: "" };
  } catch (error) {
    return { code: 1, out: out.join("\n"), err: `${error.name}: ${error.message}` };
  }
}

// A module that cannot be loaded is an answer, wherever its promise ended.
process.on("unhandledRejection", () => {});

let input = "";
for await (const part of process.stdin.setEncoding("utf8")) input += part;
const results = [];
for (const files of JSON.parse(input)) {
  results.push({ ...(await execute(files)), types: check(files) });
}
process.stdout.write(JSON.stringify(results));
