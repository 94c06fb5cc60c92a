import { Drawing } from './drawing';

export function CheeseIcon() {
  return <Drawing path="M3 16 13 6c4 0 7 3 8 7v5H3v-2Z" />;
}
