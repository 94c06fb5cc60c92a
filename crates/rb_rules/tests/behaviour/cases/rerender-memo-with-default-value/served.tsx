// mode: ssr
import { useMemo } from 'react';

type Props = { sizes?: number[]; label?: string };

export const props = [{}, { sizes: [4] }, { sizes: undefined, label: 'x' }, { sizes: [] }];

export default function Sizes({ sizes = [1, 2, 3], label = 'sizes' }: Props) {
  const sum = useMemo(() => sizes.reduce((all, one) => all + one, 0), [sizes]);
  return (
    <p title={label}>
      {sum} of {sizes.length}
    </p>
  );
}
