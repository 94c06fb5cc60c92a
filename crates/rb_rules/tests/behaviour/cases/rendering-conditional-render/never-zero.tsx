// mode: ssr
export const props = [{ n: 1 }, { n: -2 }, { n: 0.5 }, { n: 7, on: false }, { n: undefined }];

export default function Badge({ n, on = true }: { n?: number; on?: boolean }) {
  return (
    <p>
      {n && <b>{n}</b>}
      {on && n && (
        <i>
          {n - 100 && 'far'}
        </i>
      )}
      {on ? n && <u /> : null}
    </p>
  );
}
