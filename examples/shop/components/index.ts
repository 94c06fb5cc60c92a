// Everything that pages are made of.
export { Breadcrumbs } from './breadcrumbs';
export { BuyBox } from './buy-box';
export { CartDrawer } from './cart-drawer';
export { FilterPanel } from './filter-panel';
export { Footer } from './footer';
export { Header } from './header';
export { NewsletterForm } from './newsletter-form';
export { PriceTag } from './price-tag';
export { ProductCard } from './product-card';
export { ProductGallery } from './product-gallery';
export { QuantityPicker } from './quantity-picker';
export { ReviewList } from './review-list';
export { SalesChart } from './sales-chart';
export { SearchBox } from './search-box';
