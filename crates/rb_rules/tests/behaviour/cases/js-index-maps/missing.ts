// mode: node
interface Topic {
  key: string;
  label: string;
}
interface Post {
  topic: string;
}

function labels(posts: Post[], topics: Topic[]) {
  const found = posts.map((post) => topics.find((topic) => post.topic === topic.key)?.label ?? 'none');
  return found;
}

export default async function main(log: (value: unknown) => void) {
  log(labels([{ topic: 'x' }, { topic: 'toString' }, { topic: '__proto__' }], [{ key: 'x', label: 'X' }]));
  log(labels([{ topic: 'x' }], []));
  log(labels([], [{ key: 'x', label: 'X' }]));
}
