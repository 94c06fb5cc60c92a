// Notes that hold a text, in the order in which they were written.

const WIDTH = 60;

export function search(notes, words) {
  const wanted = words.toLowerCase();
  const hits = [];
  for (const note of notes) {
    if (note.text.toLowerCase().includes(wanted)) {
      let text = note.text.replace(/\s+/g, " ").trim();
      if (text.length > WIDTH) {
        text = text.slice(0, WIDTH - 1) + "…";
      }
      hits.push({ id: note.id, excerpt: text });
    }
  }
  return hits;
}
