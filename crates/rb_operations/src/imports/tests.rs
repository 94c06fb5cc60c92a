//! Steps on small files, and the text that comes of them.

use expect_test::{Expect, expect};

use super::*;
use crate::testing::MemoryFiles;

/// `+ module name [alias]` adds, `t` in front of it for type checkers; `- module name` removes; `module name > module name` replaces. `_`
/// stands for no name.
fn check(text: &str, steps: &[&str], expected: &Expect) {
    let files =
        MemoryFiles::new("//- own/__init__.py\n//- own/a.py\n//- own/b.py\n//- own/sub/c.py\n");
    let mut editor = ImportEditor::new(&files, "own/file.py", text.into()).unwrap();
    for step in steps {
        apply(&mut editor, step);
    }
    expected.assert_eq(&editor.finish().unwrap().replace('\r', "<CR>"));
}

fn apply(editor: &mut ImportEditor<'_>, step: &str) {
    if let Some(rest) = step.strip_prefix("t+ ") {
        editor.add(&imported(rest), Section::TypeChecking);
    } else if let Some(rest) = step.strip_prefix("+ ") {
        editor.add(&imported(rest), Section::Top);
    } else if let Some(rest) = step.strip_prefix("- ") {
        let (import, name) = position(editor, &imported(rest));
        editor.remove(import, name);
    } else {
        let (old, new) = step.split_once(" > ").unwrap();
        let (import, name) = position(editor, &imported(old));
        editor.replace(import, name, &imported(new));
    }
}

fn position(editor: &ImportEditor<'_>, imported: &Imported) -> (usize, usize) {
    let places =
        [ImportPlace::Top, ImportPlace::TypeChecking, ImportPlace::Conditional, ImportPlace::Local];
    places.into_iter().find_map(|place| editor.find(imported, place)).unwrap()
}

fn imported(text: &str) -> Imported {
    let parts: Vec<&str> = text.split(' ').collect();
    Imported {
        module: parts[0].to_owned(),
        name: (parts[1] != "_").then(|| parts[1].to_owned()),
        alias: parts.get(2).map(|alias| (*alias).to_owned()),
    }
}

