use expect_test::{Expect, expect};

use crate::operations::snapshot::snapshot;

fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

const MOVE: &str =
    r#"{"operation": "move-method", "methods": ["p/a.py#Handler.check"], "to": "p/utils.py"}"#;

#[test]
fn st1_self_goes_if_it_is_not_used() {
    check(
        "\
//- p/__init__.py
//- p/a.py
import asyncio
import types

from .other import thing


class Handler:
    def run(self, response):
        self.check(response, thing)
        self.later(self.check)
        if response:
            self.check(
                response,
                name='x',
            )

    # Checks it.
    def check(self, response, name=None):
        \"\"\"
        Raise an error.
        \"\"\"
        if asyncio.iscoroutine(response):
            raise ValueError('''
  kept
''' % name)

    # Others.

    def later(self, callback):
        return types, callback

//- p/b.py
from p.a import Handler

Handler().later(1)


def use(handler: Handler):
    handler.check(1)

//- p/other.py
thing = 1
",
        MOVE,
        &expect![[r#"
            1 method moved out of the class, to p/utils.py
            //- p/a.py
            import types

            from .other import thing
            from .utils import check


            class Handler:
                def run(self, response):
                    check(response, thing)
                    self.later(check)
                    if response:
                        check(
                            response,
                            name='x',
                        )

                # Others.

                def later(self, callback):
                    return types, callback
            //- p/b.py
            from p.a import Handler
            from p.utils import check

            Handler().later(1)


            def use(handler: Handler):
                check(1)

            //- p/utils.py (created)
            import asyncio


            # Checks it.
            def check(response, name=None):
                """
                Raise an error.
                """
                if asyncio.iscoroutine(response):
                    raise ValueError('''
              kept
            ''' % name)
            api: p/a.py Handler.check -> check
        "#]],
    );
}

#[test]
fn st1_self_is_passed_if_it_is_used() {
    check(
        "\
//- p/__init__.py
//- p/a.py
class Handler:
    limit = 1

    def run(self):
        return self.check(2), self.child.check(3), Handler.check(self, 4)

    def check(self, number):
        return self.check(number - 1) if number > self.limit else self.run()
",
        MOVE,
        &expect![[r#"
            1 method moved out of the class, to p/utils.py
            //- p/a.py
            from p.utils import check


            class Handler:
                limit = 1

                def run(self):
                    return check(self, 2), check(self.child, 3), check(self, 4)
            //- p/utils.py (created)
            def check(handler, number):
                return check(
                    handler, number - 1
                ) if number > handler.limit else handler.run()
            api: p/a.py Handler.check -> check
        "#]],
    );
}

#[test]
fn st1_static_methods_lose_their_decorator() {
    check(
        "//- p/__init__.py\n//- p/a.py\nclass Handler:\n    @staticmethod\n    def check(x):\n        return x\n\n\nprint(Handler.check(1))\n",
        &MOVE.replace("p/utils.py", "p/a.py"),
        &expect![[r#"
            1 method moved out of the class, to p/a.py
            //- p/a.py
            class Handler:
                pass


            def check(x):
                return x


            print(check(1))
            api: p/a.py Handler.check -> check
        "#]],
    );
}

#[test]
fn st1_methods_that_need_their_class_are_refused() {
    let rows = [
        "class Handler:\n    def check(self):\n        return super().check()\n",
        "class Handler:\n    def check(self):\n        return self.__x\n",
        "class Handler:\n    X = 1\n\n    def check(self, x=X):\n        return x\n",
        "class Handler:\n    @property\n    def check(self):\n        return 1\n",
        "class Handler:\n    @classmethod\n    def check(cls):\n        return cls()\n",
        "class Handler:\n    def check(self):\n        return 1\n\n\nclass B(Handler):\n    def check(self):\n        return 2\n",
        "class Handler:\n    def check(self):\n        return self.x\n\n    def run(self):\n        return [self.check]\n",
        "class Handler:\n    def check(self):\n        return 1\n\n    def run(self):\n        check = self.check()\n        return check\n",
        "class Handler:\n    def check(self):\n        return 1\n\n    other = check\n",
    ];
    for text in rows {
        let refused = snapshot(&format!("//- p/__init__.py\n//- p/a.py\n{text}"), MOVE);
        assert!(refused.starts_with("refused"), "{text}: {refused}");
    }
}
