//! What a question asks for, by its words: a table of phrases, tried in order.
//!
//! A question about the repository as a whole ("what is this") has no words left besides those that ask; every other question
//! has a subject. A question that fits nothing asks how something works.

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What the repository is.
    Overview,
    /// Where the program starts.
    Entry,
    /// How the code is organised.
    Structure,
    /// What its main parts are.
    Parts,
    /// What to read first.
    Reading,
    /// How to run, build or test it.
    Setup,
    /// How something, or everything, is tested.
    Tests,
    /// Who uses something.
    Users,
    /// When something last changed.
    History,
    /// Where something is.
    Where,
    /// What something is.
    What,
    /// How something works, what happens when.
    Flow,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) kind: Kind,
    /// What it is asked about, as the question spells it; empty for the repository as a whole.
    pub(crate) subject: String,
}

/// Question words, which say nothing about the subject.
const ASKING: &str = "a about all an and any are be been being can could describe did do does each every exactly explain find for \
    from get give gives had happens has have how i in is it its know like list locate long look looks many may me might most \
    much my need of on or our out please point see should show simple some tell that the their them there they this to type us \
    walk want was we were what what's when where where's which who why will with work works would you your";
/// Words for the repository itself.
const SELF: &str = "api app application codebase code framework here library module package product program project repo \
    repository server service software source system thing tool";

/// The kind of a question, and its subject.
pub(crate) fn classify(question: &str) -> Asked {
    let words = words(question);
    let text = format!(" {} ", words.join(" "));
    let kind = whole(&text, &words).or_else(|| part(&text, &words)).unwrap_or(Kind::Flow);
    Asked { kind, subject: subject(question, kind) }
}

fn words(question: &str) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && c != '_' && c != '$';
    let bare = |word: &str| {
        let bare = word.trim_matches(is_edge).to_lowercase();
        // What is written as code is a name, whatever word it is.
        if word.contains('`') && !bare.is_empty() { format!("`{bare}") } else { bare }
    };
    question.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")))
}

/// Whether nothing is left besides words that ask, words for the repository, and these.
fn is_about_all(words: &[String], others: &str) -> bool {
    words.iter().all(|word| is_in(ASKING, word) || is_in(SELF, word) || is_in(others, word))
}

/// Questions about the repository as a whole.
fn whole(text: &str, words: &[String]) -> Option<Kind> {
    const SETUP: &str = "build builds built command commands compile contribute dependencies dev develop development environment \
        everything install installed locally machine run running set setup start started suite test tests up use";
    const ENTRY: &str = "arrive arrives begin begins call called come comes enter enters entry execution first function http \
        incoming into main points program request requests run running start started starts user";
    const STRUCTURE: &str = "architecture arranged design directories directory divided folder folders hierarchy laid layer \
        layered layers layout organised organized split structure structured";
    const PARTS: &str = "components modules packages parts pieces";
    const OF_STRUCTURE: &str =
        "big files fit high-level interact into level main overall together top";
    const READING: &str = "begin beginner best central core file files first important importance key main matter most \
        newcomer order read reading should start";
    const OVERVIEW: &str = "brief do introduce introduction overview purpose quick summarise summarize summary high-level level \
        high goal short understand";
    const TESTS: &str =
        "cover covered covers exist kind kinds located sort suite suites test tested testing tests";
    let all = |others: &str| is_about_all(words, others);
    if has_any(text, HOW_TO) && all(SETUP) {
        return Some(Kind::Setup);
    }
    let is_setup = has_any(text, &["build", "install", "setup", "set up", "run", "commands"])
        && has_any(text, &["what", "which", "how"]);
    if is_setup && all(SETUP) && !text.contains(" where ") {
        return Some(Kind::Setup);
    }
    let is_entry = has_any(text, &["entry point", "entry points", "entrypoint", "entrypoints"]);
    let is_start = has_any(
        text,
        &["start", "starts", "started", "begin", "begins", "enter", "enters", "arrive", "arrives"],
    ) || has_any(text, &["come in", "comes in", "main function"]);
    if (is_entry || is_start) && all(ENTRY) {
        return Some(Kind::Entry);
    }
    let is_reading =
        has_any(text, &["read", "reading", "important", "key files", "core files", "main files"]);
    if is_reading && all(READING) {
        return Some(Kind::Reading);
    }
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    if (has(STRUCTURE) || has(PARTS)) && all(&format!("{STRUCTURE} {PARTS} {OF_STRUCTURE}")) {
        // "How is it split into modules?" asks for the cut, "what are the modules?" for the pieces.
        return Some(if has(STRUCTURE) { Kind::Structure } else { Kind::Parts });
    }
    if has_any(text, &["tested", "tests", "test", "testing"]) && all(TESTS) {
        return Some(Kind::Tests);
    }
    (!words.is_empty() && all(OVERVIEW)).then_some(Kind::Overview)
}

