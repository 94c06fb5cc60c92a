// Notes as lines of text.

const WIDTH = 40;

export function line(note) {
  const mark = note.done ? "x" : " ";
  let text = note.text.replace(/\s+/g, " ").trim();
  if (text.length > WIDTH) {
    text = text.slice(0, WIDTH - 1) + "…";
  }
  const tags = note.tags.map((tag) => ` #${tag}`).join("");
  return `[${mark}] ${note.id}: ${text}${tags}`;
}

export function summary(notes) {
  const open = notes.filter((note) => !note.done).length;
  return [...notes.map(line), `${open} open, ${notes.length - open} done`].join("\n");
}
