//! What follows a rename beside references: documents, names of tests and files, strings.

use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

/// The operation without conditions.
fn rename(symbol: &str, to: &str) -> String {
    format!(r#"{{"operation": "rename", "symbol": "{symbol}", "to": "{to}"}}"#)
}

#[test]
fn st1_tests_and_files_named_after_it_follow_when_asked() {
    let fixture = "\
//- lib.py
def strip_all(x): return x
//- tests/test_strip_all.py
from lib import strip_all

class TestStripAll:
    def test_strip_all_of_nothing(self):
        '''Test that strip_all() strips.'''
        assert strip_all('') == ''

def helper_strip_all(): pass

def test_other(): pass

def test_strip_all(): pass

test_strip_all()
";
    check(
        fixture,
        r#"{"operation": "rename", "symbol": "lib.py#strip_all", "to": "trim", "rename_files": true}"#,
        &expect![[r#"
            `strip_all` renamed to `trim` in 2 files
            //- lib.py
            def trim(x): return x
            //- tests/test_strip_all.py (removed)
            //- tests/test_trim.py (created)
            from lib import trim

            class TestTrim:
                def test_trim_of_nothing(self):
                    '''Test that trim() strips.'''
                    assert trim('') == ''

            def helper_strip_all(): pass

            def test_other(): pass

            def test_strip_all(): pass

            test_strip_all()
            api: lib.py strip_all -> trim
            note: tests/test_strip_all.py is now tests/test_trim.py
            note: `strip_all` is public: users outside of this project have to follow. To keep the old name for them, add `strip_all = trim` at the end of lib.py
            mention: tests/test_trim.py:12: def test_strip_all(): pass
        "#]],
    );
    check(
        fixture,
        &rename("lib.py#strip_all", "trim"),
        &expect![[r#"
        `strip_all` renamed to `trim` in 2 files
        //- lib.py
        def trim(x): return x
        //- tests/test_strip_all.py
        from lib import trim

        class TestStripAll:
            def test_strip_all_of_nothing(self):
                '''Test that trim() strips.'''
                assert trim('') == ''

        def helper_strip_all(): pass

        def test_other(): pass

        def test_strip_all(): pass

        test_strip_all()
        api: lib.py strip_all -> trim
        note: `strip_all` is public: users outside of this project have to follow. To keep the old name for them, add `strip_all = trim` at the end of lib.py
        mention: tests/test_strip_all.py:3: class TestStripAll:
        mention: tests/test_strip_all.py:4: def test_strip_all_of_nothing(self):
        mention: tests/test_strip_all.py:12: def test_strip_all(): pass
    "#]],
    );
}

#[test]
fn st1_changelogs_get_a_note_when_asked() {
    check(
        "\
//- lib.py
def move_file(): pass
//- docs/releases/1.0.txt
* Fixed a crash of ``move_file()`` when moving files to another file system or
  so (:func:`~lib.move_file`).
* Nothing about moves.
",
        r#"{"operation": "rename", "symbol": "lib.py#move_file", "to": "file_move",
            "note_in_changelogs": "now changed to file_move"}"#,
        &expect![[r#"
            `move_file` renamed to `file_move` in 2 files
            //- docs/releases/1.0.txt
            * Fixed a crash of ``move_file()`` now changed to file_move when moving files
              to another file system or
              so (:func:`~lib.move_file` now changed to file_move).
            * Nothing about moves.
            //- lib.py
            def file_move(): pass
            api: lib.py move_file -> file_move
            note: `move_file` is public: users outside of this project have to follow. To keep the old name for them, add `move_file = file_move` at the end of lib.py
        "#]],
    );
}

#[test]
fn st1_documents_follow() {
    check(
        "\
//- pkg/__init__.py
from .a import parse_kv
//- pkg/a.py
'''Use :func:`parse_kv`.

    >>> parse_kv('a=b')
'''
# parse_kv() is fast
def parse_kv(x): return x
//- docs/api.rst
.. autofunction:: pkg.parse_kv

See :func:`~pkg.a.parse_kv` and ``parse_kv()``.
//- CHANGES.rst
- Added ``parse_kv``.
",
        &rename("pkg/a.py#parse_kv", "parse_pairs"),
        &expect![[r#"
            `parse_kv` renamed to `parse_pairs` in 3 files
            //- docs/api.rst
            .. autofunction:: pkg.parse_pairs

            See :func:`~pkg.a.parse_pairs` and ``parse_pairs()``.
            //- pkg/__init__.py
            from .a import parse_pairs
            //- pkg/a.py
            '''Use :func:`parse_pairs`.

                >>> parse_pairs('a=b')
            '''
            # parse_pairs() is fast
            def parse_pairs(x): return x
            api: pkg/a.py parse_kv -> parse_pairs
            api: pkg/__init__.py parse_kv -> parse_pairs
            note: `parse_kv` is public: users outside of this project have to follow. To keep the old name for them, add `parse_kv = parse_pairs` at the end of pkg/a.py
            mention: CHANGES.rst:1: - Added ``parse_kv``.
        "#]],
    );
}

#[test]
fn st1_strings_that_repeat_the_name_follow() {
    check(
        "\
//- a.py
from typing import TypeVar
from collections import namedtuple

Old = TypeVar('Old', bound=int)
Pair = namedtuple('Pair', 'a b')

def f(x: 'Old') -> Old:
    raise ValueError('no Old today')
",
        &rename("a.py#Old", "Fresh"),
        &expect![[r#"
            `Old` renamed to `Fresh` in 1 file
            //- a.py
            from typing import TypeVar
            from collections import namedtuple

            Fresh = TypeVar('Fresh', bound=int)
            Pair = namedtuple('Pair', 'a b')

            def f(x: 'Fresh') -> Fresh:
                raise ValueError('no Old today')
            api: a.py Old -> Fresh
            note: `Old` is public: users outside of this project have to follow. To keep the old name for them, add `Old = Fresh` at the end of a.py
            mention: a.py:8: raise ValueError('no Old today')
        "#]],
    );
}

#[test]
fn st1_words_that_are_parameters_stay_in_documents() {
    check(
        "\
//- a.py
def page_size(): pass

def show(page_size=1): pass
//- docs/index.rst
Pass ``page_size`` to ``show``. See :func:`a.page_size`.
",
        &rename("a.py#page_size", "size_of_page"),
        &expect![[r#"
            `page_size` renamed to `size_of_page` in 2 files
            //- a.py
            def size_of_page(): pass

            def show(page_size=1): pass
            //- docs/index.rst
            Pass ``page_size`` to ``show``. See :func:`a.size_of_page`.
            api: a.py page_size -> size_of_page
            note: `page_size` is public: users outside of this project have to follow. To keep the old name for them, add `page_size = size_of_page` at the end of a.py
            mention: docs/index.rst:1: Pass ``page_size`` to ``show``. See :func:`a.page_size`.
        "#]],
    );
}

#[test]
fn st1_a_repr_in_tests_follows() {
    check(
        "\
//- lib.py
class Node:
    def __repr__(self):
        return f'{self.__class__.__name__}()'

class Plain:
    def __repr__(self):
        return 'Plain()'
//- tests/test_lib.py
from lib import Node

def test_repr():
    assert repr(Node()) == 'Node()'
    assert repr([Node()]) == '[Node()]', 'no Node()'
    assert str(Node()) != '<Node: x>'
",
        &rename("lib.py#Node", "Leaf"),
        &expect![[r#"
            `Node` renamed to `Leaf` in 2 files
            //- lib.py
            class Leaf:
                def __repr__(self):
                    return f'{self.__class__.__name__}()'

            class Plain:
                def __repr__(self):
                    return 'Plain()'
            //- tests/test_lib.py
            from lib import Leaf

            def test_repr():
                assert repr(Leaf()) == 'Leaf()'
                assert repr([Leaf()]) == '[Leaf()]', 'no Node()'
                assert str(Leaf()) != '<Leaf: x>'
            api: lib.py Node -> Leaf
            note: `Node` is public: users outside of this project have to follow. To keep the old name for them, add `Node = Leaf` at the end of lib.py
            mention: tests/test_lib.py:5: assert repr([Node()]) == '[Node()]', 'no Node()'
        "#]],
    );
}

#[test]
fn st4_documents_of_a_name_that_templates_know_are_left() {
    let fixture = "\
//- app.py
def messages(): pass

env.globals.update(messages=messages)

//- docs/templates.rst
Call ``messages()``, which is :func:`app.messages`.
";
    check(
        fixture,
        &rename("app.py#messages", "flashed"),
        &expect![[r#"
        `messages` renamed to `flashed` in 2 files
        //- app.py
        def flashed(): pass

        env.globals.update(messages=flashed)

        //- docs/templates.rst
        Call ``messages()``, which is :func:`app.flashed`.
        api: app.py messages -> flashed
        note: `messages` is public: users outside of this project have to follow. To keep the old name for them, add `messages = flashed` at the end of app.py
        mention: docs/templates.rst:1: Call ``messages()``, which is :func:`app.messages`.
    "#]],
    );
}

#[test]
fn st1_a_renamed_test_is_not_a_mention_of_itself() {
    check(
        "\
//- tests/test_a.py
def test_mapping(): pass
",
        &rename("tests/test_a.py#test_mapping", "test_that_mapping"),
        &expect![[r#"
            `test_mapping` renamed to `test_that_mapping` in 1 file
            //- tests/test_a.py
            def test_that_mapping(): pass
        "#]],
    );
}

#[test]
fn st1_messages_of_an_exception_in_tests_follow() {
    check(
        "\
//- errors.py
class BadProtocol(Exception): pass
//- tests/test_main.py
def test_errors(output):
    assert output == ['BadProtocol: no such protocol', 'the BadProtocol: no']
",
        &rename("errors.py#BadProtocol", "WrongProtocol"),
        &expect![[r#"
            `BadProtocol` renamed to `WrongProtocol` in 2 files
            //- errors.py
            class WrongProtocol(Exception): pass
            //- tests/test_main.py
            def test_errors(output):
                assert output == ['WrongProtocol: no such protocol', 'the BadProtocol: no']
            api: errors.py BadProtocol -> WrongProtocol
            note: `BadProtocol` is public: users outside of this project have to follow. To keep the old name for them, add `BadProtocol = WrongProtocol` at the end of errors.py
        "#]],
    );
}

#[test]
fn st1_sorted_exports_and_imports_stay_sorted() {
    check(
        "\
//- shop/__init__.py
from .errors import Alpha as Alpha
from .errors import beta as beta
from .errors import Gamma as Gamma

__all__ = ['Alpha', 'beta', 'Gamma']
//- shop/errors.py
class Alpha: pass
class Gamma: pass
def beta(): pass
//- user.py
from shop import Alpha, Gamma
",
        &rename("shop/errors.py#Alpha", "Zeta"),
        &expect![[r#"
            `Alpha` renamed to `Zeta` in 3 files
            //- shop/__init__.py
            from .errors import beta as beta
            from .errors import Gamma as Gamma
            from .errors import Zeta as Zeta

            __all__ = ['beta', 'Gamma', 'Zeta']
            //- shop/errors.py
            class Zeta: pass
            class Gamma: pass
            def beta(): pass
            //- user.py
            from shop import Gamma, Zeta
            api: shop/errors.py Alpha -> Zeta
            api: shop/__init__.py Alpha -> Zeta
            note: `Alpha` is public: users outside of this project have to follow. To keep the old name for them, add `Alpha = Zeta` at the end of shop/errors.py
        "#]],
    );
}

/// The operation with an alias.
fn with_alias(symbol: &str, to: &str) -> String {
    format!(r#"{{"operation": "rename", "symbol": "{symbol}", "to": "{to}", "alias": true}}"#)
}

#[test]
fn st1_an_alias_stays_wherever_others_could_take_the_name() {
    let fixture = "\
//- shop/__init__.py
from .api import fetch, other

__all__ = ['fetch', 'other']
//- shop/api.py
from shop.client import fetch
from shop.client import other
//- shop/client.py
__all__ = ['fetch', 'other']


def fetch(url):
    return other(url)
def other(url): return url


if __name__ == '__main__':
    fetch('a')
//- shop/client.pyi
def fetch(url: str) -> str: ...
def other(url: str) -> str: ...
//- use.py
import shop

shop.fetch('a')
";
    check(
        fixture,
        &with_alias("shop/client.py#fetch", "read"),
        &expect![[r#"
        `fetch` renamed to `read` in 5 files
        //- shop/__init__.py
        from .api import fetch, other, read

        __all__ = ['fetch', 'other', 'read']
        //- shop/api.py
        from shop.client import fetch
        from shop.client import other
        from shop.client import read
        //- shop/client.py
        __all__ = ['fetch', 'other', 'read']


        def read(url):
            return other(url)


        fetch = read


        def other(url): return url


        if __name__ == '__main__':
            read('a')
        //- shop/client.pyi
        def read(url: str) -> str: ...


        fetch = read


        def other(url: str) -> str: ...
        //- use.py
        import shop

        shop.read('a')
        note: `fetch` stays as an alias of `read`
    "#]],
    );
    let method = "\
//- a.py
class Base:
    def load(self):
        return 1

    def other(self):
        return self.load()


class Child(Base):
    def load(self):
        return 2";
    check(
        method,
        &with_alias("a.py#Base.load", "read"),
        &expect![[r#"
        `Base.load` renamed to `read` in 1 file
        //- a.py
        class Base:
            def read(self):
                return 1

            load = read

            def other(self):
                return self.read()


        class Child(Base):
            def read(self):
                return 2

            load = read
        note: `load` stays as an alias of `read`
    "#]],
    );
    let constant = "//- a.py\nLIMIT = 3\nprint(LIMIT)\n";
    check(
        constant,
        &with_alias("a.py#LIMIT", "MOST"),
        &expect![[r#"
        `LIMIT` renamed to `MOST` in 1 file
        //- a.py
        MOST = 3

        LIMIT = MOST

        print(MOST)
        note: `LIMIT` stays as an alias of `MOST`
    "#]],
    );
}

#[test]
fn st1_an_alias_that_would_not_follow_is_refused() {
    let counted = "//- a.py\ncount = 0\n\ndef step():\n    global count\n    count += 1\n";
    check(
        counted,
        &with_alias("a.py#count", "total"),
        &expect![[r#"
        refused: `count` is declared in a block, or gets further values: an alias would not follow them
        suggestion: rename without an alias, and add one by hand
    "#]],
    );
    let tried = "//- a.py\ntry:\n    count = 1\nexcept ValueError:\n    pass\n";
    check(
        tried,
        &with_alias("a.py#count", "total"),
        &expect![[r#"
        refused: `count` is declared in a block, or gets further values: an alias would not follow them
        suggestion: rename without an alias, and add one by hand
    "#]],
    );
    let attribute = "//- a.py\nclass A:\n    def __init__(self):\n        self.size = 1\n";
    check(
        attribute,
        &with_alias("a.py#A.size", "length"),
        &expect![[r#"
        refused: `A.size` is not declared by `def` in the class
        suggestion: rename without an alias, and add one by hand
    "#]],
    );
}

#[test]
fn st1_tests_follow_without_their_files_when_asked() {
    check(
        "//- lib.py\ndef strip_all(x): return x\n//- tests/test_strip_all.py\nfrom lib import strip_all\n\ndef test_strip_all():\n    assert strip_all('') == ''\n",
        r#"{"operation": "rename", "symbol": "lib.py#strip_all", "to": "trim", "rename_tests": true}"#,
        &expect![[r#"
            `strip_all` renamed to `trim` in 2 files
            //- lib.py
            def trim(x): return x
            //- tests/test_strip_all.py
            from lib import trim

            def test_trim():
                assert trim('') == ''
            api: lib.py strip_all -> trim
            note: `strip_all` is public: users outside of this project have to follow. To keep the old name for them, add `strip_all = trim` at the end of lib.py
        "#]],
    );
}
