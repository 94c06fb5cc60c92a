//! What a walk finds, what it leaves out, and the words for it.

use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_index::walk::{Walk, WalkError, WalkOptions, walk};
use rb_testkit::{Repo, git};

pub(crate) fn walked(root: &Path) -> Walk {
    walk(root, &WalkOptions::default(), &Cancel::new()).unwrap()
}

/// One line for each file, then what was left out.
pub(crate) fn shown(walk: &Walk) -> String {
    let mut text = String::new();
    for found in &walk.files {
        let _ = writeln!(text, "{}", found.path);
    }
    for skipped in &walk.skipped {
        let _ = writeln!(text, "- {}: {}", skipped.path, skipped.reason.words());
    }
    for ignored in &walk.ignored {
        let slash = if ignored.is_folder { "/" } else { "" };
        let _ = writeln!(text, "- {}{slash}: {}", ignored.path, ignored.by.words());
    }
    text
}

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes a value")]
fn check(fixture: &str, options: &[&str], expected: Expect) {
    let repo = Repo::plain(fixture);
    let mut globs = WalkOptions::default();
    for option in options {
        match option.split_once('=') {
            Some(("include", glob)) => globs.include.push(glob.to_owned()),
            Some(("exclude", glob)) => globs.exclude.push(glob.to_owned()),
            _ => panic!("unknown option {option}"),
        }
    }
    let walk = walk(repo.root(), &globs, &Cancel::new()).unwrap();
    expected.assert_eq(&shown(&walk));
}

