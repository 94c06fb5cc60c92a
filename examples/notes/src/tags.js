// Which tags there are, and how often each is used.

export function countTags(notes) {
  const counts = Object.create(null);
  for (const note of notes) {
    for (const tag of note.tags) {
      if (counts[tag] === undefined) {
        counts[tag] = 0;
      }
      counts[tag] += 1;
    }
  }
  const result = [];
  for (const tag of Object.keys(counts)) {
    result.push({ tag, count: counts[tag] });
  }
  return result.sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag));
}

export function withTag(notes, tag) {
  return notes.filter((note) => note.tags.includes(tag));
}
