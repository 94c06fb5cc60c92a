use expect_test::expect;

use super::RULE;
use crate::testing::{Setup, check_doc};

#[test]
fn ru1_js_min_max_loop_doc() {
    check_doc(&RULE);
}

#[test]
fn ru1_js_min_max_loop_is_fixed() {
    Setup::new().check(
        &RULE,
        "interface Post { at: number; by: { age: number } }
export function A({ posts, sizes }: { posts: Post[]; sizes: readonly number[] }) {
  const newest = [...posts].sort((a, b) => b.at - a.at)[0];
  const youngest = posts.slice().sort((p, q) => p.by.age - q.by.age).at(0)
  const last = posts.toSorted((a, b) => a.at - b.at).at(-1);
  const small = [...sizes].sort(function (a, b) { return b - a; }).at(-1);
  return <B all={[newest, youngest, last, small]} />;
}
",
        expect![[r#"
            3:18 note: `posts` is sorted only to take the largest element; use a single pass [auto: find it in one pass]
            4:20 note: `posts` is sorted only to take the smallest element; use a single pass [auto: find it in one pass]
            5:16 note: `posts` is sorted only to take the largest element; use a single pass [auto: find it in one pass]
            6:17 note: `sizes` is sorted only to take the smallest element; use a single pass [auto: find it in one pass]
            --- auto
            interface Post { at: number; by: { age: number } }
            export function A({ posts, sizes }: { posts: Post[]; sizes: readonly number[] }) {
              const newest = posts.reduce((best, post) => (post.at > best.at ? post : best), posts[0]);
              const youngest = posts.reduce<Post | undefined>((best, post) => (best === undefined || post.by.age < best.by.age ? post : best), undefined)
              const last = posts.reduce<Post | undefined>((best, post) => (best === undefined || post.at >= best.at ? post : best), undefined);
              const small = sizes.reduce<number | undefined>((best, size) => (best === undefined || size <= best ? size : best), undefined);
              return <B all={[newest, youngest, last, small]} />;
            }

        "#]],
    );
}

#[test]
fn ru1_js_min_max_loop_is_only_said() {
    Setup::new().check(
        &RULE,
        "export function A({ posts, any }) {
  const sorted = [...posts].sort((a, b) => b.at - a.at);
  const one = Object.values(posts).sort((a, b) => a - b)[0];
  const two = any.filter(f).sort((a, b) => a.x - b.x).at(-1);
  const three = [...any].sort((a, b) => a - b)[0];
  return <B all={[sorted[0], sorted[sorted.length - 1], one, two, three]} />;
}
",
        expect![[r#"
            2:18 note: `posts` is sorted only to take the smallest and the largest element; use a single pass
            3:15 note: `Object.values(posts)` is sorted only to take the smallest element; use a single pass
            4:15 note: `any.filter(f)` is sorted only to take the largest element; use a single pass
            5:17 note: `any` is sorted only to take the smallest element; use a single pass [assist: find it in one pass] (not proved: it may not be an array)
            --- assist
            export function A({ posts, any }) {
              const sorted = [...posts].sort((a, b) => b.at - a.at);
              const one = Object.values(posts).sort((a, b) => a - b)[0];
              const two = any.filter(f).sort((a, b) => a.x - b.x).at(-1);
              const three = any.reduce((best, item) => (item < best ? item : best), any[0]);
              return <B all={[sorted[0], sorted[sorted.length - 1], one, two, three]} />;
            }

        "#]],
    );
}

#[test]
fn ru1_js_min_max_loop_proves_before_it_edits() {
    let setup = Setup::new();
    for list in [
        "[...posts].sort((a, b) => a.on - b.on)[0]",
        "[...posts].sort((a, b) => a.maybe - b.maybe)[0]",
        "[...posts].sort((a, b) => a.at /* time */ - b.at)[0]",
        "[...props.any].sort((a, b) => a.at - b.at)[0]",
        "posts.filter(Boolean).sort((a, b) => a.at - b.at)[0]",
    ] {
        let text = format!(
            "type Post = {{ at: number; maybe?: number; on: boolean }};\nfunction A(props: {{ any: any; posts: Post[] }}) {{ const posts = props.posts; return <b>{{{list}.at}}</b>; }}"
        );
        setup.no_auto(&RULE, &text);
    }
    let text = "const A = ({ xs }: { xs: number[] }) => <b>{[...xs].sort((a, b) => a - b)[0]}</b>;";
    setup
        .file("tsconfig.json", "{ \"compilerOptions\": { \"noUncheckedIndexedAccess\": true } }")
        .no_auto(&RULE, text);
}

#[test]
fn ru1_js_min_max_loop_silent() {
    let setup = Setup::new();
    for list in [
        // The order of texts, or another one.
        "[...xs].sort()[0]",
        "[...xs].sort((a, b) => a.localeCompare(b))[0]",
        "[...xs].sort(byName)[0]",
        "[...xs].sort((a, b) => a.x - b.y)[0]",
        // In place: later readers may rely on the order.
        "xs.sort((a, b) => a - b)[0]",
        // Neither end, or more than the ends.
        "[...xs].sort((a, b) => a - b)[1]",
        "[...xs].sort((a, b) => a - b)[n]",
        "[...xs].sort((a, b) => a - b).map(f)",
        // Short.
        "[3, 1, n].sort((a, b) => a - b)[0]",
    ] {
        setup.silent(&RULE, &format!("const A = ({{ xs, n }}) => <b>{{{list}}}</b>;"));
    }
    setup.silent(&RULE, "const A = ({ xs }) => { const s = [...xs].sort((a, b) => a - b); return <b>{s[0]}{s.map(f)}</b>; };");
    // The module level runs once.
    setup.silent(&RULE, "const least = [...xs].sort((a, b) => a - b)[0];");
    // Nothing shows that it runs often.
    setup.likely(&RULE, "export const least = (xs: number[]) => [...xs].sort((a, b) => a - b)[0];");
}
