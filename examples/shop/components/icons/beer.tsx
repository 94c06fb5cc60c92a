import { Drawing } from './drawing';

export function BeerIcon() {
  return <Drawing path="M6 6h9v14H6V6Zm9 3h3v7h-3" />;
}
