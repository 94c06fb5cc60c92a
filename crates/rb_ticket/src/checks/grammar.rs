//! The grammar of a clause: the few shapes of English that say something a browser can check.
//!
//! A clause is understood as a whole or not at all; no word is skipped but those that never change a meaning ([`FILLERS`]).

use super::sentence::{Kind, Token};
use super::{Expectation, Step, Target};

/// A token as patterns see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View<'a> {
    W(&'a str),
    Q(&'a str),
    Css(&'a str),
    P(&'a str),
    N(u32),
    /// A number with a unit, which only the window has a use for.
    Unit,
}

use View::{N, P, Q, W};

/// Words that can be left out without changing what is checked.
const FILLERS: [&str; 22] = [
    "", "the", "a", "an", "this", "that", "should", "must", "shall", "will", "can", "i", "we",
    "user", "visitor", "customer", "then", "also", "still", "now", "text", "exactly",
];

const SUBJECTS: [&str; 6] = ["page", "it", "site", "app", "layout", "content"];

pub(super) fn views(tokens: &[Token]) -> Vec<View<'_>> {
    tokens
        .iter()
        .filter_map(|token| match &token.kind {
            Kind::Word(word) => (!FILLERS.contains(&word.as_str())).then_some(W(word)),
            Kind::Quoted(text) => Some(Q(text)),
            Kind::Css(css) => Some(View::Css(css)),
            Kind::Path(path) => Some(P(path)),
            Kind::Number(number) => Some(N(*number)),
            Kind::Pixels(_) | Kind::Size(..) => Some(View::Unit),
            Kind::Break => None,
        })
        .collect()
}

/// What a sentence talks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Thing {
    Text(String),
    Element(Target),
}

impl Thing {
    fn present(self) -> Expectation {
        match self {
            Thing::Text(text) => Expectation::TextPresent(text),
            Thing::Element(target) => Expectation::Exists(target),
        }
    }

    fn absent(self) -> Expectation {
        match self {
            Thing::Text(text) => Expectation::TextAbsent(text),
            Thing::Element(target) => Expectation::Absent(target),
        }
    }

    fn target(self) -> Target {
        match self {
            Thing::Text(text) => Target::Text(text),
            Thing::Element(target) => target,
        }
    }
}

/// Whether things must be there. A list after the clause (`… and "B"`) goes on in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Present,
    Absent,
    Disabled,
    Enabled,
}

impl Mood {
    pub(super) fn of(self, thing: Thing) -> Option<Expectation> {
        match (self, thing) {
            (Mood::Present, thing) => Some(thing.present()),
            (Mood::Absent, thing) => Some(thing.absent()),
            (Mood::Disabled, Thing::Element(target)) => Some(Expectation::Disabled(target)),
            (Mood::Enabled, Thing::Element(target)) => Some(Expectation::Enabled(target)),
            (Mood::Disabled | Mood::Enabled, Thing::Text(_)) => None,
        }
    }

    fn not(self) -> Mood {
        match self {
            Mood::Present => Mood::Absent,
            Mood::Absent => Mood::Present,
            Mood::Disabled => Mood::Enabled,
            Mood::Enabled => Mood::Disabled,
        }
    }
}

/// A clause that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Clause {
    /// `shows "A"`: more things may follow.
    Shows(Mood, Vec<Thing>),
    /// `"A" is visible`: more things may come before.
    Are(Mood, Vec<Thing>),
    /// Things without a verb.
    Things(Vec<Thing>),
    Other(Expectation),
}

