import { LetterIcon, PhoneIcon, ShopfrontIcon } from '@/components/icons';

export function Footer() {
  return (
    <footer>
      <p>
        <ShopfrontIcon /> Market Street 1
      </p>
      <p>
        <PhoneIcon /> 0316 1234
      </p>
      <p>
        <LetterIcon /> hello@corner-shop.example
      </p>
    </footer>
  );
}
