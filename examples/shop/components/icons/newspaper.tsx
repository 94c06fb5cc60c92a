import { Drawing } from './drawing';

export function NewspaperIcon() {
  return <Drawing path="M4 5h13v15H4V5Zm13 4h3v11h-3M7 9h7M7 13h7" />;
}
