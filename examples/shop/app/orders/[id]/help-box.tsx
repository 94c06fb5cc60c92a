import { getHours } from '@/lib/account.mjs';

export async function HelpBox() {
  const hours = await getHours();
  return (
    <aside>
      <h2>Questions?</h2>
      {hours.map((row: { name: string; value: string }) => (
        <p key={row.name}>
          {row.name}: {row.value}
        </p>
      ))}
    </aside>
  );
}
