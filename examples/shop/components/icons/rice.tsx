import { Drawing } from './drawing';

export function RiceIcon() {
  return <Drawing path="M4 12h16a8 8 0 0 1-16 0Z" />;
}
