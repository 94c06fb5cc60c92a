//! Reading what a walk found, also when it is not that any more.

use std::fs;
use std::os::unix::fs::symlink;

use expect_test::{Expect, expect};
use rb_core::Sha256;
use rb_index::content::{self, Content, Limits};
use rb_index::walk::{FoundFile, SkipReason};
use rb_testkit::Repo;

use crate::walk::walked;
use crate::walk_hostile::make_pipe;

fn found(repo: &Repo, path: &str) -> FoundFile {
    let walk = walked(repo.root());
    let found = walk.files.iter().find(|found| found.path.to_string() == path);
    found.unwrap_or_else(|| panic!("{path} is not found")).clone()
}

/// The content, or the words of why there is none.
fn read(repo: &Repo, found: &FoundFile) -> Result<Content, String> {
    content::read(repo.root(), found, &Limits::default())
        .map_err(|unread| SkipReason::from(unread).words())
}

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes a value")]
fn check(bytes: &[u8], expected: Expect) {
    let repo = Repo::plain("");
    repo.write("file", bytes);
    let words = match read(&repo, &found(&repo, "file")) {
        Ok(content) => {
            assert_eq!(content.hash, Sha256::of(bytes));
            assert!(!content.changed);
            let Content { text, encoding, minified, .. } = &content;
            let text: String = text.chars().take(20).collect();
            format!("{text:?} {encoding:?}, {} lines, minified: {minified}", content.lines())
        }
        Err(words) => words,
    };
    expected.assert_eq(&words);
}

#[test]
fn ix1_content_is_decoded_and_told_apart() {
    check(b"a\nb", expect![[r#""a\nb" Utf8, 2 lines, minified: false"#]]);
    check(b"", expect![[r#""" Utf8, 0 lines, minified: false"#]]);
    check(b"\xef\xbb\xbfa\r\n", expect![[r#""a\r\n" Utf8Bom, 1 lines, minified: false"#]]);
    check(b"\xff\xfeh\0i\0", expect![[r#""hi" Utf16Le, 1 lines, minified: false"#]]);
    check(b"caf\xe9\n", expect![[r#""café\n" Windows1252, 1 lines, minified: false"#]]);
    check(b"\x89PNG\r\n\x1a\n\0\0", expect!["binary"]);
    check(
        &vec![b'x'; 1 << 20],
        expect![[r#""xxxxxxxxxxxxxxxxxxxx" Utf8, 1 lines, minified: true"#]],
    );
    check(
        &vec![b'\n'; 2 << 20],
        expect![[
            r#""\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n" Utf8, 2097152 lines, minified: false"#
        ]],
    );
    check(
        &vec![b'\n'; (2 << 20) + 1],
        expect!["too large: 2097153 bytes, and the limit is 2097152"],
    );
}

#[test]
fn ix1_a_huge_file_is_not_opened() {
    let repo = Repo::plain("");
    let file = fs::File::create(repo.root().join("huge")).unwrap();
    file.set_len(1 << 30).unwrap();
    let huge = found(&repo, "huge");
    assert_eq!(huge.size, 1 << 30);
    // Were it opened, it would be missed.
    fs::remove_file(repo.root().join("huge")).unwrap();
    expect!["too large: 1073741824 bytes, and the limit is 2097152"]
        .assert_eq(&read(&repo, &huge).unwrap_err());
}

#[test]
fn ix1_a_file_that_grew_over_the_limit_is_not_read_on() {
    let repo = Repo::plain("//- log\nx\n");
    let log = found(&repo, "log");
    // It begins like a text; the rest takes no room on the disk.
    repo.write("log", "x\n".repeat(5000));
    let grown = fs::File::options().write(true).open(repo.root().join("log")).unwrap();
    grown.set_len(1 << 30).unwrap();
    expect!["too large: 1073741824 bytes, and the limit is 2097152"]
        .assert_eq(&read(&repo, &log).unwrap_err());
}

#[test]
fn ix1_a_change_since_the_walk_is_seen() {
    let repo = Repo::plain("//- a\none\n//- b\none\n//- c\none\n");
    let [a, b, c] = ["a", "b", "c"].map(|name| found(&repo, name));
    repo.write("a", "two, longer\n");
    repo.write("new", "two\n");
    fs::rename(repo.root().join("new"), repo.root().join("b")).unwrap();
    fs::remove_file(repo.root().join("c")).unwrap();
    for file in [&a, &b] {
        let content = read(&repo, file).unwrap();
        assert!(content.changed && content.text.starts_with("two"), "{content:?}");
    }
    assert_eq!(read(&repo, &c).unwrap_err(), "gone while it was looked at");
}

/// The attack of SEC-001: the walk saw a file, and a link is read.
#[test]
fn ix1_sec001_a_link_put_in_after_the_walk_is_not_followed() {
    let repo = Repo::plain("//- file\nmine\n//- folder/file\nmine\n//- pipe\n");
    let outside = repo.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "secret").unwrap();
    let [file, in_folder, pipe] = ["file", "folder/file", "pipe"].map(|name| found(&repo, name));
    fs::remove_file(repo.root().join("file")).unwrap();
    symlink(outside.join("file"), repo.root().join("file")).unwrap();
    fs::rename(repo.root().join("folder"), repo.root().join("moved")).unwrap();
    symlink(&outside, repo.root().join("folder")).unwrap();
    fs::remove_file(repo.root().join("pipe")).unwrap();
    make_pipe(&repo.root().join("pipe"));
    let words = [&file, &in_folder, &pipe].map(|found| read(&repo, found).unwrap_err());
    expect![[r"
        behind a link that was put there just now
        behind a link that was put there just now
        cannot be read: it is not a plain file"]]
    .assert_eq(&words.join("\n"));
    // Nor one that stays inside: what is read must be what was found.
    fs::remove_file(repo.root().join("folder")).unwrap();
    symlink("moved", repo.root().join("folder")).unwrap();
    assert_eq!(read(&repo, &in_folder).unwrap_err(), words[1]);
}
