use expect_test::{Expect, expect, expect_file};
use proptest::prelude::*;

use super::layout::{Layout, Point, Rect};
use super::{Drawing, DrawnEdge, DrawnNode, layout, ranks};

/// A line `name: what it does` is a node, with `?` before it one that waits; below it `words -> to` are its edges, with
/// `~` before those that are limited.
fn drawing(text: &'static str) -> Drawing {
    let mut drawing = Drawing { name: "a run", nodes: Vec::new(), edges: Vec::new() };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((words, to)) = line.split_once("->") {
            let is_limited = words.starts_with('~');
            let words = words.trim_start_matches('~').trim();
            let from = drawing.nodes.last().expect("edges follow a node").name;
            let when = (!words.is_empty()).then_some(words);
            drawing.edges.push(DrawnEdge { from, to: to.trim(), when, is_limited });
        } else {
            let waits = line.starts_with('?');
            let (name, does) = line.trim_start_matches('?').split_once(": ").expect("a node");
            drawing.nodes.push(DrawnNode { name, does, waits });
        }
    }
    drawing
}

const SMALL: &str = r#"
    index: reads the files
        -> plan
    plan: makes a list of tasks
        no task is left -> report
        -> propose
    propose: asks for a change of "one" task
        there is nothing to change -> close
        -> check
    check: holds the patch against <what> it may do & not do
        ~it does not fit, and a try is left -> propose
        it does not fit -> close
        -> verify
    verify: runs the tests
        ~a test fails, and a try is left -> propose
        a test fails -> undo
        -> close
    undo: takes the change back
        -> close
    close: writes down what became of the task
        a task is left -> plan
        -> report
    ?report: shows it all, and waits for yes or no
        -> end
"#;

/// As large as a real one gets.
const LARGE: &str = r"
    preflight: looks whether the repository can be worked on
        it cannot -> stop
        -> backup
    backup: saves the repository, and reads the copy back
        -> worktree
    worktree: makes the throwaway worktree
        -> baseline
    baseline: runs every command once
        it fails and must not -> stop
        only this was asked for -> report
        -> index
    index: reads the worktree, writes what is known beside it
        -> plan
    plan: from the directive to a list of small ordered tasks
        there is nothing to do -> report
        -> confirm
    ?confirm: the plan waits for a person's word
        the person said no -> stop
        -> choose
    choose: takes the next task whose forerunners are done
        no task is left -> verify_all
        the time is spent -> verify_all
        -> prepare
    prepare: brings the worktree to the last good commit
        a formatter does it all -> format
        the proposal is there -> check
        -> pack
    pack: chooses what the model is shown
        -> propose
    propose: asks for a patch
        nothing to change -> close
        it is blocked -> recover
        -> critic
    critic: a second model reads the patch
        it objects -> recover
        -> check
    check: holds the patch against scope and budget
        it does not fit -> recover
        -> apply
    format: runs the formatter over the files
        -> commit
    apply: writes the patch into the worktree
        -> commit
    commit: makes a candidate of it
        -> audit
    audit: reads before and after and compares
        errors in its own files -> recover
        errors elsewhere -> recover
        -> verify
    verify: runs the tests that the change can touch
        tests fail -> recover
        most tests fail -> abort
        -> approve
    ?approve: a person may look at each change
        the person said no -> recover
        -> checkpoint
    checkpoint: keeps the commit
        -> close
    recover: decides what follows from a try that failed
        ~a try is left -> pack
        ~the scope can be narrowed -> prepare
        others build on it -> take_back
        the run cannot go on -> abort
        -> close
    take_back: gives up the commits that build on it
        ~it can be planned anew -> plan
        -> close
    close: writes the ledger, compares the checkout
        the checkout was touched -> abort
        -> choose
    verify_all: runs everything against the baseline
        worse than the baseline -> abort
        -> report
    abort: back to what was good
        -> report
    report: writes it all down
        nothing is left to decide -> stop
        -> decide
    ?decide: accept, keep the branch, or reject
        -> land
    land: into the checkout, or onto the branch
        -> stop
    stop: takes the worktree away
        -> end
";

/// Many in one row, and edges from the inner ones to everywhere.
const WIDE: &str = r"
    first: begins
        a -> left
        b -> middle
        c -> right
        -> far
    left: at the left
        ~once more -> first
        -> far
    middle: in the middle
        ~from the middle -> first
        straight on -> last
        -> far
    right: at the right
        this side -> right
        over there -> left
        -> last
    far: in the next row
        back to the middle -> middle
        -> last
    ?last: at the end of all that
        -> end
";

#[track_caller]
fn check(actual: &str, expected: &Expect) {
    expected.assert_eq(actual);
}

