import { Drawing } from './drawing';

export function CandleIcon() {
  return <Drawing path="M9 10h6v10H9V10Zm3-2V5" />;
}
