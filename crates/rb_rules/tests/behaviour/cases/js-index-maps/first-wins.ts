// mode: node
type User = { id: string; name: string };
type Order = { no: number; userId: string };

export function join(orders: Order[], users: User[]) {
  return orders.map((order) => ({ ...order, user: users.find((user) => user.id === order.userId) }));
}

export default async function main(log: (value: unknown) => void) {
  const users = [
    { id: 'a', name: 'first' },
    { id: 'a', name: 'second' },
    { id: 'b', name: 'other' },
    { id: '', name: 'nobody' },
  ];
  const joined = join([{ no: 1, userId: 'a' }, { no: 2, userId: 'b' }, { no: 3, userId: '' }], users);
  log(joined);
  log(joined.map((it) => users.findIndex((user) => user === it.user)));
}
