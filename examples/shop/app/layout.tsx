import type { ReactNode } from 'react';
import ReactGA from 'react-ga4';
import { Footer, Header } from '@/components';
import { loadSettings } from '@/lib/account.mjs';

ReactGA.initialize('G-CORNERSHOP');

export const metadata = { title: 'Corner Shop' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const settings = await loadSettings();
  return (
    <html lang="en">
      <body>
        <Header title={settings.title} />
        {children}
        <Footer />
      </body>
    </html>
  );
}
