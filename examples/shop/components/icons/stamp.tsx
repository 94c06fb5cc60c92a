import { Drawing } from './drawing';

export function StampIcon() {
  return <Drawing path="M5 17h14v3H5v-3Zm4 0v-5a3 3 0 1 1 6 0v5" />;
}
