import { Drawing } from './drawing';

export function MagnifierIcon() {
  return <Drawing path="M10 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12Zm5 11 5 5" />;
}
