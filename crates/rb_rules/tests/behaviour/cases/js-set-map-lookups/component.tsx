// mode: ssr
import React from 'react';

export default function Keys({ keys }: { keys: string[] }) {
  const known: string[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q'];
  return <p>{keys.map((key) => (known.includes(key) ? <b key={key}>{key}</b> : <i key={key}>{key}</i>))}</p>;
}

export const props = [{ keys: ['a', 'z', 'q', ''] }, { keys: [] }];
