import { Drawing } from './drawing';

export function EggIcon() {
  return <Drawing path="M12 4c3 0 6 5 6 9a6 6 0 0 1-12 0c0-4 3-9 6-9Z" />;
}
