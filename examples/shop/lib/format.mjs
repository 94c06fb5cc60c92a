export function formatCents(cents) {
  return `€ ${(cents / 100).toFixed(2)}`;
}

export function slugify(text) {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export function titleCase(text) {
  return text.replace(/\b\w/g, (letter) => letter.toUpperCase());
}
