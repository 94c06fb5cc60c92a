// Values as text that is the same on every machine and in every version of Node, with what JSON cannot say: undefined, NaN, -0, holes,
// maps, sets, errors, cycles. The order of keys is kept, since programs can see it. Getters are not called.

const DEEPEST = 8;

export function show(value, above = []) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return `[function ${value.name}]`;
    case "object":
      return value === null ? "null" : showObject(value, above);
    default:
      return String(value);
  }
}

/** Without the stack, which names folders. */
export function showError(error) {
  if (!(error instanceof Error)) return `${show(error)} (not an error)`;
  const cause = error.cause === undefined ? "" : `, caused by ${showError(error.cause)}`;
  const rest = error instanceof AggregateError ? ` [${error.errors.map(showError).join(", ")}]` : "";
  return `${error.name}: ${error.message}${rest}${cause}`;
}

function showObject(value, above) {
  if (above.includes(value)) return "[cycle]";
  if (above.length >= DEEPEST) return "[deep]";
  const inside = [...above, value];
  const list = (items) => Array.from(items, (item) => show(item, inside)).join(", ");
  if (Array.isArray(value)) return `[${showItems(value, inside)}]`;
  if (value instanceof Error) return `[${showError(value)}]`;
  if (value instanceof Map) return `Map{${Array.from(value, ([key, item]) => `${show(key, inside)} => ${show(item, inside)}`).join(", ")}}`;
  if (value instanceof Set) return `Set{${list(value)}}`;
  if (value instanceof Date) return `Date(${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()})`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "[promise]";
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `${value.constructor.name}[${list(value)}]`;
  if (typeof value.nodeType === "number") return `[${value.outerHTML ?? value.nodeName}]`;
  return showPlain(value, inside);
}

function showItems(array, inside) {
  return Array.from({ length: array.length }, (_, at) => (at in array ? show(array[at], inside) : "(hole)")).join(", ");
}

function showPlain(value, inside) {
  const proto = Object.getPrototypeOf(value);
  const name = proto === null ? "(no prototype) " : proto.constructor === Object || !proto.constructor ? "" : `${proto.constructor.name} `;
  if (typeof value.$$typeof === "symbol") return `<${show(value.type?.name ?? value.type)} ${show(value.key)} ${show(value.props, inside)}>`;
  const fields = Reflect.ownKeys(value).flatMap((key) => {
    const { enumerable, get, set, value: field } = Object.getOwnPropertyDescriptor(value, key);
    if (!enumerable) return [];
    return `${String(key)}: ${get || set ? "[accessor]" : show(field, inside)}`;
  });
  return `${name}{${fields.join(", ")}}`;
}
