import { Drawing } from './drawing';

export function WineIcon() {
  return <Drawing path="M8 4h8l-1 6a3 3 0 0 1-6 0L8 4Zm4 9v7m-3 0h6" />;
}
