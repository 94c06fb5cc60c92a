import { Drawing } from './drawing';

export function SoapIcon() {
  return <Drawing path="M4 11h16v7H4v-7Zm4-5h0m5 1h0" />;
}
