//! When to stop: calls that go round in circles, find nothing new, or keep failing.
//!
//! The limit of calls and exact repeats are counted where the calls are made (`rb_flow::ask`).

use super::call_record::CallRecord;

/// Why no further call helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// Two calls in turns.
    Alternating,
    /// The last calls showed no new line and no new file, and said nothing new.
    NothingNew,
    /// The last calls of a tool failed, were held back or repeated an earlier one.
    Failing { tool: String },
}

/// Calls that are looked at for two that take turns.
const TURNS: usize = 6;
/// The last of them that must have found nothing: reading two long files in turns is slow, but gets on.
const TURNS_IN_VAIN: usize = 4;
const IN_VAIN: usize = 5;
const FAILURES: usize = 3;

/// Looks at the calls so far, plans left out.
pub(crate) fn stuck(calls: &[CallRecord]) -> Option<Stuck> {
    let last = |count: usize| calls.len().checked_sub(count).map(|from| &calls[from..]);
    let in_vain = |calls: &[CallRecord]| calls.iter().all(|call| !call.is_news());
    if let Some(tool) = failing(calls) {
        return Some(Stuck::Failing { tool: tool.to_owned() });
    }
    if last(TURNS).is_some_and(takes_turns) && last(TURNS_IN_VAIN).is_some_and(in_vain) {
        return Some(Stuck::Alternating);
    }
    last(IN_VAIN).is_some_and(in_vain).then_some(Stuck::NothingNew)
}

/// A-B-A-B-A-B.
fn takes_turns(calls: &[CallRecord]) -> bool {
    let differs = calls.windows(2).all(|pair| pair[0].target() != pair[1].target());
    let returns = calls.windows(3).all(|three| three[0].target() == three[2].target());
    differs && returns
}

/// The tool of the last call, if it failed the last times that it was called.
fn failing(calls: &[CallRecord]) -> Option<&str> {
    let tool = calls.last()?.tool.as_str();
    let same = calls.iter().rev().filter(|call| call.tool == tool);
    let failures = same.take(FAILURES).take_while(|call| call.failed).count();
    (failures == FAILURES).then_some(tool)
}

impl Stuck {
    /// The advice for the model. `searched` and `read` are its own arguments.
    pub(crate) fn sentence(&self, searched: &[String], read: &[String]) -> String {
        let why = match self {
            Stuck::Alternating => "You are making the same two calls in turns.".to_owned(),
            Stuck::NothingNew => format!("The last {IN_VAIN} calls found nothing new."),
            Stuck::Failing { tool } => {
                format!("The last {FAILURES} calls of `{tool}` gave no result.")
            }
        };
        let looked = looked(searched, read);
        format!(
            "{why} {looked} If that does not answer the question, say \"I couldn't find …\" in \"not_found\", with what you looked for."
        )
    }
}

/// What was looked for and looked at, in a sentence or none.
pub(super) fn looked(searched: &[String], read: &[String]) -> String {
    const MOST: usize = 8;
    let list = |items: &[String]| -> String {
        let shown: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
        rb_core::at_most(MOST, shown.into_iter()).join(", ")
    };
    match (searched.is_empty(), read.is_empty()) {
        (true, true) => "Nothing was searched or read.".to_owned(),
        (false, true) => format!("Searched for {}; read nothing.", list(searched)),
        (true, false) => format!("Searched for nothing; read {}.", list(read)),
        (false, false) => format!("Searched for {}; read {}.", list(searched), list(read)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A call in short: `r` reads, `s` searches; the letter after it is what; `+` found something, `-` nothing, `!` failed.
    fn calls(short: &str) -> Vec<CallRecord> {
        let call = |text: &str| {
            let tool = if text.starts_with('r') { "read_file" } else { "search" };
            let input = json!({ "path": text[1..2] });
            CallRecord {
                new_lines: usize::from(text.ends_with('+')),
                failed: text.ends_with('!'),
                ..CallRecord::new(1, tool, &input)
            }
        };
        short.split_whitespace().map(call).collect()
    }

    #[test]
    fn as3_a_model_that_is_stuck_is_noticed() {
        let check = |short: &str, expected: Option<Stuck>| {
            assert_eq!(stuck(&calls(short)), expected, "{short}");
        };
        let failing = |tool: &str| Some(Stuck::Failing { tool: tool.to_owned() });
        check("", None);
        check("ra+ sb+ rc+ sd+ re+ sf+", None);
        // Nothing new in five calls.
        check("ra- sb- rc- sd-", None);
        check("ra- sb- rc- sd- re-", Some(Stuck::NothingNew));
        check("ra+ sb- rc- sd- re- rf-", Some(Stuck::NothingNew));
        check("ra- sb- rc+ sd- re- rf- sg-", None);
        // Two in turns.
        check("ra+ sb+ ra- sb- ra- sb-", Some(Stuck::Alternating));
        check("ra+ sb+ ra+ sb- ra- sb-", None);
        check("ra+ sb+ ra+ sb+ ra+ sb+", None);
        check("ra+ rb+ rc- sb- ra- sb-", None);
        check("ra+ ra+ ra- ra- ra- ra-", None);
        // One tool that fails.
        check("ra! rb!", None);
        check("ra! rb! rc!", failing("read_file"));
        check("sa! rb! rc! rd!", failing("read_file"));
        check("ra! sb+ rc! sd+ re!", failing("read_file"));
        check("ra! rb+ rc! rd!", None);
        check("ra! rb! rc! sd+", None);
    }

    #[test]
    fn as3_the_model_is_told_to_say_what_it_could_not_find() {
        let sentence = Stuck::NothingNew.sentence(&["a b".to_owned()], &["x.js".to_owned()]);
        assert_eq!(
            sentence,
            "The last 5 calls found nothing new. Searched for \"a b\"; read \"x.js\". If that does not answer the question, say \"I \
             couldn't find …\" in \"not_found\", with what you looked for."
        );
        let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        assert!(looked(&many, &[]).contains("and 12 more"));
        assert_eq!(looked(&[], &[]), "Nothing was searched or read.");
    }
}