#[test]
fn ix1_files_are_found_in_the_order_of_their_bytes() {
    check(
        "//- a/b.py\n//- a-b.py\n//- a.py\n//- .hidden/x\n//- B.py\n//- a/.env\n//- \u{e4}.py\n",
        &[],
        expect![[r"
            .hidden/x
            B.py
            a-b.py
            a.py
            a/.env
            a/b.py
            ä.py
        "]],
    );
}

#[test]
fn ix1_ignore_files_hold_on_all_levels() {
    check(
        "
//- .gitignore
*.log
/build
tmp/
!keep.log
//- a.log
//- keep.log
//- build/out.js
//- src/build/in.js
//- src/.gitignore
!a.log
*.gen.ts
//- src/a.log
//- src/x.gen.ts
//- src/tmp/x
//- tmp
",
        &[],
        expect![[r#"
            .gitignore
            keep.log
            src/.gitignore
            src/a.log
            src/build/in.js
            tmp
            - a.log: ignored
            - build/: ignored
            - src/tmp/: ignored
            - src/x.gen.ts: ignored
        "#]],
    );
}

#[test]
fn ix1_the_own_ignore_file_counts_before_git_s() {
    check(
        "
//- .gitignore
*.sql
secret/
//- .refactor-botignore
!schema.sql
fixtures/
//- schema.sql
//- dump.sql
//- fixtures/a.py
//- lib/fixtures/b.py
//- lib/.gitignore
schema.sql
//- lib/schema.sql
",
        &[],
        expect![[r#"
            .gitignore
            .refactor-botignore
            lib/.gitignore
            lib/schema.sql
            schema.sql
            - dump.sql: ignored
            - fixtures/: ignored by .refactor-botignore
            - lib/fixtures/: ignored by .refactor-botignore
        "#]],
    );
}

#[test]
fn ix1_globs_choose_among_what_is_not_ignored() {
    let fixture = "
//- .gitignore
dist
//- src/a.ts
//- src/b.js
//- src/c.md
//- node_modules/x/index.js
//- lib/node_modules/y.ts
//- dist/a.js
//- test/fixtures/a.ts
";
    check(
        fixture,
        &["include=**/*.ts,**/*.js", "exclude=node_modules,dist"],
        expect![[r#"
            src/a.ts
            src/b.js
            test/fixtures/a.ts
            - .gitignore: not included
            - lib/node_modules: excluded
            - node_modules: excluded
            - src/c.md: not included
            - dist/: ignored
        "#]],
    );
    check(
        fixture,
        &["include=src", "exclude=*.js", "exclude=test/fixtures"],
        expect![[r#"
            src/a.ts
            src/c.md
            - .gitignore: not included
            - lib/node_modules/y.ts: not included
            - node_modules/x/index.js: excluded
            - src/b.js: excluded
            - test/fixtures: excluded
            - dist/: ignored
        "#]],
    );
}

#[test]
fn ix1_a_bad_glob_is_an_error() {
    let repo = Repo::plain("");
    let options = WalkOptions { include: vec!["a[".to_owned()], ..WalkOptions::default() };
    let error = walk(repo.root(), &options, &Cancel::new()).unwrap_err();
    expect!["`a[` is no valid glob: unclosed character class; missing ']'"]
        .assert_eq(&error.to_string());
}

#[test]
fn ix1_reasons_are_counted() {
    let repo = Repo::plain("//- a -> nowhere\n//- b -> nothing\n//- c -> /etc\n");
    let counts: Vec<(String, u64)> = walked(repo.root()).skipped_by_reason().collect();
    let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    expect![[r"
        1 a link that leads outside the repository
        2 a link to nothing"]]
    .assert_eq(&counts.join("\n"));
}

#[test]
fn ix1_a_folder_of_a_repository_has_the_ignore_files_above_it() {
    let repo = Repo::unborn(
        "
//- .gitignore
*.log
/sub/anchored.py
/other.py
//- sub/a.py
//- sub/a.log
//- sub/anchored.py
//- sub/other.py
//- sub/deep/.gitignore
x.py
//- sub/deep/x.py
//- sub/excluded.py
",
    );
    repo.write(".git/info/exclude", "excluded.py\n");
    expect![[r#"
        a.py
        deep/.gitignore
        other.py
        - a.log: ignored
        - anchored.py: ignored
        - deep/x.py: ignored
        - excluded.py: ignored
    "#]]
    .assert_eq(&shown(&walked(&repo.root().join("sub"))));
}

#[test]
fn ix1_above_the_repository_nothing_holds() {
    let repo = Repo::plain("//- .gitignore\n*.py\n//- inner/a.py\n");
    assert_eq!(shown(&walked(&repo.root().join("inner"))), "a.py\n");
    git(&repo.root().join("inner"), &["init", "--quiet"]);
    assert_eq!(shown(&walked(&repo.root().join("inner"))), "a.py\n");
}

#[test]
fn ix1_a_worktree_has_the_excludes_of_its_repository() {
    let repo = Repo::git_repo("//- a.py\n");
    repo.write(".git/info/exclude", "local.py\n");
    let worktree = repo.beside("tree");
    repo.git(&["worktree", "add", "--quiet", &worktree.display().to_string()]);
    std::fs::write(worktree.join("local.py"), "").unwrap();
    expect![[r#"
        a.py
        - local.py: ignored
    "#]]
    .assert_eq(&shown(&walked(&worktree)));
}

#[test]
fn ix1_another_repository_inside_is_left_out() {
    let repo = Repo::git_repo("//- a.py\n//- empty/.git/x\n//- text/.git\nno\n//- text/b.py\n");
    repo.write("clone/c.py", "");
    git(&repo.root().join("clone"), &["init", "--quiet"]);
    repo.write("module/d.py", "");
    repo.write("module/.git", "gitdir: ../.git/modules/module\n");
    expect![[r"
        a.py
        text/b.py
        - clone: another git repository
        - module: another git repository
    "]]
    .assert_eq(&shown(&walked(repo.root())));
}

#[test]
fn ix1_a_root_that_is_no_folder_is_an_error() {
    let repo = Repo::plain("//- file\n");
    for name in ["file", "missing"] {
        let error = walk(&repo.root().join(name), &WalkOptions::default(), &Cancel::new());
        assert!(matches!(error, Err(WalkError::Root { .. })), "{name}: {error:?}");
    }
}

#[test]
fn ix1_a_cancelled_walk_says_so() {
    let repo = Repo::plain("//- a/b\n");
    let cancel = Cancel::new();
    cancel.cancel();
    let walk = walk(repo.root(), &WalkOptions::default(), &cancel);
    assert!(matches!(walk, Err(WalkError::Interrupted)));
}
