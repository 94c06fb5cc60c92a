import { Drawing } from './drawing';

export function TeaIcon() {
  return <Drawing path="M4 9h12v5a5 5 0 0 1-10 0m10-4h3v3h-3M9 3v3" />;
}
