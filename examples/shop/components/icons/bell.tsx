import { Drawing } from './drawing';

export function BellIcon() {
  return <Drawing path="M6 17h12l-2-3V9a4 4 0 0 0-8 0v5l-2 3Zm5 3h2" />;
}
