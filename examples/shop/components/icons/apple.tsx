import { Drawing } from './drawing';

export function AppleIcon() {
  return <Drawing path="M12 7c-3-2-7 0-7 5s4 8 7 7c3 1 7-2 7-7s-4-7-7-5V4" />;
}
