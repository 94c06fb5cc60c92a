import { Drawing } from './drawing';

export function HoneyIcon() {
  return <Drawing path="M7 8h10v11H7V8Zm1-3h8v3H8V5Z" />;
}
