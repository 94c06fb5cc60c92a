'use client';

import { useEffect, useState } from 'react';

export function NewsletterForm({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const [draft, setDraft] = useState(email.trim().toLowerCase());
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (sent) {
      fetch('https://letters.corner-shop.example/subscribe', { method: 'POST', body: draft });
    }
  }, [sent, draft]);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
      }}
    >
      <input value={draft} onChange={(event) => setDraft(event.target.value)} />
      <button type="submit" onClick={() => setTries(tries + 1)}>
        {tries > 1 ? 'Again' : 'Subscribe'}
      </button>
    </form>
  );
}
