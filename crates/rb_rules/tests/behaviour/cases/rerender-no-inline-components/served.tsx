// mode: ssr
const LABEL = 'name';

export const props = [{ names: ['a', 'b'] }, { names: [] }];

/** A list. */
export default function List({ names }: { names: string[] }) {
  function Name({ value }: { value: string }) {
    return (
      <li title={LABEL}>
        {value}
      </li>
    );
  }
  return <ul>{names.map((name) => <Name key={name} value={name} />)}</ul>;
}
