//! On any tree with any ignore files, a walk finds what git would list.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rb_testkit::Repo;

use crate::walk::walked;

/// Names that patterns made of the same letters often meet.
fn name() -> impl Strategy<Value = String> {
    select(vec![
        "a", "b", "ab", "a.b", "b.a", "aa", "c", "a b", "[a]", "{a,b}", "#a", "!a", "a ", "\u{e9}",
    ])
    .prop_map(str::to_owned)
}

/// One component of a pattern.
fn component() -> impl Strategy<Value = String> {
    let token = select(vec![
        "a",
        "b",
        "c",
        ".",
        "*",
        "?",
        "[ab]",
        "[!a]",
        "[^b-c]",
        "[]a]",
        "[[:alpha:]]",
        "\\a",
        "\\*",
        "\\[",
        "[",
        "{a,b}",
        " ",
        "\\ ",
        "\u{e9}",
    ]);
    prop_oneof![
        4 => name(),
        // Two stars beside a letter are left out: git's manual says that they are like one, git itself differs.
        3 => vec(token, 1..4).prop_map(|tokens| tokens.concat().replace("**", "*")),
        1 => Just("**".to_owned()),
        1 => Just("*".to_owned()),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let ends = (select(vec!["", "", "", "!", "/", "!/"]), select(vec!["", "", "/", " ", "\r"]));
    let pattern = (ends, vec(component(), 1..4))
        .prop_map(|((start, end), components)| format!("{start}{}{end}", components.join("/")));
    prop_oneof![
        12 => pattern,
        1 => select(vec!["", "# a", "/", "!", "\\#a", "\\!a", "a\\", "**/", "/**", "!*/"]).prop_map(str::to_owned),
    ]
}

#[derive(Debug, Clone)]
enum Node {
    File,
    Link,
    Ignore(Vec<String>),
}

fn tree() -> impl Strategy<Value = Vec<(Vec<String>, Node)>> {
    let node = prop_oneof![
        8 => Just(Node::File),
        1 => Just(Node::Link),
        3 => vec(line(), 1..6).prop_map(Node::Ignore),
    ];
    vec((vec(name(), 0..4), node), 1..40)
}

/// Puts a node where it can be: a file may already stand where a folder should.
fn put(root: &Path, place: &[String], node: &Node) {
    let path = place.iter().fold(root.to_path_buf(), |path, name| path.join(name));
    match node {
        Node::Ignore(lines) => {
            if fs::create_dir_all(&path).is_ok() {
                fs::write(path.join(".gitignore"), lines.join("\n")).unwrap();
            }
        }
        Node::File | Node::Link => {
            let free = path.symlink_metadata().is_err()
                && fs::create_dir_all(path.parent().unwrap()).is_ok();
            if free && matches!(node, Node::File) {
                fs::write(&path, "").unwrap();
            } else if free {
                symlink("nowhere", &path).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn ix1_a_walk_finds_what_git_lists(tree in tree(), exclude in vec(line(), 0..3)) {
        let repo = Repo::unborn("");
        for (place, node) in &tree {
            put(repo.root(), place, node);
        }
        repo.write(".git/info/exclude", exclude.join("\n"));
        let listed = repo.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed: BTreeSet<&str> = listed.split_terminator('\0').collect();
        let walk = walked(repo.root());
        let names = |paths: Vec<&[u8]>| -> BTreeSet<String> {
            paths.into_iter().map(|path| String::from_utf8(path.to_vec()).unwrap()).collect()
        };
        let files = names(walk.files.iter().map(|found| found.path.as_bytes()).collect());
        let skipped = names(walk.skipped.iter().map(|skipped| skipped.path.as_bytes()).collect());
        let ours: BTreeSet<&str> = files.iter().chain(&skipped).map(String::as_str).collect();
        prop_assert_eq!(ours, listed);
        for link in &skipped {
            prop_assert!(repo.root().join(link).is_symlink());
        }
    }
}
