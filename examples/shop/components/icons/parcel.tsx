import { Drawing } from './drawing';

export function ParcelIcon() {
  return <Drawing path="M4 8l8-4 8 4v9l-8 4-8-4V8Zm0 0 8 4 8-4m-8 4v9" />;
}
