// mode: ssr
'use client';
import React from 'react';

export default function Names({ names }: { names: string[] }) {
  const isWord = /^\w+$/;
  return (
    <ul title={isWord.test(names[0]) ? 'word' : 'text'}>
      {names.map((name: string, index) => (
        <li key={index}>{isWord.test(name) ? name : name.replace(/\W+(\w)/, (_, first) => first.toUpperCase())}</li>
      ))}
    </ul>
  );
}

export const props = [{ names: ['a', 'b c', 'd', 'e - f g', ''] }, { names: ['x y'] }];
