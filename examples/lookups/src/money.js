/** `123456` is `1,234.56`. */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  const [whole, part] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`;
}
