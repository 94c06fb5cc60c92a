import { Drawing } from './drawing';

export function PenIcon() {
  return <Drawing path="M4 20l1-4L16 5l3 3L8 19l-4 1Z" />;
}
