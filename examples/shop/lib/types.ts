export interface Product {
  id: string;
  slug: string;
  name: string;
  description: string;
  cents: number;
  purchaseCents: number;
  supplier: string;
  categoryId: string;
  image: string;
  rating: number;
  reviewCount: number;
  weightGrams: number;
  createdAt: string;
}

export interface Review {
  id: string;
  productId: string;
  author: string;
  stars: number;
  text: string;
}

export interface CartItem {
  productId: string;
  name: string;
  cents: number;
  quantity: number;
}

export interface Customer {
  id: string;
  name: string;
  email: string;
  street: string;
  city: string;
  zip: string;
  country: string;
  phone: string;
  birthday: string;
  passwordHash: string;
  newsletter: boolean;
}
