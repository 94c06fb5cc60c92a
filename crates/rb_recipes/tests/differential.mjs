// Runs programs and says what could be seen of each.
// stdin: [{ id, root, main }]; `main` exports (or is) `async function (log)`, which is called once.
// stdout: [{ id, trace: [lines] }]. Each program runs with its own folder as the working directory.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import path from 'node:path';
import process from 'node:process';

const input = JSON.parse(await new Response(process.stdin).text().catch(() => '') || '[]');
const require = createRequire(import.meta.url);
const answers = [];
let trace = [];
const show = (value) => (typeof value === 'string' ? value : inspect(value, { depth: 6, sorted: true, breakLength: 1e9 }));
const told = (error, root) =>
  error instanceof Error
    ? `${error.name}${error.code ? ` ${error.code}` : ''}: ${error.message.split(root).join('.')}`
    : `thrown: ${show(error)}`;
process.on('unhandledRejection', (error) => trace.push(`unhandled ${told(error, '')}`));
process.on('uncaughtException', (error) => trace.push(`uncaught ${told(error, '')}`));

for (const { id, root, main } of input) {
  trace = [];
  process.chdir(root);
  const log = (...values) => trace.push(values.map((it) => show(it).split(root).join('.')).join(' '));
  try {
    const file = path.join(root, main);
    const module = main.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
    const run = module.main ?? module.default ?? module;
    log('=>', await run(log));
  } catch (error) {
    trace.push(told(error, root));
  }
  await new Promise((resolve) => setImmediate(resolve));
  answers.push({ id, trace });
}
process.stdout.write(JSON.stringify(answers));
