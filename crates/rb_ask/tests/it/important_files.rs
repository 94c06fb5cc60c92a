//! Answers about the whole repository lead to the files that matter (S2: more than 70% of the reads).

use std::fmt::Write as _;

use rb_ask::Answer;
use rb_ask::extract::{self, IMPORTANT};
use rb_tools::Toolbox;

use crate::extract_world::{EXPRESS, World, cited_files, shown};

/// A manifest with five programs, `lib/main.js`, and the `parts` that it imports.
fn machine(parts: usize) -> String {
    let mut files = String::from("//- package.json\n{\n  \"name\": \"machine\",\n  \"bin\": {\n");
    for n in 0..5 {
        let comma = if n < 4 { "," } else { "" };
        let _ = writeln!(files, "    \"start{n}\": \"bin/start{n}.js\"{comma}");
    }
    files.push_str("  }\n}\n");
    for n in 0..5 {
        let _ = writeln!(files, "//- bin/start{n}.js\nfunction start{n}() {{}}");
    }
    files.push_str("//- lib/main.js\n");
    for n in 0..parts {
        let _ = writeln!(files, "import {{ part{n} }} from './part{n}.js';");
    }
    files.push_str("export function assemble() {}\n");
    for n in 0..parts {
        let _ = writeln!(files, "//- lib/part{n}.js\n// Number {n} of the parts.");
        let _ = writeln!(files, "export function part{n}(given) {{");
        let _ = writeln!(files, "  const sum = given + {n};\n  return sum;\n}}");
    }
    files
}

/// The files that a section cites, in the order of their first citation.
fn files_of(answer: &Answer, heading: &str) -> Vec<String> {
    let section = answer.sections.iter().find(|section| section.heading == heading);
    let section = section.unwrap_or_else(|| panic!("no {heading}: {}", shown(answer)));
    cited_files(&Answer { sections: vec![section.clone()], ..answer.clone() })
}

#[test]
fn as10_smart001_3_the_main_parts_are_the_important_files() {
    let world = World::new(&machine(19));
    let answer = world.answer("What are the main parts of the code?");
    assert_eq!(answer.sections[0].heading, "The main parts", "{}", shown(&answer));
    let files = files_of(&answer, "The main parts");
    assert_eq!(files.len(), 12, "{files:?}");
    assert!(files.iter().all(|path| world.rank(path) < IMPORTANT), "{files:?}");
}

#[test]
fn as10_smart001_3_files_below_the_important_ones_are_no_main_parts() {
    // Tests that are long matter more than files of one line that nothing uses.
    let mut files = machine(4);
    for n in 0..18 {
        let _ = writeln!(files, "//- test/long{n}.test.js");
        for line in 0..120 {
            let _ = writeln!(files, "check({n}, {line});");
        }
    }
    for n in 0..10 {
        let _ = writeln!(files, "//- lib/extra{n}.js\nexport function extra{n}() {{}}");
    }
    let world = World::new(&files);
    assert!(world.rank("lib/extra9.js") >= IMPORTANT);
    let files = files_of(&world.answer("What are the main modules?"), "The main parts");
    assert!(files.iter().all(|path| world.rank(path) < IMPORTANT), "{files:?}");
    assert!(files.contains(&"lib/part0.js".to_owned()), "{files:?}");
}

#[test]
fn as10_smart001_3_twelve_files_are_to_be_read_first() {
    let answer = World::new(&machine(19)).answer("Which files should I read first?");
    assert_eq!(cited_files(&answer).len(), 12, "{}", shown(&answer));
}

#[test]
fn as10_smart001_3_further_entry_points_are_named_only_if_they_are_important() {
    let world = World::new(&machine(19));
    let is_aside = |path: &&String| world.rank(path) >= IMPORTANT;
    let starts: Vec<String> = (0..5).map(|n| format!("bin/start{n}.js")).collect();
    assert!(starts.iter().filter(is_aside).count() > 3, "the fixture is about these");
    for question in ["Where does the program start?", "What is this?", "How is it organised?"] {
        let files = files_of(&world.answer(question), "Where it starts");
        let named: Vec<&String> = files.iter().filter(|path| starts.contains(path)).collect();
        assert!(named.len() >= 2, "{question}: the first two, whatever their rank: {files:?}");
        assert!(named[2..].iter().all(|path| !is_aside(path)), "{question}: {files:?}");
    }
}

#[test]
fn as10_smart001_3_an_overview_cites_the_command_of_the_tests_before_a_test() {
    let world = World::new(EXPRESS);
    let files = files_of(&world.answer("What is this?"), "How it is tested");
    assert_eq!(files, ["package.json"], "it was cited for the description");
    // Without such a command a test is named.
    let world = World::new(&EXPRESS.replace("\"test\": \"mocha test\"", "\"dev\": \"mocha\""));
    let files = files_of(&world.answer("What is this?"), "How it is tested");
    assert_eq!(files[0], "test/application.test.js");
}

#[test]
fn as10_smart001_3_a_model_begins_with_the_important_files_if_it_is_asked_about_everything() {
    const OTHERS: &str = "\
//- README.rst
Machine
=======

It is made of parts.
//- aside/words.js
// The structure of the code: how it is organised.
export function organised() {}
";
    let world = World::new(&(machine(19) + OTHERS));
    let seeded = |question: &str| -> Vec<String> {
        let mut toolbox = Toolbox::default();
        extract::seed(world.on(), &mut toolbox, question, 6_000).unwrap();
        toolbox.evidence.files().map(|(path, _)| path.to_owned()).collect()
    };
    let files = seeded("How is the code organised?");
    assert!(files.contains(&"README.rst".to_owned()), "{files:?}");
    assert!(files.contains(&"lib/part0.js".to_owned()), "{files:?}");
    assert!(!files.contains(&"aside/words.js".to_owned()), "a chance hit: {files:?}");
    let files = seeded("What does `organised` do?");
    assert!(files.contains(&"aside/words.js".to_owned()), "{files:?}");
}
