import Link from 'next/link';

export function Breadcrumbs({ trail }: { trail: string[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <Link href="/">Home</Link>
      {trail.map((part) => (
        <span key={part}> / {part}</span>
      ))}
    </nav>
  );
}