pub(super) fn clause(tokens: &[Token]) -> Option<Clause> {
    let all = views(tokens);
    let mut rest = all.as_slice();
    while let [W(subject), more @ ..] = rest
        && SUBJECTS.contains(subject)
    {
        rest = more;
    }
    let shows =
        |mood, things: &[View<'_>]| things_of(things).map(|things| Clause::Shows(mood, things));
    let none = |things: &[View<'_>]| {
        let things = things.strip_suffix(&[W("is"), W("visible")]).unwrap_or(things);
        nothing_of(things).map(Clause::Other).or_else(|| shows(Mood::Absent, things))
    };
    match rest {
        [W("shows"), W("no"), things @ ..]
        | [W("there"), W("is"), W("no"), things @ ..]
        | [W("no" | "without"), W("any"), things @ ..]
        | [W("no" | "without"), things @ ..] => none(things),
        [W("does"), W("not"), W("shows"), things @ ..]
        | [W("not"), W("shows"), things @ ..]
        | [W("there"), W("is"), W("not"), things @ ..]
        | [W("not"), things @ ..] => shows(Mood::Absent, things),
        _ => statement(rest)
            .map(Clause::Other)
            .or_else(|| match rest {
                [W("shows"), things @ ..] | [W("there"), W("is"), things @ ..] => {
                    shows(Mood::Present, things)
                }
                _ => None,
            })
            .or_else(|| predicate(rest))
            .or_else(|| things_of(rest).map(Clause::Things)),
    }
}

/// `"A" is visible` and its like. Without things in front it is about those of the clause before.
fn predicate(views: &[View<'_>]) -> Option<Clause> {
    let verb = views.iter().position(|view| matches!(view, W("is" | "exists" | "does")))?;
    let (things, verb) = views.split_at(verb);
    let (mood, is_negated) = match verb {
        [W("is"), W("not"), state] => (state_of(*state)?, true),
        [W("is"), state] => (state_of(*state)?, false),
        [W("exists")] => (Mood::Present, false),
        [W("does"), W("not"), W("exists")] => (Mood::Present, true),
        _ => return None,
    };
    Some(Clause::Are(if is_negated { mood.not() } else { mood }, things_of(things)?))
}

fn state_of(view: View<'_>) -> Option<Mood> {
    match view {
        W("visible" | "there") => Some(Mood::Present),
        W("hidden") => Some(Mood::Absent),
        W("disabled") => Some(Mood::Disabled),
        W("enabled") => Some(Mood::Enabled),
        _ => None,
    }
}

/// What follows "no": errors, failed requests, scrolling.
fn nothing_of(views: &[View<'_>]) -> Option<Expectation> {
    match views {
        [W("console" | "javascript" | "js"), W("errors")]
        | [W("errors"), W("in" | "on"), W("console")]
        | [W("errors"), W("in" | "on"), W("browser"), W("console")]
        | [W("browser"), W("console"), W("errors")] => Some(Expectation::NoConsoleErrors),
        [W("failed" | "failing"), W("requests")]
        | [W("failed" | "failing"), W("network"), W("requests")]
        | [W("requests"), W("fails" | "fail")] => Some(Expectation::NoFailedRequests),
        [W("horizontal"), W("scrolling" | "overflow")] | [W("overflow")] => {
            Some(Expectation::NoOverflow)
        }
        _ => None,
    }
}

/// Statements that are not a list of things.
fn statement(views: &[View<'_>]) -> Option<Expectation> {
    match views {
        [W("console"), W("shows"), W("no"), W("errors")]
        | [W("console"), W("is"), W("clean" | "empty")] => Some(Expectation::NoConsoleErrors),
        [W("all"), W("requests"), W("succeed")] => Some(Expectation::NoFailedRequests),
        [W("title"), W("is" | "shows"), Q(title)] | [W("shows"), W("title"), Q(title)] => {
            Some(Expectation::TitleIs((*title).to_owned()))
        }
        [W("url"), W("is"), P(path)]
        | [W("url"), W("changes"), W("to"), P(path)]
        | [W("redirect" | "go" | "leads" | "taken" | "sent"), W("to"), P(path)]
        | [W("is" | "am"), W("redirect" | "taken" | "sent"), W("to"), P(path)]
        | [W("open"), P(path)]
        | [W("am" | "is" | "lands" | "land"), W("on"), P(path)] => {
            Some(Expectation::UrlIs((*path).to_owned()))
        }
        [W("is"), W("not"), W("blank" | "empty")] => Some(Expectation::NotBlank),
        [W("does"), W("not"), W("overflow")]
        | [W("does"), W("not"), W("overflow" | "scrolling"), W("horizontally" | "sideways")]
        | [W("fits")] => Some(Expectation::NoOverflow),
        [
            W("fits"),
            W("on" | "in" | "into"),
            W("screen" | "viewport" | "window" | "width" | "phone"),
        ]
        | [W("fits"), W("screen" | "viewport" | "window" | "width")] => {
            Some(Expectation::NoOverflow)
        }
        [W("looks"), W("like"), picture] | [W("matches"), picture] => picture_of(*picture),
        _ => status(views).or_else(|| counted(views)).or_else(|| value(views)),
    }
}

fn picture_of(view: View<'_>) -> Option<Expectation> {
    let (W(name) | Q(name)) = view else { return None };
    let is_png = name.len() > 4 && name.to_ascii_lowercase().ends_with(".png");
    is_png.then(|| Expectation::LooksLike { picture: name.to_owned(), tolerance_percent: 1 })
}

fn status(views: &[View<'_>]) -> Option<Expectation> {
    let number = match views {
        [W("returns"), rest @ ..] => rest.strip_prefix(&[W("with")]).unwrap_or(rest),
        [W("status"), W("is"), rest @ ..] => rest,
        _ => return None,
    };
    let number = match number {
        [W("status"), N(number)] | [N(number)] | [N(number), W("status" | "errors")] => *number,
        _ => return None,
    };
    u16::try_from(number).ok().filter(|code| (100..600).contains(code)).map(Expectation::Status)
}

/// `shows 3 buttons "Add"`, `there are 2 ".card"`, `"Sold out" is shown twice`.
fn counted(views: &[View<'_>]) -> Option<Expectation> {
    let (number, things) = match views {
        [W("shows"), N(number), things @ ..]
        | [W("there"), W("is"), N(number), things @ ..]
        | [W("shows"), things @ .., N(number), W("times")]
        | [things @ .., W("is"), W("visible"), N(number), W("times")] => (*number, things),
        [W("shows"), things @ .., W("once")] | [things @ .., W("is"), W("visible"), W("once")] => {
            (1, things)
        }
        [W("shows"), things @ .., W("twice")]
        | [things @ .., W("is"), W("visible"), W("twice")] => (2, things),
        _ => return None,
    };
    // "3 items `.card`": the word only repeats what the selector says.
    let things = match things {
        [W("items" | "elements" | "entries" | "cards" | "rows"), css @ View::Css(_)] => {
            std::slice::from_ref(css)
        }
        things => things,
    };
    match <[Thing; 1]>::try_from(things_of(things)?) {
        Ok([thing]) => Some(Expectation::Count {
            target: thing.target(),
            count: usize::try_from(number).ok()?,
        }),
        Err(_) => None,
    }
}

/// `the field "Email" contains "x"`, `"Email" field is empty`, `the heading is "Cart"`.
fn value(views: &[View<'_>]) -> Option<Expectation> {
    match views {
        [W("value"), W("of"), field @ .., W("is"), Q(value)]
        | [field @ .., W("shows"), W("value"), Q(value)] => {
            Some(Expectation::ValueIs { target: field_of(field)?, value: (*value).to_owned() })
        }
        [field @ .., W("is"), W("empty")] => match things_of(field)?.as_slice() {
            [Thing::Element(target @ Target::Label(_))] => {
                Some(Expectation::ValueIs { target: target.clone(), value: String::new() })
            }
            _ => None,
        },
        [W("heading"), W("is" | "shows"), Q(name)] => Some(Expectation::Exists(Target::Role {
            role: "heading".to_owned(),
            name: (*name).to_owned(),
        })),
        [field @ .., W("shows"), Q(value)] => match things_of(field)?.as_slice() {
            [Thing::Element(target @ Target::Label(_))] => {
                Some(Expectation::ValueIs { target: target.clone(), value: (*value).to_owned() })
            }
            _ => None,
        },
        _ => None,
    }
}

/// All of `views` as things, at least one.
fn things_of(mut views: &[View<'_>]) -> Option<Vec<Thing>> {
    let mut things = Vec::new();
    while let Some((thing, rest)) = thing(views) {
        things.push(thing);
        views = rest;
    }
    (views.is_empty() && !things.is_empty()).then_some(things)
}

fn thing<'v, 'a>(views: &'v [View<'a>]) -> Option<(Thing, &'v [View<'a>])> {
    match views {
        [W(role), Q(name), rest @ ..] | [Q(name), W(role), rest @ ..]
            if element(role, name).is_some() =>
        {
            Some((Thing::Element(element(role, name)?), rest))
        }
        [W("element"), View::Css(css), rest @ ..] | [View::Css(css), rest @ ..] => {
            Some((Thing::Element(Target::Css((*css).to_owned())), rest))
        }
        [Q(text), rest @ ..] => Some((Thing::Text((*text).to_owned()), rest)),
        _ => None,
    }
}

fn element(role: &str, name: &str) -> Option<Target> {
    match role {
        "field" | "dropdown" | "select" => Some(Target::Label(name.to_owned())),
        "button" | "link" | "heading" | "checkbox" | "radio" | "tab" | "menuitem" | "img"
        | "dialog" | "alert" | "option" | "row" | "cell" => {
            Some(Target::Role { role: role.to_owned(), name: name.to_owned() })
        }
        _ => None,
    }
}

/// A form field: by its label unless a selector is given.
fn field_of(views: &[View<'_>]) -> Option<Target> {
    match <[Thing; 1]>::try_from(things_of(views)?).ok()? {
        [Thing::Text(label)] => Some(Target::Label(label)),
        [Thing::Element(target)] => Some(target),
    }
}

fn one(views: &[View<'_>]) -> Option<Target> {
    match <[Thing; 1]>::try_from(things_of(views)?) {
        Ok([thing]) => Some(thing.target()),
        Err(_) => None,
    }
}

const KEYS: [&str; 14] = [
    "Enter",
    "Escape",
    "Tab",
    "Space",
    "Backspace",
    "Delete",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "PageUp",
    "PageDown",
];

/// One thing that a person does. Nothing is left of a phrase such as "I am on a phone" but "am", which does nothing.
pub(super) fn step(tokens: &[Token]) -> Option<Vec<Step>> {
    let all = views(tokens);
    let views = all.as_slice();
    if let [W("press"), ..] = views
        && let Some(key) = key(tokens)
    {
        return Some(vec![Step::Press(key)]);
    }
    let step = match views {
        [] | [W("am" | "use" | "is")] => return Some(Vec::new()),
        [W("am" | "is"), W("on" | "at"), W("page"), P(path)]
        | [W("am" | "is"), W("on" | "at"), P(path)]
        | [W("am" | "is"), W("on" | "at"), P(path), W("page")]
        | [W("open"), P(path)]
        | [W("open"), P(path), W("page")]
        | [W("open"), W("page"), P(path)]
        | [W("go"), W("to"), P(path)]
        | [W("go"), W("to"), P(path), W("page")]
        | [W("go"), W("to"), W("page"), P(path)]
        | [W("page"), P(path), W("is"), W("open")] => Step::Goto((*path).to_owned()),
        [W("click" | "press"), W("on"), target @ ..] | [W("click" | "press"), target @ ..] => {
            Step::Click(one(target)?)
        }
        [W("hover"), W("over" | "on"), target @ ..] | [W("hover"), target @ ..] => {
            Step::Hover(one(target)?)
        }
        [W("type"), Q(text), W("into" | "in"), field @ ..]
        | [W("fill"), W("in"), field @ .., W("with"), Q(text)]
        | [W("fill"), field @ .., W("with"), Q(text)]
        | [W("set"), field @ .., W("to"), Q(text)] => {
            Step::Type { into: field_of(field)?, text: (*text).to_owned() }
        }
        [W("select"), Q(option), W("from" | "in"), field @ ..] => {
            Step::Select { target: field_of(field)?, option: (*option).to_owned() }
        }
        [W("wait"), W("for"), Q(text)]
        | [W("wait"), W("until"), W("shows"), Q(text)]
        | [W("wait"), W("until"), Q(text), W("is"), W("visible")]
        | [W("wait"), W("until"), Q(text), W("exists")] => Step::WaitForText((*text).to_owned()),
        _ => return None,
    };
    Some(vec![step])
}

/// `press Enter`, `press the "Escape" key`.
fn key(tokens: &[Token]) -> Option<String> {
    let words: Vec<String> = tokens
        .iter()
        .filter(|token| token.kind != Kind::Break)
        .map(|token| token.raw.trim_matches(['"', '`', '\'', '“', '”']).to_ascii_lowercase())
        .filter(|word| !matches!(word.as_str(), "i" | "the" | "user" | "key" | "and" | "then"))
        .collect();
    let [_, name] = words.as_slice() else { return None };
    KEYS.iter().find(|key| key.to_ascii_lowercase() == *name).map(|key| (*key).to_owned())
}
