use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

const UTILS: &str = r#"{"operation": "encapsulate", "functions": ["p/a.py#send", "p/a.py#receive"], "class": "Utils"}"#;

#[test]
fn st1_functions_become_static_methods() {
    check(
        "\
//- p/__init__.py
from .a import receive, send

__all__ = ['receive', 'send', 'other']

//- p/a.py
from functools import cache

LIMIT = 1


# Sends it.
def send(data):
    \"\"\"Send.

    More.
    \"\"\"
    text = '''
kept
'''
    return receive(data) if data else send(text)


class Connection:
    def run(self):
        return send(1), list(map(receive, []))


@cache
def receive(data=LIMIT):
    return data


def other():
    pass

//- p/b.py
from p.a import other, receive, send as transmit
import p.a
import p

print(transmit(1), p.a.send(2), p.receive())

//- test_a.py
from unittest import mock

import p.a


@mock.patch('p.a.send')
@mock.patch.object(p.a, 'receive')
def test(a, b):
    from p.a import send
    send(1)
",
        UTILS,
        &expect![[r#"
            2 functions of p/a.py made static methods of `Utils`
            //- p/__init__.py
            from .a import Utils

            __all__ = ['Utils', 'other']

            //- p/a.py
            from functools import cache

            LIMIT = 1


            class Utils:
                # Sends it.
                @staticmethod
                def send(data):
                    """Send.

                    More.
                    """
                    text = '''
            kept
            '''
                    return Utils.receive(data) if data else Utils.send(text)

                @staticmethod
                @cache
                def receive(data=LIMIT):
                    return data


            class Connection:
                def run(self):
                    return Utils.send(1), list(map(Utils.receive, []))


            def other():
                pass

            //- p/b.py
            from p.a import Utils, other
            import p.a
            import p

            print(Utils.send(1), p.a.Utils.send(2), p.Utils.receive())

            //- test_a.py
            from unittest import mock

            import p.a


            @mock.patch('p.a.Utils.send')
            @mock.patch.object(p.a.Utils, 'receive')
            def test(a, b):
                from p.a import Utils
                Utils.send(1)
            api: p/a.py send -> Utils.send
            api: p/a.py receive -> Utils.receive
        "#]],
    );
}

#[test]
fn st1_files_that_use_the_module_import_the_class() {
    check(
        "\
//- p/__init__.py
//- p/a.py
def send(x):
    return x


def receive(x):
    return x

//- p/b.py
from p import a as tools, c

print(tools.send(1), c)

//- p/c.py
from . import a
import p.a

print(a.send(1), a.other, p.a.receive)
",
        UTILS,
        &expect![[r#"
            2 functions of p/a.py made static methods of `Utils`
            //- p/a.py
            class Utils:
                @staticmethod
                def send(x):
                    return x

                @staticmethod
                def receive(x):
                    return x
            //- p/b.py
            from p import c
            from p.a import Utils

            print(Utils.send(1), c)

            //- p/c.py
            from . import a
            from .a import Utils
            import p.a

            print(Utils.send(1), a.other, p.a.Utils.receive)
            api: p/a.py send -> Utils.send
            api: p/a.py receive -> Utils.receive
        "#]],
    );
}

#[test]
fn st1_the_class_stands_below_what_the_functions_need() {
    check(
        "\
//- p/a.py
def send(x):
    return x


DEFAULT = 1


def receive(x=DEFAULT):
    return x


print(send(1))
",
        UTILS,
        &expect![[r#"
            2 functions of p/a.py made static methods of `Utils`
            //- p/a.py
            DEFAULT = 1


            class Utils:
                @staticmethod
                def send(x):
                    return x

                @staticmethod
                def receive(x=DEFAULT):
                    return x


            print(Utils.send(1))
            api: p/a.py send -> Utils.send
            api: p/a.py receive -> Utils.receive
        "#]],
    );
}

#[test]
fn st1_load_order_and_clashes_are_refused() {
    let rows = [
        "def send(x):\n    return x\n\n\nX = send(1)\n\n\ndef receive(x=X):\n    return x\n",
        "def send(x):\n    return x\n\n\n@send\ndef receive(x):\n    return x\n",
        "def send(x):\n    return __x\n\n\ndef receive(x):\n    return x\n",
        "def send(x):\n    return Utils\n\n\ndef receive(x):\n    return x\n",
        "def send(x):\n    return x\n\n\ndef receive(x):\n    return x\n\n\nreceive = 1\n",
        "def send(x):\n    return x\n\n\ndef receive(x):\n    global send\n    send = x\n",
        "def send(x):\n    return x\n\n\nif send:\n    def receive(x):\n        return x\n",
    ];
    for text in rows {
        let refused = snapshot(&format!("//- p/a.py\n{text}"), UTILS);
        assert!(refused.starts_with("refused"), "{text}: {refused}");
    }
}

#[test]
fn st1_a_function_that_is_looked_up_by_its_other_name_is_refused() {
    check(
        "\
//- p/__init__.py
from .a import send as send_too

//- p/a.py
def send(): pass

def receive(): pass

//- main.py
import p

p.send_too()
getattr(p, 'send_too')()
",
        UTILS,
        &expect![[r#"
            refused: not all that names `send` is known
              main.py:4: it is looked up by its other name
            suggestion: change these places first
        "#]],
    );
}