const HOW_TO: &[&str] =
    &["how can i", "how can we", "how do i", "how do we", "how do you", "how should i", "how to"];

/// Questions about a part of it.
fn part(text: &str, words: &[String]) -> Option<Kind> {
    let first =
        |phrases: &[&str]| phrases.iter().any(|phrase| text.starts_with(&format!(" {phrase} ")));
    let last = words.last().map(String::as_str).unwrap_or_default();
    let is_used = matches!(last, "used" | "called" | "referenced" | "imported" | "instantiated");
    if has_any(text, USERS) || (first(&["where"]) && is_used) {
        return Some(Kind::Users);
    }
    let is_when = has_any(text, &["when did", "when was", "when were"]);
    if has_any(text, HISTORY) || (is_when && has_any(text, CHANGED)) {
        return Some(Kind::History);
    }
    let is_how_tested = first(&["how is", "how are"]) && text.contains(" tested ");
    if last == "tested" || has_any(text, TESTS_OF) || is_how_tested {
        return Some(Kind::Tests);
    }
    if first(FLOW) {
        return Some(Kind::Flow);
    }
    if first(WHERE) {
        return Some(Kind::Where);
    }
    let content = words.iter().filter(|word| !is_in(ASKING, word)).count();
    let is_what = first(WHAT) || words.len() == 1;
    (is_what && content <= 4).then_some(Kind::What)
}

const USERS: &[&str] = &[
    "call sites of",
    "caller of",
    "callers of",
    "references to",
    "usage of",
    "usages of",
    "users of",
    "what calls",
    "what depends on",
    "what imports",
    "what uses",
    "which code uses",
    "which files use",
    "which functions call",
    "who calls",
    "who depends on",
    "who imports",
    "who uses",
];
const HISTORY: &[&str] = &[
    "changed recently",
    "history of",
    "last change",
    "last changed",
    "last modified",
    "recent changes",
    "who changed",
    "who wrote",
];
const CHANGED: &[&str] =
    &["added", "change", "changed", "edited", "introduced", "modified", "touched", "updated"];
const TESTS_OF: &[&str] = &[
    "are tested",
    "covered by tests",
    "is tested",
    "test covers",
    "test for",
    "test of",
    "tested by",
    "tests check",
    "tests cover",
    "tests exercise",
    "tests for",
    "tests of",
];
/// What the question begins with.
const FLOW: &[&str] =
    &["does", "how", "is there", "trace", "walk me", "what happens", "when", "why"];
const WHERE: &[&str] = &[
    "find",
    "in which",
    "locate",
    "show me",
    "what file",
    "what files",
    "where",
    "where's",
    "which class",
    "which file",
    "which files",
    "which function",
    "which module",
    "which modules",
    "which part",
];
const WHAT: &[&str] = &[
    "define",
    "describe",
    "explain",
    "tell me about",
    "what are",
    "what do",
    "what does",
    "what is",
    "what was",
    "what's",
];

