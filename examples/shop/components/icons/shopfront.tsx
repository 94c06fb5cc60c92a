import { Drawing } from './drawing';

export function ShopfrontIcon() {
  return <Drawing path="M4 10v10h16V10M3 10l2-6h14l2 6H3Zm7 10v-6h4v6" />;
}
