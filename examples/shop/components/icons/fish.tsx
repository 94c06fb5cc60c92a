import { Drawing } from './drawing';

export function FishIcon() {
  return <Drawing path="M3 12c4-6 10-6 14 0-4 6-10 6-14 0Zm14 0 4-3v6l-4-3Z" />;
}
