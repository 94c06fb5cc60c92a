import { Drawing } from './drawing';

export function CounterIcon() {
  return <Drawing path="M3 20V9h18v11M3 13h18M8 9V5h8v4" />;
}
