import { Drawing } from './drawing';

export function JamIcon() {
  return <Drawing path="M8 9h8v10H8V9Zm0-4h8v4H8V5Z" />;
}
