// mode: node
type Post = { id: string; at: number };

function useEnds(posts: Post[]) {
  const firstMax = [...posts].sort((a, b) => b.at - a.at)[0];
  const firstMin = posts.slice().sort((a, b) => a.at - b.at)[0];
  const lastMax = [...posts].sort((a, b) => a.at - b.at).at(-1);
  const lastMin = [...posts].sort((a, b) => b.at - a.at).at(-1);
  const atFirst = [...posts].sort((a, b) => a.at - b.at).at(0);
  return [firstMax, firstMin, lastMax, lastMin, atFirst].map((post) => post?.id);
}

export default async function main(log: (value: unknown) => void) {
  const posts = [
    { id: 'a', at: 2 },
    { id: 'b', at: 1 },
    { id: 'c', at: 2 },
    { id: 'd', at: 1 },
    { id: 'e', at: -0 + 1 },
  ];
  log(useEnds(posts));
  log(useEnds([posts[0]]));
  log(posts.map((post) => post.id));
}