/// Without the words that only ask. How things hang together is asked in words that all count.
fn subject(question: &str, kind: Kind) -> String {
    const OF_KIND: &str = "called caller callers calls change changed class covered cover declared defined definition depends \
        file files function functions happen history implementation implemented imported imports introduced last located method \
        modified references sites test tested tests touched usage usages used users uses wrote";
    match kind {
        Kind::Overview
        | Kind::Entry
        | Kind::Structure
        | Kind::Parts
        | Kind::Reading
        | Kind::Setup => String::new(),
        Kind::Flow => question.trim().to_owned(),
        Kind::Tests | Kind::Users | Kind::History | Kind::Where | Kind::What => {
            let is_edge = |c: char| !c.is_alphanumeric() && c != '_' && c != '$';
            let is_meant = |word: &&str| {
                let bare = word.trim_matches(is_edge).to_lowercase();
                let only_asks = is_in(ASKING, &bare) || is_in(OF_KIND, &bare);
                !bare.is_empty() && (word.contains('`') || !only_asks)
            };
            let left: Vec<&str> = question.split_whitespace().filter(is_meant).collect();
            left.join(" ").trim_end_matches(['?', '!', '.', ',']).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::too_many_lines, reason = "most of them are the expected text")]
    fn as1_a_question_is_told_by_its_words() {
        let check = |kind: Kind, questions: &[&str]| {
            for question in questions {
                assert_eq!(classify(question).kind, kind, "{question}");
            }
        };
        check(
            Kind::Reading,
            &[
                "Which files should I read first?",
                "Which files are the most important?",
                "Where should I start reading?",
                "What are the key files of this project?",
            ],
        );
        check(
            Kind::Overview,
            &[
                "What is this?",
                "what is this project",
                "What does this project do?",
                "what does it do",
                "Give me an overview",
                "Give me a quick overview of this repository.",
                "What is this repository about?",
                "Explain this codebase",
                "Tell me about this project",
            ],
        );
        check(
            Kind::Entry,
            &[
                "Where does a request enter?",
                "Where does the program start?",
                "What is the main entry point?",
                "What are the entry points of this application?",
                "where does execution begin",
                "Where does the server start?",
            ],
        );
        check(
            Kind::Structure,
            &[
                "How is the code organised?",
                "How is this project structured?",
                "What are the layers?",
                "Describe the architecture",
                "what is the folder structure of this repo",
                "How is the code split into modules?",
            ],
        );
        check(
            Kind::Parts,
            &[
                "What are the main modules?",
                "What are the main parts of the code?",
                "What are the main components, and how do they fit together?",
                "which packages are there",
            ],
        );
        check(
            Kind::Setup,
            &[
                "How do I run this?",
                "How do I build this project?",
                "how to run the tests",
                "How do I install the dependencies?",
                "How can I set up a development environment?",
            ],
        );
        check(
            Kind::Tests,
            &[
                "How is the router tested?",
                "Where are the tests?",
                "Which tests cover `res.send`?",
                "Is there a test for parse_header?",
                "How is this project tested?",
                "Where are the tests for the cache?",
            ],
        );
        check(
            Kind::Users,
            &[
                "Who calls select_proxy?",
                "What uses the cache?",
                "Where is parseHeader called?",
                "Where is `View` used?",
                "What depends on the parser?",
                "List the callers of handle",
            ],
        );
        check(
            Kind::History,
            &[
                "When did lib/view.js last change?",
                "When was the retry added?",
                "What is the history of the parser?",
                "Who changed select_proxy?",
            ],
        );
        check(
            Kind::Where,
            &[
                "Where is the router implemented and when is it created?",
                "Where is `View` defined?",
                "Which file parses the configuration?",
                "In which module are sessions expired?",
                "Where are cookies signed?",
            ],
        );
        check(
            Kind::What,
            &[
                "What is `View`?",
                "What does select_proxy do?",
                "select_proxy",
                "Explain the ignore matcher",
                "What is a Blueprint?",
                "What is `get`?",
                "What does main do?",
            ],
        );
        check(
            Kind::Flow,
            &[
                "What happens between `app(req, res)` and the first middleware?",
                "How does `res.send` decide on ETag and 304?",
                "How do command-line flags become a configured search?",
                "When is memory mapping used instead of buffered reading?",
                "What happens when a request fails?",
                "How does it work when a template is missing?",
                "Why are requests retried twice?",
                "Is there an on-disk index, and how is it switched on?",
                "How do I run a query against two databases?",
            ],
        );
    }

    #[test]
    fn as1_the_subject_is_what_is_left() {
        let check = |question: &str, expected: &str| {
            assert_eq!(classify(question).subject, expected, "{question}");
        };
        check("Who calls select_proxy?", "select_proxy");
        check("Where is the `View` class defined?", "`View`");
        check("How is the router tested?", "router");
        check("Which tests cover `res.send`?", "`res.send`");
        check("Where are the tests?", "");
        check("What is this?", "");
        check("What is `get`?", "`get`");
        check(" Why are requests retried? ", "Why are requests retried?");
    }
}
