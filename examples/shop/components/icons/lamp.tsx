import { Drawing } from './drawing';

export function LampIcon() {
  return <Drawing path="M8 4h8l3 8H5l3-8Zm4 8v8m-4 0h8" />;
}
