import { Drawing } from './drawing';

export function BreadIcon() {
  return <Drawing path="M5 9a3 3 0 0 1 3-3h8a3 3 0 0 1 2 5v7H6v-7a3 3 0 0 1-1-2Z" />;
}
