// JUnit from node's test runner, with the file of every test, which the runner's own reporter leaves out.
// Handed to node as a data URL, so that nothing has to be written beside the project.
const text = (value) =>
  String(value)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
    .replace(/[&<>"\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export default async function* (events) {
  const names = [];
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  for await (const { type, data } of events) {
    if (type === "test:start") names[data.nesting] = data.name;
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { nesting, name, file, line, skip, todo, details } = data;
    const failed = type === "test:fail";
    // A suite is no test, as the runner counts; what it can fail of by itself is a hook.
    const own = failed && details?.error?.failureType !== "subtestsFailed";
    if (details?.type === "suite" && !own) continue;
    const suite = text(names.slice(0, nesting).join(" › "));
    const place = file === undefined ? "" : ` file="${text(file)}" line="${line ?? 0}"`;
    const time = ((details?.duration_ms ?? 0) / 1000).toFixed(6);
    yield `<testcase name="${text(name)}" classname="${suite}"${place} time="${time}">`;
    const error = details?.error?.cause ?? details?.error;
    if (skip !== undefined || todo !== undefined) yield "<skipped/>";
    else if (failed) yield `<failure message="${text(error?.message ?? error)}">${text(error?.stack ?? "")}</failure>`;
    yield "</testcase>\n";
  }
  yield "</testsuites>\n";
}
