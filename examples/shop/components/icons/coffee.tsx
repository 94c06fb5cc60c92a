import { Drawing } from './drawing';

export function CoffeeIcon() {
  return <Drawing path="M5 9h11v7a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V9Zm11 2h3v4h-3" />;
}
