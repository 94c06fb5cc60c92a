//! Files before and after a change, and what goes.

use super::*;
use crate::testing::MemoryFiles;

/// The file is `own/a.py`; `others` are more files.
fn cleaned(before: &str, after: &str, others: &str) -> Option<CleanedImports> {
    let files = MemoryFiles::new(&format!("//- own/__init__.py\n//- own/a.py\n{after}{others}"));
    remove_unused_imports(&files, "own/a.py", before)
}

#[track_caller]
fn check(before: &str, after: &str, expected: &str) {
    let found = cleaned(before, after, "").map(|it| it.text.to_string());
    assert_eq!(found.as_deref().unwrap_or(after), expected);
}

#[track_caller]
fn kept(before: &str, after: &str, others: &str) {
    assert_eq!(cleaned(before, after, others), None, "{after}{others}");
}

#[test]
fn st5_an_import_whose_last_use_went_goes() {
    let before = "import os\nfrom a import b, c\n\n\ndef f():\n    return os, b, c\n";
    let after = "import os\nfrom a import b, c\n\n\ndef f():\n    return c\n";
    check(before, after, "from a import c\n\n\ndef f():\n    return c\n");
    let removed = cleaned(before, after, "").unwrap().removed;
    let removed: Vec<(&str, u32)> = removed.iter().map(|it| (&*it.name, it.line)).collect();
    assert_eq!(removed, [("os", 1), ("b", 2)]);
    // Other files may have the same word.
    let others = "//- own/b.py\nimport os\nos.getcwd()\n//- own/c.py\nfrom own import a\na.f()\n";
    assert!(cleaned(before, after, others).is_some());
    check("from a import _b\n\n_b()\n", "from a import _b\n\n1\n", "1\n");
    // A prose mention is none.
    let doc = "\"\"\"Reads the os.\"\"\"\n";
    check(
        &format!("{doc}import os\n\nos.x\n"),
        &format!("{doc}import os\n\n1\n"),
        &format!("{doc}\n1\n"),
    );
}

#[test]
fn st5_an_import_for_type_checkers_goes_with_its_last_use() {
    let head = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import B, C\n";
    let before = format!("{head}\n\ndef f(x: \"B\") -> \"C\":\n    return x\n");
    let after = format!("{head}\n\ndef f(x) -> \"C\":\n    return x\n");
    check(&before, &after, &after.replace("B, C", "C"));
}

#[test]
fn st5_an_import_that_was_unused_before_stays() {
    kept("import os\nimport re\nre.x\n", "import os\nimport re\nre.x\n1\n", "");
    kept("x = 1\n", "import os\n\nx = 1\n", "");
    kept("import os\nos.x\n", "import os\n\n\ndef f():\n    return os.x\n", "");
}

#[test]
fn st5_an_import_that_somebody_may_need_stays() {
    let before = "from b import x\nx()\n";
    for after in [
        "from b import x  # noqa\n",
        "from b import x as x\n",
        "from b import x\n__all__ = [\"x\"]\n",
        "from b import x\n__all__ = b.__all__ + []\n",
        "from b import x\nglobals()[\"x\"]\n",
        "from b import x\ny = \"x\"\n",
        "from b import x\ny = []  # type: x\n",
        "from b import x\n\n\ndef f():\n    \"\"\"Do.\n\n    >>> x()\n    \"\"\"\n",
        "try:\n    from b import x\nexcept ImportError:\n    pass\n",
        "from b import x\nx = 1\n",
    ] {
        kept(before, after, "");
    }
    kept("import a.b\na.b.c\n", "import a.b\n", "");
    kept("from __future__ import x\nx\n", "from __future__ import x\n", "");
    let after = "from b import x\n";
    kept(before, after, "//- own/c.py\nfrom own.a import x\n");
    kept(before, after, "//- own/c.py\nfrom .a import *\n");
    kept(before, after, "//- own/c.py\nfrom own import a\na.x()\n");
    kept(before, after, "//- own/c.py\nfrom own import a as m\nm.x()\n");
    kept(before, after, "//- t.py\nmock.patch(\"own.a.x\")\n");
    kept(before, after, "//- t.py\nfrom own import a\nmock.patch.object(a, \"x\")\n");
    kept(before, after, "//- pyproject.toml\n[project.scripts]\nrun = \"own.a:x\"\n");
}

#[test]
fn st5_an_import_of_a_module_that_does_something_stays() {
    let (before, after) = ("from own.b import x\nx()\n", "from own.b import x\n");
    let quiet = "//- own/b.py\n\"\"\"Doc.\"\"\"\nimport os\nx = 1\n\n\ndef f():\n    os.x()\n";
    assert!(cleaned(before, after, quiet).is_some());
    let loud = "//- own/b.py\nx = 1\nregister(x)\n";
    kept(before, after, loud);
    kept(before, after, "//- own/b.py\n@app.route\ndef x(): pass\n");
    // Another file loads it.
    assert!(cleaned(before, after, &format!("{loud}//- own/c.py\nfrom . import b\n")).is_some());
}

#[test]
fn st5_files_that_give_on_what_they_import_are_left_alone() {
    let files = MemoryFiles::new("//- own/__init__.py\nfrom b import x\n");
    let before = "from b import x\nx()\n";
    assert_eq!(remove_unused_imports(&files, "own/__init__.py", before), None);
}
