'use client';

import { useEffect, useState } from 'react';
import { Menu, ShoppingCart, User } from 'lucide-react';

function useWindowWidth() {
  const [width, setWidth] = useState(1024);
  useEffect(() => {
    const onResize = () => setWidth(window.innerWidth);
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  return width;
}

export function Header({ title }: { title: string }) {
  const width = useWindowWidth();
  const [open, setOpen] = useState(false);

  const Logo = () => <strong>Corner Shop</strong>;

  return (
    <header>
      <Logo /> <span>{title}</span>
      {width < 720 ? <Menu onClick={() => setOpen(!open)} /> : <User />}
      <ShoppingCart />
      {open && <nav>…</nav>}
    </header>
  );
}
