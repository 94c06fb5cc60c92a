/** One line of the pen, in the colour of the text around it. */
export function Drawing({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" width="1em" height="1em" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
