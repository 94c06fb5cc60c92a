import { Drawing } from './drawing';

export function SaltIcon() {
  return <Drawing path="M9 8h6l1 12H8L9 8Zm0-4h6v4H9V4Z" />;
}
