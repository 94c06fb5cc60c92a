import { Drawing } from './drawing';

export function LetterIcon() {
  return <Drawing path="M3 6h18v12H3V6Zm0 0 9 7 9-7" />;
}
