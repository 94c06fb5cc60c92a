//! Ids are the same in every run and of one test alone.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_reports::{Format, read, read_many};

use crate::{root, show};

/// The ids of `JUnit` cases with these files and names, in `/repo`.
fn check(cases: &[(&str, &str)], expected: &Expect) {
    let mut xml = String::from("<testsuite>");
    for (file, name) in cases {
        let escape =
            |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let _ = write!(xml, "<testcase file=\"{}\" name=\"{}\"/>", escape(file), escape(name));
    }
    xml += "</testsuite>";
    let report = read(Format::JunitXml, xml.as_bytes(), root()).expect("well-formed");
    let ids: Vec<_> = report.tests.iter().map(|test| test.id.to_string()).collect();
    expected.assert_eq(&ids.join("\n"));
}

#[test]
fn ve4_an_id_has_no_absolute_path() {
    let cases = [
        ("/repo/a/b.py", "inside"),
        ("file:///repo/a/b.mjs", "a url"),
        ("./a/c.py", "dotted"),
        ("/elsewhere/home/d.py", "outside"),
        ("a\\e.cs", "of Windows"),
        ("", "names /repo/data/x.json itself"),
    ];
    check(
        &cases,
        &expect![[r#"
        a/b.mjs › a url
        a/b.py › inside
        a/c.py › dotted
        a/e.cs › of Windows
        d.py › outside
        names data/x.json itself"#]],
    );
}

#[test]
fn ve4_an_id_has_nothing_that_a_run_draws_anew() {
    let cases = [
        ("", "at 0x7f6303eb4a50 and 0x12"),
        ("", "[1] com.demo.Foo@5e9f23b4, x@example.com"),
        ("", "for 123e4567-e89b-42d3-a456-426614174000"),
        ("", "a\nline"),
        ("", "dead beef 1234567890abcdef"),
    ];
    check(
        &cases,
        &expect![[r#"
        [1] com.demo.Foo@…, x@example.com
        a line
        at 0x… and 0x12
        dead beef 1234567890abcdef
        for …"#]],
    );
}

#[test]
fn ve4_equal_ids_are_numbered_in_their_order() {
    let cases = [("", "same"), ("", "same #2"), ("", "same"), ("", "same"), ("", "")];
    check(
        &cases,
        &expect![[r#"
        (no name)
        same
        same #2
        same #3
        same #4"#]],
    );
}

#[test]
fn ve4_a_class_enters_the_id_unless_the_name_says_it() {
    let xml = r#"<testsuite name="s">
<testcase classname="a" name="banana"/>
<testcase classname="b" name="banana"/>
<testcase classname="adds" name="math adds"/>
<testcase classname="s" name="s"/>
</testsuite>"#;
    let report = read(Format::JunitXml, xml.as_bytes(), root()).expect("well-formed");
    expect![[r#"
        Passed, PerTest: 4 passed, 0 failed, 0 skipped
        ok   s › a › banana
        ok   s › b › banana
        ok   s › math adds
        ok   s › s
    "#]]
    .assert_eq(&show(&report));
}

/// Titles of routes begin like paths.
#[test]
fn ve4_a_title_with_a_slash_is_no_file() {
    let xml = r#"<testsuite name="/api/users">
<testcase name="/ answers"><failure message="500"/></testcase>
<testcase name="/users"><failure message="500"/></testcase>
<testcase name="/repo/broken.test.js"><failure message="cannot load"/></testcase>
</testsuite>"#;
    let report = read(Format::JunitXml, xml.as_bytes(), root()).expect("well-formed");
    expect![[r#"
        Failed, PerTest: 0 passed, 2 failed, 0 skipped
        FAIL /api/users › / answers  -- 500
        FAIL /api/users › /users  -- 500
        !! broken.test.js: cannot load
    "#]]
    .assert_eq(&show(&report));
}

#[test]
fn ve4_a_long_name_is_cut() {
    let xml = format!("<testsuite><testcase name=\"{}\"/></testsuite>", "ö".repeat(100_000));
    let report = read(Format::JunitXml, xml.as_bytes(), root()).expect("well-formed");
    let id = report.tests[0].id.as_str();
    assert!(id.len() <= 1024 && id.ends_with("ö…"), "{} bytes", id.len());
}

#[test]
fn ve2_a_suite_a_file_is_one_report() {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let files = [
        file(
            "TEST-b.xml",
            r#"<testsuite name="demo.B"><testcase classname="demo.B" name="x"/></testsuite>"#,
        ),
        file(
            "TEST-a.xml",
            r#"<testsuite name="demo.A"><testcase classname="demo.A" name="x"/></testsuite>"#,
        ),
        file(
            "TEST-again.xml",
            r#"<testsuite name="demo.A"><testcase classname="demo.A" name="x"/></testsuite>"#,
        ),
        file(
            "TEST-cut.xml",
            r#"<testsuite name="demo.C"><testcase classname="demo.C" name="x"/><testc"#,
        ),
        file("TEST-empty.xml", ""),
    ];
    let report = read_many(Format::JunitXml, &files, root()).expect("read");
    expect![[r#"
        Failed, PerTest: 4 passed, 0 failed, 0 skipped
        ok   demo.A › x
        ok   demo.A › x #2
        ok   demo.B › x
        ok   demo.C › x
        !! TEST-cut.xml: the report breaks off: syntax error: tag not closed: `>` not
        !! TEST-empty.xml: a report that cannot be read: no junit-xml report was found 
    "#]]
    .assert_eq(&show(&report));
}