#[test]
fn st1_imports_a_name_joins_the_statement_of_its_module() {
    check(
        "from own.a import b, d\n",
        &["+ own.a c", "+ own.a a", "+ own.a d"],
        &expect![[r#"
        from own.a import a, b, c, d
    "#]],
    );
    check(
        "from own.a import z, b\n",
        &["+ own.a c"],
        &expect![[r#"
        from own.a import z, b, c
    "#]],
    );
    check(
        "from own.a import A, B_C, x\n",
        &["+ own.a b", "+ own.a B"],
        &expect![[r#"
        from own.a import A, B, B_C, b, x
    "#]],
    );
}

#[test]
fn st1_imports_lines_of_names_keep_their_form() {
    let lines = "from own.a import (\n    aaa,  # first\n    ccc,\n)\n";
    check(
        lines,
        &["+ own.a bbb", "+ own.a ddd"],
        &expect![[r#"
        from own.a import (
            aaa,  # first
            bbb,
            ccc,
            ddd,
        )
    "#]],
    );
    check(
        lines,
        &["- own.a aaa"],
        &expect![[r#"
        from own.a import (
            ccc,
        )
    "#]],
    );
    check(
        "from own.a import (aaa, bbb,\n                   ddd)\n",
        &["+ own.a ccc"],
        &expect![[r#"
        from own.a import (aaa, bbb, ccc, ddd)
    "#]],
    );
    check(
        "from own.a import (\n    aaa, bbb,\n    ddd\n)\n",
        &["- own.a bbb"],
        &expect![[r#"
        from own.a import (
            aaa, ddd
        )
    "#]],
    );
    check(
        "from own.a import aaa, \\\n    ddd\n",
        &["+ own.a ccc"],
        &expect![[r#"
        from own.a import (aaa, ccc, ddd)
    "#]],
    );
    check(
        "from own.a import (aaa,  # why\n                   ddd)\n",
        &["+ own.a ccc"],
        &expect![[r#"
        from own.a import (aaa,  # why
                           ccc, ddd)
    "#]],
    );
}

#[test]
fn st1_imports_a_line_that_gets_too_long_is_wrapped() {
    let text = "from own.a import aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc\n";
    check(
        text,
        &["+ own.a dddddddddddddddddd"],
        &expect![[r#"
        from own.a import (
            aaaaaaaaaaaaaaaaaaaa,
            bbbbbbbbbbbbbbbbbbbbbbbb,
            cccccccccccccc,
            dddddddddddddddddd,
        )
    "#]],
    );
    let wrapped = "from own.a import (aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc,\n                   ddddd)\nfrom own.b import aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc\n";
    check(
        wrapped,
        &["+ own.b dddddddddddddddddd", "- own.a aaaaaaaaaaaaaaaaaaaa"],
        &expect![[r#"
        from own.a import (bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc, ddddd)
        from own.b import (aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc,
                           dddddddddddddddddd)
    "#]],
    );
}

#[test]
fn st1_imports_groups_and_order() {
    let text = "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations\n\nimport os\nfrom collections import deque\n\nimport yaml\n\nfrom own.a import x\n\nfrom .b import y\n\n\ndef f(): ...\n";
    check(
        text,
        &["+ re _", "+ typing Any", "+ requests _", "+ own.sub.c z", "+ . a", "+ ..up u"],
        &expect![[r#"
            """Doc."""

            from __future__ import annotations

            import os
            import re
            from collections import deque
            from typing import Any

            import requests
            import yaml

            from own.a import x
            from own.sub.c import z

            from ..up import u
            from . import a
            from .b import y


            def f(): ...
        "#]],
    );
}

#[test]
fn st1_imports_first_of_their_group() {
    check(
        "",
        &["+ own.a x"],
        &expect![[r#"
        from own.a import x
    "#]],
    );
    check(
        "x = 1\n",
        &["+ os _"],
        &expect![[r#"
        import os

        x = 1
    "#]],
    );
    check(
        "\"\"\"Doc.\"\"\"\n\n\ndef f(): ...\n",
        &["+ os _"],
        &expect![[r#"
        """Doc."""

        import os


        def f(): ...
    "#]],
    );
    check(
        "#!/usr/bin/python\n# Copyright\n\nx = 1\n",
        &["+ own.a x", "+ os _"],
        &expect![[r#"
        #!/usr/bin/python
        # Copyright

        import os

        from own.a import x

        x = 1
    "#]],
    );
    check(
        "import os\n\nfrom own.a import x\n",
        &["+ yaml _"],
        &expect![[r#"
        import os

        import yaml

        from own.a import x
    "#]],
    );
    check(
        "from own.a import x\n\nX = 1\n",
        &["+ os _", "+ .b y"],
        &expect![[r#"
        import os

        from own.a import x

        from .b import y

        X = 1
    "#]],
    );
    check(
        "import os\nfrom own.a import x\nfrom .b import y\n",
        &["+ yaml _", "+ sys _"],
        &expect![[r#"
        import os
        import sys
        import yaml
        from own.a import x
        from .b import y
    "#]],
    );
}

#[test]
fn st1_imports_one_name_for_each_statement() {
    let text = "import os\nfrom functools import lru_cache\nfrom functools import wraps\n";
    check(
        text,
        &["+ functools partial", "+ os path"],
        &expect![[r#"
        import os
        from functools import lru_cache
        from functools import partial
        from functools import wraps
        from os import path
    "#]],
    );
}

#[test]
fn st1_imports_aliases_stand_alone() {
    check(
        "from own.a import x\n",
        &["+ own.a y z"],
        &expect![[r#"
        from own.a import x
        from own.a import y as z
    "#]],
    );
    check(
        "from own.a import x as w, y\n",
        &["+ own.a y z"],
        &expect![[r#"
        from own.a import x as w, y, y as z
    "#]],
    );
}

#[test]
fn st1_imports_unsorted_files() {
    let text = "import sys\nimport os\nfrom own.b import y\nfrom own.a import x\nimport re\n";
    check(
        text,
        &["+ own.sub.c z", "+ json _"],
        &expect![[r#"
        import sys
        import os
        from own.b import y
        from own.a import x
        from own.sub.c import z
        import re
        import json
    "#]],
    );
}

#[test]
fn st1_imports_removal_leaves_no_gap() {
    let text = "import os\n\nimport yaml\n\nfrom own.a import x\n\nX = 1\n";
    check(
        text,
        &["- yaml _"],
        &expect![[r#"
        import os

        from own.a import x

        X = 1
    "#]],
    );
    check(
        text,
        &["- os _"],
        &expect![[r#"
        import yaml

        from own.a import x

        X = 1
    "#]],
    );
    check(
        text,
        &["- own.a x"],
        &expect![[r#"
        import os

        import yaml

        X = 1
    "#]],
    );
    check(
        "import os\n\n\ndef f(): ...\n",
        &["- os _"],
        &expect![[r#"
        def f(): ...
    "#]],
    );
    check(
        "import os, sys\n",
        &["- os _"],
        &expect![[r#"
        import sys
    "#]],
    );
    check(
        "import os; import sys\n",
        &["- os _"],
        &expect![[r#"
        import sys
    "#]],
    );
    check(
        "import os\n\nif TYPE_CHECKING:\n    from own.a import x\n\nX = 1\n",
        &["- own.a x"],
        &expect![[r#"
        import os

        X = 1
    "#]],
    );
    check(
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n",
        &["- yaml _"],
        &expect![[r#"
        try:
            pass
        except ImportError:
            yaml = None
    "#]],
    );
    check(
        "def f():\n    import yaml\n",
        &["- yaml _"],
        &expect![[r#"
        def f():
            pass
    "#]],
    );
}

#[test]
fn st1_imports_replacement_keeps_the_order() {
    let text = "from own.a import x  # noqa\nfrom own.b import y\nfrom own.m import z\n";
    check(
        text,
        &["own.a x > own.z x"],
        &expect![[r#"
        from own.b import y
        from own.m import z
        from own.z import x  # noqa
    "#]],
    );
    check(
        text,
        &["own.b y > own.c y"],
        &expect![[r#"
        from own.a import x  # noqa
        from own.c import y
        from own.m import z
    "#]],
    );
    check(
        text,
        &["own.a x > own.b x"],
        &expect![[r#"
        from own.b import x, y
        from own.m import z
    "#]],
    );
    check(
        "from own.b import x, y\nfrom own.a import z\n",
        &["own.b x > own.c x"],
        &expect![[r#"
        from own.b import y
        from own.c import x
        from own.a import z
    "#]],
    );
    check(
        "from own.a import x, y\n",
        &["own.a x > own.a w x"],
        &expect![[r#"
        from own.a import w as x, y
    "#]],
    );
    check(
        "def f():\n    from own.a import x, y\n    return x\n",
        &["own.a x > own.b x"],
        &expect![[r#"
        def f():
            from own.a import y
            from own.b import x
            return x
    "#]],
    );
    check(
        "import own.a as o\n",
        &["own.a _ o > own.b _ o"],
        &expect![[r#"
        import own.b as o
    "#]],
    );
}

#[test]
fn st1_imports_for_type_checkers() {
    check(
        "import os\n\nX = 1\n",
        &["t+ own.a x", "t+ own.a y", "t+ os path"],
        &expect![[r#"
        import os
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from os import path

            from own.a import x, y

        X = 1
    "#]],
    );
    check(
        "import typing as t\n\n\nclass A: ...\n",
        &["t+ own.a x"],
        &expect![[r#"
        import typing as t

        if t.TYPE_CHECKING:
            from own.a import x


        class A: ...
    "#]],
    );
    let text = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import os\n\n    from own.b import y\n";
    check(
        text,
        &["t+ own.a x", "+ own.b y"],
        &expect![[r#"
        from typing import TYPE_CHECKING

        from own.b import y

        if TYPE_CHECKING:
            import os

            from own.a import x
    "#]],
    );
}

#[test]
fn st1_imports_odd_files() {
    check(
        "import os\r\nfrom own.a import x\r\n",
        &["+ own.a y", "+ sys _"],
        &expect![[r#"
            import os<CR>
            import sys<CR>
            from own.a import x, y<CR>
        "#]],
    );
    check(
        "\u{feff}import os",
        &["+ sys _", "- os _"],
        &expect![[r#"
        ﻿import sys
    "#]],
    );
    check(
        "import os\nX = 'ä'\n\ndef f():\n\timport sys\n",
        &["- sys _"],
        &expect![[r#"
        import os
        X = 'ä'

        def f():
        	pass
    "#]],
    );
}
