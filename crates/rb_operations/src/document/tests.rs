//! Documents before and after; `-` and `+` are edited lines, `~` mentions.

use expect_test::{Expect, expect};

use super::*;
use crate::testing::MemoryFiles;

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes values")]
fn check(fixture: &str, query: DocumentQuery, expected: Expect) {
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let found = documents(&project, &query);
    let mut lines = Vec::new();
    for (path, edits) in &found.edits {
        let before = &files.files[path];
        let after = rb_core::edit::apply(before, edits).unwrap();
        for (old, new) in before.lines().zip(after.lines()).filter(|(old, new)| old != new) {
            lines.push(format!("{path}\n- {old}\n+ {new}\n"));
        }
    }
    let mentions = found.mentions.iter();
    lines.extend(mentions.map(|one| format!("~ {}:{} {}\n", one.path, one.line, one.text)));
    expected.assert_eq(&lines.concat());
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect()
}

#[test]
fn st4_documents_follow_a_module() {
    check(
        "//- docs/a.rst
See a.b and a.b.c, not xa.b, a.bc, x.a.b or a/b.
.. automodule:: a.b
   :members:
:mod:`~a.b` https://docs.org/en/a.b.html and `a.b <https://docs.org/a.b>`_
The file ``a/b.py``, ./a/b.py, x/a/b.py; a/b.pyc.
The end of a sentence: a.b.
//- setup.cfg
console = a.b:main
[a.b]
//- pyproject.toml
\"a/b.py\" = [\"E501\"]
//- CHANGES.md
Fixed a.b.
//- poetry.lock
a.b
//- a/b.py
\"\"\"Use a.b here.\"\"\"
x = 'a.b'  # see a.b and a/b.py
open('a/b.py')
//- image.svg
a.b
",
        DocumentQuery {
            dotted: pairs(&[("a.b", "a.new")]),
            files: pairs(&[("a/b.py", "a/new.py")]),
            names: Vec::new(),
        },
        expect![[r#"
            a/b.py
            - """Use a.b here."""
            + """Use a.new here."""
            a/b.py
            - x = 'a.b'  # see a.b and a/b.py
            + x = 'a.b'  # see a.new and a/new.py
            a/b.py
            - open('a/b.py')
            + open('a/new.py')
            docs/a.rst
            - See a.b and a.b.c, not xa.b, a.bc, x.a.b or a/b.
            + See a.new and a.new.c, not xa.b, a.bc, x.a.b or a/b.
            docs/a.rst
            - .. automodule:: a.b
            + .. automodule:: a.new
            docs/a.rst
            - :mod:`~a.b` https://docs.org/en/a.b.html and `a.b <https://docs.org/a.b>`_
            + :mod:`~a.new` https://docs.org/en/a.b.html and `a.new <https://docs.org/a.b>`_
            docs/a.rst
            - The file ``a/b.py``, ./a/b.py, x/a/b.py; a/b.pyc.
            + The file ``a/new.py``, ./a/new.py, x/a/b.py; a/b.pyc.
            docs/a.rst
            - The end of a sentence: a.b.
            + The end of a sentence: a.new.
            pyproject.toml
            - "a/b.py" = ["E501"]
            + "a/new.py" = ["E501"]
            setup.cfg
            - console = a.b:main
            + console = a.new:main
            setup.cfg
            - [a.b]
            + [a.new]
            ~ CHANGES.md:1 Fixed a.b.
        "#]],
    );
}

#[test]
fn st4_documents_follow_a_symbol() {
    check(
        "//- a.py
def parse_kv():
    \"\"\"Call `parse_kv`, parse_kv in prose, or :func:`a.parse_kv`.

    >>> parse_kv(1)
    2
    Example::

        parse_kv(x)
        x.parse_kv(y); f(parse_kv=1)
        def parse_kv(): pass
    Not code: parse_kv.
    \"\"\"
    # parse_kv is fast, `parse_kv` too
//- docs/a.rst
``parse_kv`` and :func:`parse_kv` and :func:`.parse_kv` and `parse_kv`_ and ``x.parse_kv``.
.. function:: parse_kv(text)
   The text of parse_kv.

.. code-block:: python
   :emphasize-lines: 1

   parse_kv()
//- docs/b.md
`parse_kv()` is here:
```python
parse_kv(1)
```
parse_kv
//- docs/c.yml
name: parse_kv
entry: a:parse_kv
//- HISTORY.txt
Renamed `parse_kv`.
",
        DocumentQuery {
            dotted: pairs(&[("a.parse_kv", "a.parse_pairs")]),
            names: pairs(&[("parse_kv", "parse_pairs")]),
            files: Vec::new(),
        },
        expect![[r#"
            a.py
            -     """Call `parse_kv`, parse_kv in prose, or :func:`a.parse_kv`.
            +     """Call `parse_pairs`, parse_pairs in prose, or :func:`a.parse_pairs`.
            a.py
            -     >>> parse_kv(1)
            +     >>> parse_pairs(1)
            a.py
            -         parse_kv(x)
            +         parse_pairs(x)
            a.py
            -     Not code: parse_kv.
            +     Not code: parse_pairs.
            a.py
            -     # parse_kv is fast, `parse_kv` too
            +     # parse_pairs is fast, `parse_pairs` too
            docs/a.rst
            - ``parse_kv`` and :func:`parse_kv` and :func:`.parse_kv` and `parse_kv`_ and ``x.parse_kv``.
            + ``parse_pairs`` and :func:`parse_pairs` and :func:`.parse_pairs` and `parse_kv`_ and ``x.parse_kv``.
            docs/a.rst
            - .. function:: parse_kv(text)
            + .. function:: parse_pairs(text)
            docs/a.rst
            -    parse_kv()
            +    parse_pairs()
            docs/b.md
            - `parse_kv()` is here:
            + `parse_pairs()` is here:
            docs/b.md
            - parse_kv(1)
            + parse_pairs(1)
            docs/c.yml
            - entry: a:parse_kv
            + entry: a:parse_pairs
            ~ HISTORY.txt:1 Renamed `parse_kv`.
            ~ a.py:9 x.parse_kv(y); f(parse_kv=1)
            ~ a.py:10 def parse_kv(): pass
            ~ docs/a.rst:1 ``parse_kv`` and :func:`parse_kv` and :func:`.parse_kv` and `parse_kv`_ and ``x.parse_kv``.
            ~ docs/a.rst:3 The text of parse_kv.
            ~ docs/b.md:5 parse_kv
            ~ docs/c.yml:1 name: parse_kv
        "#]],
    );
}

#[test]
fn st4_documents_do_not_guess_between_symbols() {
    let docs = "//- docs/a.rst\n``unify`` and a.unify, unify us.\n";
    let query = || DocumentQuery {
        dotted: pairs(&[("a.unify", "a.unite")]),
        names: pairs(&[("unify", "unite")]),
        files: Vec::new(),
    };
    check(
        &format!("//- a.py\ndef unify(): pass\n{docs}"),
        query(),
        expect![[r#"
            docs/a.rst
            - ``unify`` and a.unify, unify us.
            + ``unite`` and a.unite, unify us.
        "#]],
    );
    check(
        &format!(
            "//- a.py\ndef unify(): pass\n//- b.py\nclass C:\n    def unify(self): pass\n{docs}"
        ),
        query(),
        expect![[r#"
            docs/a.rst
            - ``unify`` and a.unify, unify us.
            + ``unify`` and a.unite, unify us.
            ~ docs/a.rst:1 ``unify`` and a.unify, unify us.
        "#]],
    );
    check(
        &format!("//- a.py\ndef unify(): pass\n//- unify.py\n{docs}"),
        query(),
        expect![[r#"
            docs/a.rst
            - ``unify`` and a.unify, unify us.
            + ``unify`` and a.unite, unify us.
            ~ docs/a.rst:1 ``unify`` and a.unify, unify us.
        "#]],
    );
    check(
        &format!("//- a.py\ndef unify(): pass\n//- tests/t.py\ndef unify(): pass\n{docs}"),
        query(),
        expect![[r#"
            docs/a.rst
            - ``unify`` and a.unify, unify us.
            + ``unite`` and a.unite, unify us.
        "#]],
    );
}

#[test]
fn st4_documents_follow_a_member() {
    check(
        "//- a.py
class C:
    def go(self): pass
class D(C):
    def go(self): pass
class E:
    def go(self): pass
//- docs/a.rst
:meth:`C.go` and ``go`` and ``E.go`` and ``x.C.go`` and C.go().
",
        DocumentQuery { names: pairs(&[("C.go", "C.run")]), ..DocumentQuery::default() },
        expect![[r#"
            docs/a.rst
            - :meth:`C.go` and ``go`` and ``E.go`` and ``x.C.go`` and C.go().
            + :meth:`C.run` and ``go`` and ``E.go`` and ``x.C.go`` and C.run().
        "#]],
    );
}

#[test]
fn st4_documents_of_odd_files() {
    let mut files = MemoryFiles::new("//- broken.py\ndef (: # a.b\n//- empty.md\n");
    let text =
        "\u{feff}``parse_kv`` ä ``\r\nä``ä parse_kv`` `parse_kv\r\n.. function::\r\n.. ::\r\n```";
    files.files.insert("a.rst".to_owned(), text.into());
    let query = DocumentQuery {
        dotted: pairs(&[("a.b", "c.d"), ("", "")]),
        names: pairs(&[("parse_kv", "parse_pairs"), ("", "x")]),
        files: pairs(&[]),
    };
    let project = Project::new(&files);
    let found = documents(&project, &query);
    let after = rb_core::edit::apply(text, &found.edits["a.rst"]).unwrap();
    assert_eq!(
        after,
        text.replace("``parse_kv", "``parse_pairs").replace("ä parse_kv", "ä parse_pairs")
    );
    assert_eq!(found.mentions.len(), 1);
}

#[test]
fn st4_changelogs_by_their_path() {
    for (path, expected) in [
        ("CHANGES.rst", true),
        ("Changelog", true),
        ("docs/history/whatsnew-5.0.rst", true),
        ("docs/releases/4.2.txt", true),
        ("docs/en/docs/release-notes.md", true),
        ("changelogs/fragments/1.yml", true),
        ("NEWS", true),
        ("docs/news.py", false),
        ("docs/changing.rst", false),
        ("docs/howto/release.txt", false),
    ] {
        assert_eq!(is_changelog(path), expected, "{path}");
    }
}
