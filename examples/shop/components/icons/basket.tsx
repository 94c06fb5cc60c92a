import { Drawing } from './drawing';

export function BasketIcon() {
  return <Drawing path="M4 10h16l-2 9H6L4 10Zm4 0 3-6m5 6-3-6" />;
}
