import { Drawing } from './drawing';

export function MilkIcon() {
  return <Drawing path="M8 9l2-5h4l2 5v11H8V9Z" />;
}
