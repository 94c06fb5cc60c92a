//! Which files an answer about the whole repository leads to.

use rb_index::architecture::{Clue, ClueKind, Pattern};

use super::*;
use crate::extract::fixture::{many_files, with_sources};

const ASIDE: &str = "//- aside/one.js\nexport const aside = 1;\n";
const USERS: &str = "\
//- ui/a.js
import { part0 } from '../lib/part0.js';
//- ui/b.js
import { part1 } from '../lib/part1.js';
";

/// Says something that cites the file.
fn cite(page: &mut Page, sources: &mut Sources<'_, '_>, path: &str) {
    let file = sources.find(path).unwrap();
    let (line, citation) = cite_file(sources, file).unwrap();
    assert!(page.say(sources, &format!("`{path}` has `{line}`."), &[citation]), "{path}");
}

fn is_important(sources: &Sources<'_, '_>, path: &str) -> bool {
    sources.is_important(sources.find(path).unwrap())
}

#[test]
fn as8_only_what_the_check_verifies_is_said() {
    with_sources(&many_files(""), |sources| {
        let file = sources.find("lib/part3.js").unwrap();
        let citation = sources.cite(file, 2, 2).unwrap();
        let mut page = Page::default();
        let cited = std::slice::from_ref(&citation);
        // The line contains the name, but not what the sentence claims about it.
        assert!(!page.say(sources, "`part3` encrypts passwords.", cited));
        assert!(!page.say(sources, "`part4` is a function.", cited));
        assert!(!page.say(sources, "`part3` is a function.", &[]));
        assert!(!page.has_statements());
        assert!(page.say(sources, "`part3` is a function.", cited));
        assert!(!page.say(sources, "`part3` is a function.", cited), "the page says it already");
    });
}

#[test]
fn as10_smart001_3_a_pattern_is_shown_by_a_file_that_is_cited_or_important() {
    with_sources(&many_files(ASIDE), |sources| {
        assert!(!is_important(sources, "aside/one.js") && !is_important(sources, "package.json"));
        assert!(is_important(sources, "lib/part3.js"));
        let clue = |kind: ClueKind, path: &str, what: &str| {
            let text = format!("{path} {what}");
            Clue { kind, path: path.to_owned(), text }
        };
        let evidence = vec![
            clue(ClueKind::File, "aside/one.js", "is there"),
            clue(ClueKind::Manifest, "package.json", "is called parts"),
            clue(ClueKind::File, "lib/part3.js", "is there"),
        ];
        let finding =
            Finding { pattern: Pattern::Library, confidence: Confidence::Likely, evidence };
        let order = |page: &Page, sources: &mut Sources<'_, '_>| -> Vec<String> {
            clues(page, sources, &finding).into_iter().map(|(_, cited)| cited.path).collect()
        };
        let mut page = Page::default();
        assert_eq!(
            order(&page, sources),
            ["lib/part3.js", "aside/one.js", "package.json"],
            "otherwise as they are"
        );
        let (text, citations) = description_line(sources).unwrap();
        assert!(page.say(sources, &text, &citations), "{text}");
        assert_eq!(order(&page, sources), ["package.json", "lib/part3.js", "aside/one.js"]);
    });
}

#[test]
fn as10_smart001_3_layers_are_shown_by_the_files_that_are_cited_or_important() {
    with_sources(&many_files(USERS), |sources| {
        assert!(!is_important(sources, "ui/a.js") && !is_important(sources, "ui/b.js"));
        let first = |page: &Page, sources: &Sources<'_, '_>| {
            let imports = layer_imports(page, sources, &["ui"], &["lib"]);
            (imports.len(), sources.path(imports[0].from).to_owned(), imports[0].strangers)
        };
        let mut page = Page::default();
        assert_eq!(first(&page, sources), (2, "ui/a.js".to_owned(), 1));
        let (upper, lower) = (["ui"], ["lib"]);
        // Nothing led a reader to either of them.
        assert!(!say_layers(&mut page, sources, &upper, &lower, Strangers::None).unwrap());
        cite(&mut page, sources, "ui/b.js");
        assert_eq!(first(&page, sources), (2, "ui/b.js".to_owned(), 0));
        assert!(say_layers(&mut page, sources, &upper, &lower, Strangers::None).unwrap());
        assert!(!page.cites("ui/a.js") && page.cites("lib/part1.js"));
    });
}
