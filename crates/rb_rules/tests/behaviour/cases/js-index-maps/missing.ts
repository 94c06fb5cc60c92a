// mode: node
interface Tag {
  key: string;
  label: string;
}
interface Post {
  tag: string;
}

function labels(posts: Post[], tags: Tag[]) {
  const found = posts.map((post) => tags.find((tag) => post.tag === tag.key)?.label ?? 'none');
  return found;
}

export default async function main(log: (value: unknown) => void) {
  log(labels([{ tag: 'x' }, { tag: 'toString' }, { tag: '__proto__' }], [{ key: 'x', label: 'X' }]));
  log(labels([{ tag: 'x' }], []));
  log(labels([], [{ key: 'x', label: 'X' }]));
}
