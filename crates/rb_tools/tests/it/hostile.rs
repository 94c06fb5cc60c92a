//! Repositories that mean harm, and files that change under the reader.

use std::path::Path;

use rb_core::fs;
use rb_testkit::Repo;
use serde_json::{Value, json};

use crate::support::Fixture;

const OUTSIDE: &str = "what lies outside";

fn hostile() -> Fixture {
    let files = Repo::unborn(
        "//- src/a.js\nexport const a = 1;\n//- out.txt -> ../outside.txt\n//- up -> ..\n\
         //- src/in.js -> a.js\n//- .env\nKEY=hunter2\n//- config/secrets.yml\nkey: hunter2\n\
         //- src/key.js\nconst key = `-----BEGIN RSA PRIVATE KEY-----\nhunter2\n`;\n\
         //- .gitignore\nignored.txt\n//- ignored.txt\nhunter2\n",
    );
    files.write("../outside.txt", OUTSIDE);
    files.write("image.bin", b"\x7fELF\0\0\0");
    files.write("latin.txt", b"na\xefve\n");
    files.write("src/odd\nname.js", "export const odd = 1;\n");
    files.commit_all("first");
    Fixture::of(files)
}

#[test]
fn as10_nothing_outside_or_behind_a_link_is_read() {
    let fixture = hostile();
    let mut session = fixture.session();
    let outside = fixture.files.beside("outside.txt").display().to_string();
    let paths = [
        "out.txt",
        "up/outside.txt",
        "src/in.js",
        "../outside.txt",
        "src/../../outside.txt",
        "/etc/passwd",
        ".git/config",
        "ignored.txt",
        &outside,
    ];
    for path in paths {
        for tool in ["read_file", "outline", "imports", "importers", "tests_of", "file_history"] {
            let error = session.error(tool, &json!({ "path": path }));
            assert!(!error.contains(OUTSIDE) && !error.contains("hunter2"), "{path}: {error}");
        }
        let folder = json!({ "folder": path });
        session.error("list_files", &folder);
    }
    let error = session.error("read_file", &json!({ "path": "out.txt" }));
    assert_eq!(
        error,
        "`out.txt` is not part of the index: a link that leads outside the repository."
    );
    assert_eq!(session.toolbox.evidence.files().count(), 0);
}

#[test]
fn as10_secrets_are_never_shown() {
    let fixture = hostile();
    let mut session = fixture.session();
    for path in [".env", "config/secrets.yml", "src/key.js"] {
        let input = json!({ "path": path, "anyway": true });
        let error = session.error("read_file", &input);
        assert!(error.contains("is not shown"), "{path}: {error}");
    }
    for (tool, input) in [
        ("search", json!({ "query": "hunter2", "limit": 30 })),
        ("search", json!({ "query": "key", "limit": 30 })),
        ("references", json!({ "name": "hunter2" })),
        ("references", json!({ "name": "key" })),
        ("overview", json!({})),
        ("list_files", json!({})),
    ] {
        let all = session.show(tool, &input);
        let answer = all.replace("\"hunter2\"", "").replace("`hunter2`", "");
        assert!(!answer.contains("hunter2"), "{tool}: {all}");
    }
    let error = session.error("outline", &json!({ "path": "src/key.js" }));
    assert!(error.contains("it holds a private key"), "{error}");
}

#[test]
fn as10_what_is_not_utf8_is_decoded_or_refused() {
    let fixture = hostile();
    let mut session = fixture.session();
    let latin = session.call("read_file", &json!({ "path": "latin.txt" })).unwrap();
    assert_eq!(
        latin.text,
        "latin.txt (1 line):\n(written in Windows-1252, shown decoded)\n    1 | naïve\n"
    );
    let error = session.error("read_file", &json!({ "path": "image.bin" }));
    assert_eq!(error, "`image.bin` cannot be read as text: binary. Go on without it.");
}

#[test]
fn as10_a_path_that_could_be_misread_is_quoted_and_read_back() {
    let fixture = hostile();
    let mut session = fixture.session();
    let list = session.call("list_files", &json!({ "folder": "src" })).unwrap();
    let quoted = r#""src/odd\nname.js""#;
    assert!(list.text.contains(quoted), "{}", list.text);
    let read = session.call("read_file", &json!({ "path": quoted })).unwrap();
    assert_eq!(read.files, ["src/odd\nname.js"]);
}

#[test]
fn as10_a_hint_is_on_one_line_whatever_folders_are_called() {
    let files = Repo::unborn("//- a.js\nexport const a = 1;\n");
    files.write("odd\nfolder/b.js", "export const b = 1;\n");
    files.commit_all("first");
    let fixture = Fixture::of(files);
    let error = fixture.session().error("list_files", &json!({ "folder": "odd folder" }));
    assert_eq!(error, r#"There is no folder `odd folder`. Did you mean `"odd\nfolder"`?"#);
}

#[test]
fn as2_a_use_that_cannot_be_shown_is_still_a_use() {
    let fixture = hostile();
    fixture.files.write("src/a.js", "export const b = 2;\n");
    let check = |input: Value, why: &str| {
        let references = fixture.session().show("references", &input);
        assert!(references.contains(&format!("not shown: {why}")), "{references}");
        for denial in ["No file of code uses", "does not hold"] {
            assert!(!references.contains(denial), "{references}");
        }
    };
    check(json!({ "name": "a" }), "it changed after it was indexed");
    check(json!({ "name": "key", "path": ".env" }), "by its name it holds secrets");
}

#[test]
fn as8_a_file_that_changed_under_the_reader_is_not_shown() {
    let fixture = hostile();
    let input = json!({ "path": "src/a.js" });
    let changed = "`src/a.js` changed while it was read. Make the same call again.";
    let place = fixture.files.root().join("src/a.js");
    fixture.files.write("src/a.js", "export const b = 2;\n");
    assert_eq!(fixture.session().error("read_file", &input), changed);
    fs::remove_file(&place).unwrap();
    assert_eq!(fixture.session().error("read_file", &input), changed);
    fs::symlink(Path::new("../../outside.txt"), &place).unwrap();
    assert_eq!(fixture.session().error("read_file", &input), changed);
    // Other tools go on without the line.
    let references = fixture.session().show("references", &json!({ "name": "a" }));
    assert!(references.contains("not shown: it changed after it was indexed"), "{references}");
    let search = fixture.session().call("search", &json!({ "query": "a" })).unwrap();
    assert!(search.shown.iter().all(|shown| shown.path != "src/a.js"));
}
