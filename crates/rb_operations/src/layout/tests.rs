//! Blocks that are cut out of small files, and put into them.

use expect_test::{Expect, expect};

use super::*;

fn parse(text: &str) -> Source {
    Source::parse("a.py", text.into()).unwrap()
}

/// Cuts the statements with these indexes.
fn check_cut(text: &str, indexes: &[usize], expected: &Expect) {
    let source = parse(text);
    let ranges: Vec<TextRange> =
        indexes.iter().map(|index| block(&source, *index).unwrap().range).collect();
    let result = rb_core::edit::apply(text, &cut(text, &ranges)).unwrap();
    expected.assert_eq(&result.replace('\r', "<CR>"));
}

fn check_insertion(text: &str, before: usize, kind: BlockKind, expected: &Expect) {
    let source = parse(text);
    let text_of = match kind {
        BlockKind::Definition => "def new():\n    pass\n",
        _ => "NEW = 1\n",
    };
    let piece = Piece { text: text_of.to_owned(), kind, gap: None };
    let edit = insertion(&source, before, &[piece]);
    expected.assert_eq(&rb_core::edit::apply(text, &[edit]).unwrap());
}

#[test]
fn st1_layout_a_block_has_its_comments_and_decorators() {
    let text = "import os\n\n# apart\n\n# about f\n@decorated\ndef f():\n    pass  # end\n    # inside\n\n\nX = 1\n";
    check_cut(
        text,
        &[1],
        &expect![[r#"
        import os

        # apart


        X = 1
    "#]],
    );
    check_cut(
        "# Copyright\nX = 1\nY = 2\n",
        &[0],
        &expect![[r#"
        # Copyright
        Y = 2
    "#]],
    );
    check_cut(
        "# about x\nX = 1\nY = 2\n",
        &[0],
        &expect![[r#"
        Y = 2
    "#]],
    );
}

#[test]
fn st1_layout_gaps_after_a_cut() {
    let text = "import os\n\nA = 1\nB = 2\nC = 3\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n";
    check_cut(
        text,
        &[1],
        &expect![[r#"
        import os

        B = 2
        C = 3


        def f():
            pass


        def g():
            pass
    "#]],
    );
    check_cut(
        text,
        &[3],
        &expect![[r#"
        import os

        A = 1
        B = 2


        def f():
            pass


        def g():
            pass
    "#]],
    );
    check_cut(
        text,
        &[4],
        &expect![[r#"
        import os

        A = 1
        B = 2
        C = 3


        def g():
            pass
    "#]],
    );
    check_cut(
        text,
        &[5],
        &expect![[r#"
        import os

        A = 1
        B = 2
        C = 3


        def f():
            pass
    "#]],
    );
    check_cut(
        text,
        &[4, 5],
        &expect![[r#"
        import os

        A = 1
        B = 2
        C = 3
    "#]],
    );
    check_cut(text, &[0, 1, 2, 3, 4, 5], &expect![[""]]);
    check_cut(
        "A = 1\r\n\r\n\r\ndef f():\r\n    pass\r\n",
        &[1],
        &expect![[r#"
            A = 1<CR>
        "#]],
    );
    check_cut(
        "A = 1\n\n\ndef f(): pass",
        &[1],
        &expect![[r#"
        A = 1
    "#]],
    );
}

#[test]
fn st1_layout_a_statement_that_shares_its_line_is_no_block() {
    assert_eq!(block(&parse("a = 1; b = 2\n"), 0), None);
    assert_eq!(block(&parse("a = 1; b = 2\n"), 1), None);
}

#[test]
fn st1_layout_insertion_has_the_gaps_that_it_needs() {
    let text =
        "import os\n\nA = 1\n\n\ndef f():\n    pass\n\n\nif __name__ == \"__main__\":\n    f()\n";
    check_insertion(
        text,
        3,
        BlockKind::Definition,
        &expect![[r#"
        import os

        A = 1


        def f():
            pass


        def new():
            pass


        if __name__ == "__main__":
            f()
    "#]],
    );
    check_insertion(
        text,
        2,
        BlockKind::Constant,
        &expect![[r#"
        import os

        A = 1

        NEW = 1


        def f():
            pass


        if __name__ == "__main__":
            f()
    "#]],
    );
    check_insertion(
        text,
        1,
        BlockKind::Definition,
        &expect![[r#"
        import os


        def new():
            pass


        A = 1


        def f():
            pass


        if __name__ == "__main__":
            f()
    "#]],
    );
    check_insertion(
        "",
        0,
        BlockKind::Definition,
        &expect![[r#"
        def new():
            pass
    "#]],
    );
    check_insertion(
        "A = 1",
        1,
        BlockKind::Definition,
        &expect![[r#"
        A = 1


        def new():
            pass
    "#]],
    );
    check_insertion(
        "# head\n",
        0,
        BlockKind::Constant,
        &expect![[r#"
        # head

        NEW = 1
    "#]],
    );
    check_insertion(
        "A = 1\n\n# the end\n",
        1,
        BlockKind::Definition,
        &expect![[r#"
        A = 1

        # the end


        def new():
            pass
    "#]],
    );
    assert_eq!(main_guard(&parse(text)), Some(3));
}

#[test]
fn st1_layout_licence_is_a_comment_at_the_head() {
    assert_eq!(licence("#!/bin/sh\n# Copyright me\n\nx = 1\n"), Some("#!/bin/sh\n# Copyright me"));
    assert_eq!(licence("# about x\nx = 1\n"), None);
}
