// The exports are plain: semicolons, no quotes, a head with the names of the columns.

/**
 * @param {string} text
 * @returns {Record<string, string>[]}
 */
export function parseCsv(text) {
  const [head, ...lines] = text.trim().split('\n');
  const names = head.split(';');
  return lines.map((line, at) => {
    const cells = line.split(';');
    if (cells.length !== names.length) {
      throw new Error(`line ${at + 2} has ${cells.length} cells, not ${names.length}`);
    }
    return Object.fromEntries(names.map((name, i) => [name, cells[i].trim()]));
  });
}
