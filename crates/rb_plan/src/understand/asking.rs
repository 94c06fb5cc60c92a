//! Parts of a directive that ask for an answer and not for a change: "Which files …?", "List …", "Explain …".
//!
//! Only the beginning of a part tells. "Find dead code and remove it" asks for a change, and so does "Why not use async?".

use crate::words::{Word, is_in, is_order};

/// What may stand before an order.
const BEFORE: &str = "also and but can could first help hey hi i id just kindly let like may me need now ok okay please so then to us \
    want we will would you";
/// Orders that are done with an answer.
const ASKING: &str = "describe enumerate explain summarise summarize tell";
/// As these, but they are names of things, too, or go before another order.
const MAY_ASK: &str = "count display find identify list locate print report show";
/// As these before the beginning of a question alone.
const TO_ASK: &str = "know see";
const OF_QUESTIONS: &str = "how if what where whether which who why";
/// What they stand before where they are.
const NAMED: &str = "and by call calls component components generation in inside item items method methods or page pages quer queries \
    query rendering view views virtualization";
/// What a program is to do, and not whoever is asked: "Show a spinner", "Print the path when the file is new".
const SHOWING: &str = "display print report show";
const NEW: &str = "a an";
const OCCASIONS: &str = "after as before if instead unless when whenever while";
/// "Find a way to …"
const WAYS: &str = "a+way ways a+better+way better+ways";
/// With these a question begins, whatever follows.
const QUESTIONS: &str = "what which who whose why";
/// With these only where one of the others follows.
const MAY_QUESTION: &str = "how when where";
const AFTER_THEM: &str = "are can could did do does far has have is long many might much must often should to was were would";
/// "Why not use async?", "How about removing dead code?", "What we need is …"
const PROPOSING: &str = "about dont if i is+why not we you";
/// With these begins a question only where its mark ends it.
const WITH_MARK: &str = "are did do does has have is was were";
/// What says nothing between orders.
const JOINTS: &str = "also and or then";
/// Before these what an order is about was said before.
const IMPLIED: &str = "by from into to with";
/// What stands for something that was said before.
const PRONOUNS: &str = "all each it that them these they those";

/// Does the part ask for an answer? `next`: the words of the part behind it.
pub(super) fn is_asking(part: &[Word], next: &[Word]) -> bool {
    let skipped = part.iter().take_while(|it| is_in(BEFORE, &it.text)).count();
    let texts: Vec<&str> = part[skipped..].iter().take(12).map(|it| it.text.as_str()).collect();
    let Some((&first, rest)) = texts.split_first() else { return false };
    // A word of a name: "list_templates".
    if part.get(skipped + 1).is_some_and(|it| it.token == part[skipped].token) {
        return false;
    }
    let begins = |list: &str| {
        list.split(' ')
            .any(|row| row.split('+').enumerate().all(|(at, it)| rest.get(at) == Some(&it)))
    };
    let is_should = |it: &&str| matches!(*it, "should" | "must" | "needs" | "ought");
    let ends_asking = part.last().is_some_and(|it| it.ends_question);
    let says = |it: &&str| ![JOINTS, ASKING, MAY_ASK].iter().any(|list| is_in(list, it));
    let asks = if is_in(ASKING, first) {
        rest.iter().any(says) && !is_in_file(&part[skipped + 1..])
    } else if is_in(MAY_ASK, first) {
        let is_only_named = begins(NAMED) || begins(WAYS) || rest.iter().any(is_should);
        let has_occasion = rest.iter().skip(1).any(|it| is_in(OCCASIONS, it));
        let is_of_program = is_in(SHOWING, first) && (begins(NEW) || has_occasion);
        rest.iter().any(says) && !is_only_named && !is_of_program && !goes_on(&part[skipped + 1..])
    } else if is_in(TO_ASK, first) {
        begins(OF_QUESTIONS)
    } else if is_in(QUESTIONS, first) {
        !rest.is_empty() && !begins(PROPOSING)
    } else if is_in(MAY_QUESTION, first) {
        begins(AFTER_THEM)
    } else {
        // "Do" and "is" may have been taken for what stands before an order.
        let opens = part.first().is_some_and(|it| is_in(WITH_MARK, &it.text));
        ends_asking && opens
    };
    asks && !is_about_change(next)
}

/// "Explain in src/a.js what it is for" asks for words that stand there.
fn is_in_file(rest: &[Word]) -> bool {
    let is_path = |it: &Word, next: &Word| it.token == next.token;
    matches!(rest, [to, path, more, ..] if to.text == "in" && to.token != path.token && is_path(path, more))
}

/// An order about what was asked for before it.
fn is_about_change(next: &[Word]) -> bool {
    let first = next.iter().position(|it| !is_in(BEFORE, &it.text));
    let Some(first) = first.filter(|&at| is_order(&next[at].text)) else { return false };
    let object = &next[first + 1..];
    let is_implied = object.first().is_none_or(|it| is_in(IMPLIED, &it.text));
    !is_in(MAY_ASK, &next[first].text)
        && (is_implied || object.iter().take(4).any(|it| is_in(PRONOUNS, &it.text)))
}

/// "Find dead code so that we can remove it"
fn goes_on(rest: &[Word]) -> bool {
    rest.windows(2).any(|it| is_order(&it[0].text) && is_in(PRONOUNS, &it[1].text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn rf3_a_question_is_told_from_an_order() {
        #[track_caller]
        fn check(directive: &str, expected: bool) {
            let words = words(directive);
            let end = words.iter().position(|it| it.part == 1).unwrap_or(words.len());
            assert_eq!(is_asking(&words[..end], &words[end..]), expected, "{directive}");
        }
        for asking in [
            "Explain which files use synchronous file operations",
            "Which files use synchronous file operations?",
            "which files block",
            "List all unused imports",
            "Please list the dead code",
            "Can you show me where files are read synchronously",
            "Show every waterfall",
            "Show where a file is read synchronously",
            "Report if any import is unused",
            "Find unused imports",
            "Count the synchronous calls",
            "What is dead code here?",
            "Why are there so many re-renders?",
            "How many files are read synchronously?",
            "How do I remove dead code?",
            "Where are files read synchronously",
            "Tell me which imports are unused",
            "I want to know which code is dead",
            "Do we still use readFileSync?",
            "Is there any dead code?",
            "Describe the barrels",
            "I would like to see which imports are unused",
            "Identify dead code",
            "Explain in detail which files are read synchronously",
        ] {
            check(asking, true);
        }
        for order in [
            "Find and fix waterfalls",
            "Identify and remove unused imports",
            "Identify, locate and remove dead code",
            "Identify sync file operations and replace with async ones",
            "Find dead code so that we can remove it",
            "See the README. Remove dead code",
            "Explain in src/a.js what the file is for",
            "Find dead code and remove it",
            "List unused imports, then delete them",
            "Which imports are unused? Remove them.",
            "Find a way to make file reads async",
            "Why not use async file calls?",
            "How about converting sync file operations to async?",
            "Can you convert sync file operations to async?",
            "Could you please remove dead code?",
            "What we want is async file access",
            "Where files are read synchronously, use promises",
            "List components should not re-render",
            "Let list_templates return a tuple",
            "showUser gives null for guests",
            "Show a spinner while the page loads",
            "Print the path when the file is new",
            "Report an error instead of a warning",
            "find calls in loops are slow",
            "Convert sync file operations to async",
            "async file access, please",
            "Do not use synchronous file calls",
            "Is everything async? Convert it.",
            "",
        ] {
            check(order, false);
        }
    }
}
