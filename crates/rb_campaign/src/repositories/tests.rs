use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::fs::Durability;

use super::*;

fn made(folders: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for folder in folders {
        fs::create_dir_all(&root.path().join(folder)).unwrap();
    }
    root
}

fn check(root: &tempfile::TempDir, list: &str, expected: &Expect) {
    let root = root.path().canonicalize().unwrap();
    let text = match read(list, &root) {
        Ok(found) => found.iter().fold(String::new(), |mut out, it| {
            writeln!(out, "{}: {}", it.name, it.place).unwrap();
            out
        }),
        Err(error) => format!("{error}\n"),
    };
    let text = text.replace(&root.display().to_string(), "ROOT");
    expected.assert_eq(&text.replace(root.file_name().unwrap().to_str().unwrap(), "NAME"));
}

#[test]
fn ca1_a_pattern_finds_repositories_and_nothing_below_them() {
    let root = made(&["a/.git", "b/.git", "plain", "team/a/.git", "a/inner/.git"]);
    check(
        &root,
        "*",
        &expect![[r#"
        a: ROOT/a
        b: ROOT/b
    "#]],
    );
    check(
        &root,
        "team/*",
        &expect![[r#"
        a: ROOT/team/a
    "#]],
    );
    check(
        &root,
        "**",
        &expect![[r#"
        NAME/a: ROOT/a
        b: ROOT/b
        team/a: ROOT/team/a
    "#]],
    );
    check(
        &root,
        "x*",
        &expect![[r#"
        no git repository matches `x*`
    "#]],
    );
    check(
        &root,
        "[",
        &expect![[r#"
        `[` is no pattern: error parsing glob 'ROOT/[': unclosed character class; missing ']'
    "#]],
    );
}

#[test]
fn ca1_a_list_names_folders_and_addresses() {
    let root = made(&["a/.git", "team/a/.git", "plain"]);
    let write = |text: &str| {
        fs::write(&root.path().join("list"), text.as_bytes(), Durability::Relaxed).unwrap();
    };
    write("# ours\n\na\n team/a \nhttps://example.org/x/a.git\ngit@example.org:x/b\n");
    check(
        &root,
        "list",
        &expect![[r#"
        NAME/a: ROOT/a
        team/a: ROOT/team/a
        x/a: https://example.org/x/a.git
        b: git@example.org:x/b
    "#]],
    );
    write("a\nplain\n");
    check(
        &root,
        "list",
        &expect![[r#"
        ROOT/list:2: ROOT/plain is no git repository
    "#]],
    );
    write("a\nnowhere\n");
    check(
        &root,
        "list",
        &expect![[r#"
        ROOT/list:2: ROOT/nowhere: No such file or directory (os error 2)
    "#]],
    );
    write("a\n./a\n");
    check(
        &root,
        "list",
        &expect![[r#"
        ROOT/list:2: ./a is listed twice
    "#]],
    );
    write("# none\n");
    check(
        &root,
        "list",
        &expect![[r#"
        no repository is listed in ROOT/list
    "#]],
    );
}
