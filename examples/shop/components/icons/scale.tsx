import { Drawing } from './drawing';

export function ScaleIcon() {
  return <Drawing path="M12 4v16m-6 0h12M5 7h14M5 7l-2 6h4L5 7Zm14 0-2 6h4l-2-6Z" />;
}