#[test]
fn rf2_a_graph_is_listed_for_a_terminal() {
    check(
        &drawing(SMALL).text(),
        &expect![[r#"
        a run

        index    reads the files
            -> plan

        plan     makes a list of tasks
            -> report  when no task is left
            -> propose  otherwise

        propose  asks for a change of "one" task
            -> close  when there is nothing to change
            -> check  otherwise

        check    holds the patch against <what> it may do & not do
            -> propose  when it does not fit, and a try is left, only so often
            -> close  when it does not fit
            -> verify  otherwise

        verify   runs the tests
            -> propose  when a test fails, and a try is left, only so often
            -> undo  when a test fails
            -> close  otherwise

        undo     takes the change back
            -> close

        close    writes down what became of the task
            -> plan  when a task is left
            -> report  otherwise

        report   shows it all, and waits for yes or no (may wait for a person)
            -> end
    "#]],
    );
}

#[test]
fn rf2_a_graph_is_a_mermaid_flowchart() {
    check(
        &drawing(SMALL).mermaid(),
        &expect![[r#"
        ---
        title: "a run"
        ---
        flowchart TD
            start((" "))
            n0["index<br/>reads the files"]
            n1["plan<br/>makes a list of tasks"]
            n2["propose<br/>asks for a change of #quot;one#quot; task"]
            n3["check<br/>holds the patch against #lt;what#gt; it may do #amp; not do"]
            n4["verify<br/>runs the tests"]
            n5["undo<br/>takes the change back"]
            n6["close<br/>writes down what became of the task"]
            n7{{"report<br/>shows it all, and waits for yes or no"}}
            finish(["end"])
            start --> n0
            n0 --> n1
            n1 -->|"no task is left"| n7
            n1 --> n2
            n2 -->|"there is nothing to change"| n6
            n2 --> n3
            n3 -.->|"it does not fit, and a try is left (only so often)"| n2
            n3 -->|"it does not fit"| n6
            n3 --> n4
            n4 -.->|"a test fails, and a try is left (only so often)"| n2
            n4 -->|"a test fails"| n5
            n4 --> n6
            n5 --> n6
            n6 -->|"a task is left"| n1
            n6 --> n7
            n7 --> finish
    "#]],
    );
}

#[test]
fn rf2_a_graph_is_a_picture() {
    expect_file!["drawings/small.svg"].assert_eq(&drawing(SMALL).svg());
    expect_file!["drawings/large.svg"].assert_eq(&drawing(LARGE).svg());
    expect_file!["drawings/wide.svg"].assert_eq(&drawing(WIDE).svg());
}

#[test]
fn rf2_a_name_that_is_a_word_of_mermaid_or_no_node_is_safe_there() {
    let drawing = drawing("end_: a #1 `b` \\ c\n a | b -> no where\n -> end");
    check(
        &drawing.mermaid(),
        &expect![[r#"
        ---
        title: "a run"
        ---
        flowchart TD
            start((" "))
            n0["end_<br/>a #35;1 #96;b#96; #92; c"]
            finish(["end"])
            start --> n0
            n0 -->|"a | b"| missing_no_where["no where"]
            n0 --> finish
    "#]],
    );
}

#[test]
fn rf2_nodes_stand_below_those_that_lead_to_them() {
    let rows = |drawing: &Drawing| {
        let ranks = ranks::of(drawing);
        let names = |row: &Vec<usize>| {
            row.iter().map(|&at| ranks.nodes[at].name).collect::<Vec<_>>().join(" ")
        };
        ranks.rows.iter().map(names).collect::<Vec<_>>().join("\n")
    };
    check(
        &rows(&drawing(SMALL)),
        &expect![[r#"
        index
        plan
        propose
        check
        verify
        undo
        close
        report
        end"#]],
    );
    check(
        &rows(&drawing(WIDE)),
        &expect![[r#"
        first
        left middle right
        far
        last
        end"#]],
    );
    // One that only a later one leads back to has a row of its own below the one before it.
    let late = "a: 1\n -> c\nb: 2\n -> c\nc: 3\n no -> b\n -> end";
    check(
        &rows(&drawing(late)),
        &expect![[r#"
        a
        b
        c
        end"#]],
    );
}

#[test]
fn rf2_an_empty_graph_is_an_empty_picture() {
    let empty = drawing("");
    assert!(empty.svg().ends_with("</svg>\n"));
    assert_eq!(empty.text(), "a run\n");
}

#[test]
fn rf2_two_edges_between_two_nodes_are_one_line_with_both_words() {
    let joins = ranks::of(&drawing("a: 1\n x -> b\n y -> b\n ~z -> b\n -> b\nb: 2\n -> end")).joins;
    let words: Vec<String> = joins.iter().map(|join| join.label.join(" ")).collect();
    assert_eq!(words, ["x, y, otherwise", "z", ""]);
}

#[test]
fn rf2_nothing_in_the_picture_lies_on_something_else() {
    for text in [SMALL, LARGE, WIDE] {
        assert_eq!(troubles(&drawing(text)), Vec::<String>::new());
    }
}

/// Words or boxes over each other, lines through boxes or words, lines to two nodes along each other.
fn troubles(drawing: &Drawing) -> Vec<String> {
    let layout = layout::of(&ranks::of(drawing));
    let mut troubles = overlaps(&layout);
    for wire in &layout.wires {
        for line in wire.points.windows(2) {
            let rect = thin(line[0], line[1]);
            let through = layout.boxes.iter().filter(|it| meet(inner(it.rect), rect));
            troubles.extend(through.map(|it| format!("a line runs through {}", it.name)));
            let across = layout.labels.iter().filter(|it| meet(inner(it.rect), rect));
            troubles.extend(across.map(|it| format!("a line runs through {:?}", it.lines)));
            let others = layout.wires.iter().filter(|other| other.to > wire.to);
            let along = others.filter(|other| {
                other.points.windows(2).any(|it| run_along((line[0], line[1]), (it[0], it[1])))
            });
            troubles.extend(along.map(|it| {
                let (a, b) = (layout.boxes[wire.to].name, layout.boxes[it.to].name);
                format!("lines to {a} and {b} run along each other")
            }));
        }
    }
    troubles
}

fn overlaps(layout: &Layout) -> Vec<String> {
    let boxes = layout.boxes.iter().map(|it| (it.rect, it.name.to_owned()));
    let labels = layout.labels.iter().map(|it| (it.rect, it.lines.join(" ")));
    let all: Vec<(Rect, String)> = boxes.chain(labels).collect();
    let mut troubles = Vec::new();
    for (at, (rect, name)) in all.iter().enumerate() {
        let others = all[at + 1..].iter().filter(|other| meet(*rect, other.0));
        troubles.extend(others.map(|other| format!("{name} lies on {}", other.1)));
        let is_inside =
            rect.left >= 0 && rect.right <= layout.width && rect.bottom <= layout.height;
        if !is_inside {
            troubles.push(format!("{name} is outside of the picture"));
        }
    }
    troubles
}

fn thin(a: Point, b: Point) -> Rect {
    Rect { left: a.x.min(b.x), top: a.y.min(b.y), right: a.x.max(b.x), bottom: a.y.max(b.y) }
}

/// Lines end at the rim.
fn inner(rect: Rect) -> Rect {
    Rect { left: rect.left + 1, top: rect.top + 1, right: rect.right - 1, bottom: rect.bottom - 1 }
}

fn meet(a: Rect, b: Rect) -> bool {
    a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

/// On one axis, side by side for more than a crossing.
fn run_along(a: (Point, Point), b: (Point, Point)) -> bool {
    let (one, other) = (thin(a.0, a.1), thin(b.0, b.1));
    let common = |from: i32, to: i32| to - from > 3;
    let upright = a.0.x == a.1.x && b.0.x == b.1.x && (a.0.x - b.0.x).abs() < 3;
    let level = a.0.y == a.1.y && b.0.y == b.1.y && (a.0.y - b.0.y).abs() < 3;
    upright && common(one.top.max(other.top), one.bottom.min(other.bottom))
        || level && common(one.left.max(other.left), one.right.min(other.right))
}

const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "end"];
const WORDS: [Option<&str>; 4] =
    [None, Some("so"), Some("somewhat longer"), Some("so long that it takes two lines or more")];

prop_compose! {
    fn any_drawing()(
        nodes in 1..11usize,
        does in prop::sample::select(vec!["", "works", "does something that takes some room"]),
        edges in prop::collection::vec((0..11usize, 0..12usize, 0..4usize, any::<bool>()), 0..30),
    ) -> Drawing {
        let names = NAMES[..nodes].iter();
        let nodes_of = names.map(|name| DrawnNode { name, does, waits: *name == "c" });
        let edges = edges.into_iter();
        let edges = edges.filter(|edge| edge.0 < nodes && (edge.1 < nodes || edge.1 == 11));
        let edges = edges.map(|(from, to, words, is_limited)| DrawnEdge {
            from: NAMES[from],
            to: NAMES[to],
            when: WORDS[words],
            is_limited,
        });
        Drawing { name: "any", nodes: nodes_of.collect(), edges: edges.collect() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn rf2_any_graph_can_be_drawn_without_a_line_through_a_box(drawing in any_drawing()) {
        prop_assert_eq!(troubles(&drawing), Vec::<String>::new());
        prop_assert_eq!(drawing.svg(), drawing.svg());
    }
}
