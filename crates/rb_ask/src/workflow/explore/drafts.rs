//! Drafts: what the model answered, or what can be said in its place.

use rb_flow::Reply;
use rb_schema::roles::Integer;
use rb_schema::roles::explorer::{self, ExplorerResponse};

use crate::answer::{Draft, DraftSection, DraftStatement};
use crate::citation::Citation;
use crate::guide::Journey;

/// The model's answer as a draft.
pub(super) fn of_response(response: ExplorerResponse) -> Draft {
    let sections = response.sections.into_iter().map(section).collect();
    Draft { sections, not_found: response.not_found }
}

/// A draft that holds nothing says what was looked for.
pub(super) fn or_nothing_found(mut draft: Draft, question: &str, journey: &Journey) -> Draft {
    if draft.sections.iter().all(|section| section.statements.is_empty()) {
        draft.not_found.extend(nothing_found(question, journey).not_found);
    }
    draft
}

fn section(section: explorer::Section) -> DraftSection {
    DraftSection {
        heading: section.heading,
        statements: section.statements.into_iter().map(statement).collect(),
    }
}

pub(super) fn statement(statement: explorer::Statement) -> DraftStatement {
    DraftStatement {
        text: statement.text,
        citations: statement.citations.into_iter().map(citation).collect(),
    }
}

fn citation(cited: explorer::Citation) -> Citation {
    // What is no number of a line is line 0, which no file has.
    let line = |Integer(number): Integer| u32::try_from(number).unwrap_or(0);
    Citation {
        path: cited.path,
        first_line: line(cited.first_line),
        last_line: line(cited.last_line),
        quote: cited.quote,
    }
}

/// That nothing was found, and what was looked for.
pub(super) fn nothing_found(question: &str, journey: &Journey) -> Draft {
    let looked = journey.looked();
    let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = format!("I couldn't find the answer to \"{question}\". {looked}");
    Draft { sections: Vec::new(), not_found: vec![sentence] }
}

/// Why the model gave no answer, for the reader.
pub(super) fn why_no_answer(reply: &Reply<ExplorerResponse>) -> String {
    match reply {
        Reply::Stopped(error) => {
            format!("The limit was reached before the model could correct its answer: {error}.")
        }
        Reply::Unusable(why) => format!("The model gave no usable answer: {why}."),
        Reply::Answer(_) => String::new(),
    }
}

/// That results had to make room, if some had to.
pub(super) fn eviction_note(evicted: &[String]) -> Option<String> {
    const MOST: usize = 5;
    let count = evicted.len();
    let results = rb_core::plural(count, "result");
    let list = rb_core::at_most(MOST, evicted.iter().cloned()).join("; ");
    (count > 0).then(|| {
        format!(
            "The exploration ran out of room: {results} had to be removed before the answer was written, so that it may miss something \
             ({list})."
        )
    })
}

#[cfg(test)]
mod tests {
    use rb_schema::Answer as _;
    use serde_json::{Value, json};

    use super::*;
    use crate::memory::SearchMade;

    fn journey() -> Journey {
        let search = SearchMade { query: "rate".to_owned(), ..SearchMade::default() };
        let (searches, files_read) = (vec![search], vec!["a.js".to_owned()]);
        Journey { files_read, searches, ..Journey::default() }
    }

    #[test]
    fn as8_a_models_answer_becomes_a_draft_with_nothing_believed() {
        let lines = |first: Value, last: Value| {
            let cited =
                json!({"path": "a.js", "first_line": first, "last_line": last, "quote": "q"});
            let statement = json!({"text": "t", "citations": [cited]});
            let answer =
                json!({"sections": [{"heading": "h", "statements": [statement]}], "not_found": []});
            let response = ExplorerResponse::read(&answer).unwrap();
            let draft = or_nothing_found(of_response(response), "?", &journey());
            assert!(draft.not_found.is_empty());
            let cited = &draft.sections[0].statements[0].citations[0];
            (cited.first_line, cited.last_line)
        };
        assert_eq!(lines(json!(3), json!(5.0)), (3, 5));
        assert_eq!(lines(json!(-3), json!(99_999_999_999_u64)), (0, 0));
    }

    #[test]
    fn as3_an_empty_answer_says_what_was_looked_for() {
        let response = ExplorerResponse::read(&json!({"sections": [], "not_found": []})).unwrap();
        let draft = or_nothing_found(of_response(response), "How is  it limited?", &journey());
        let expected = "I couldn't find the answer to \"How is it limited?\". Searched for \"rate\"; read \"a.js\".";
        assert_eq!(draft.not_found, [expected]);
    }

    #[test]
    fn as9_the_answer_says_that_results_had_to_go() {
        assert_eq!(eviction_note(&[]), None);
        let note = eviction_note(&["read_file a.js".to_owned()]).unwrap();
        assert!(note.contains("1 result had to be removed") && note.contains("a.js"), "{note}");
    }
}
