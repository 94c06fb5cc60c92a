//! The files and folders that a directive names: where something is to be done, where not, and which of them are not there.
//!
//! A path limits the clause that it stands in; one in a phrase before or behind all clauses limits all of them. Whether a word that
//! leads to no file is a path at all is told by how it looks: nobody is to be refused for writing "and/or".

use std::collections::BTreeMap;

use super::{Lost, Reading};
use crate::words::{Word, is_in, tokens};

/// Behind these stands a place.
const IN: &[&str] = &["in", "under", "within", "inside", "below", "for", "the", "of", "folder"];

/// Behind these a path may be one that is yet to be made.
const NEW_NAME: &[&str] = &["into", "as", "named", "called"];
const MAKING: &[&str] =
    &["add", "write", "create", "implement", "generate", "extract", "introduce", "move", "split"];

/// What no module is called that stands behind "a new module".
const NOT_MODULES: &str =
    "and as at by for from in into is of on or so that the to under where which with";

/// "with one shared function in src/utils" says where something is to be, not where everything is to be done.
const MEANS: &[&str] =
    &["as", "by", "in", "into", "share", "through", "to", "use", "using", "via", "with"];
const ONE: &[&str] = &["common", "new", "one", "separate", "shared", "single"];
const THINGS: &str =
    "class component enum file function helper hook method middleware module type util utility";
/// Words between the first of these and the last.
const BETWEEN: usize = 6;

/// Folders that most repositories have: what begins with one is a path.
const USUAL: &[&str] = &["src", "lib", "app", "apps", "packages", "test", "tests", "examples"];

/// Pairs of words, not folders.
const PAIRS: &[&str] = &[
    "and/or",
    "async/await",
    "ci/cd",
    "client/server",
    "get/set",
    "import/export",
    "input/output",
    "key/value",
    "read/write",
    "request/response",
    "tcp/ip",
    "try/catch",
];

/// Products that are called like files.
const PRODUCTS: &str = "alpine angular backbone chart d3 day discord electron ember express knockout moment nest next node nuxt p5 \
    pixi preact react require socket solid svelte three vue";

/// Endings of files of code, and those of other files that are told by a folder before them.
const CODE: &str = "js jsx mjs cjs ts tsx mts cts py pyi rs go java kt rb php cs cpp hpp swift scala vue svelte sql";

/// A place that a directive names.
struct Named {
    path: String,
    part: usize,
    says: Says,
    /// It stands before all orders, or behind all of one sentence.
    is_leading: bool,
    is_trailing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Something is to be done there.
    Where,
    WhereNot,
    /// What is made is to be there: that limits nothing.
    WhereTo,
}

impl Named {
    fn limits(&self) -> bool {
        self.says == Says::Where
    }
}

#[derive(Default)]
pub(super) struct Places {
    named: Vec<Named>,
    pub(super) missing: Vec<String>,
    /// Those that are to be made.
    pub(super) coming: Vec<String>,
}

/// Takes the words that name places, so that they lead to nothing else.
pub(super) fn named(
    reading: &mut Reading,
    directive: &str,
    find: &dyn Fn(&str) -> Option<String>,
) -> Places {
    let mut places = Places::default();
    let tokens = tokens(directive);
    // "in src and lib": the second is led to as the first is.
    let mut was_led_to = false;
    let first_verb = reading.words.iter().position(|it| it.is_verb).unwrap_or(usize::MAX);
    let first_end = reading.words.iter().position(|it| it.ends_sentence).unwrap_or(usize::MAX);
    let mut next = 0;
    for (at, token) in tokens.iter().enumerate() {
        let from = next;
        next += reading.words[from..].iter().take_while(|it| it.token == at).count();
        let own = from..next;
        let before = if at == 0 { "" } else { tokens[at - 1].as_str() };
        let is_led_to = IN.contains(&before.to_lowercase().as_str());
        let is_listed = was_led_to && (before == "and" || before == "or" || before.ends_with(','));
        was_led_to = was_led_to && matches!(token.as_str(), "and" | "or");
        // What a rename names is its own to find.
        let (Some(first), false) =
            (own.clone().next(), reading.is_used[own.clone()].contains(&true))
        else {
            continue;
        };
        let shown = shown(token);
        let bare = shown.trim_start_matches("./").trim_end_matches('/');
        let is_path = token.contains('/') || bare.contains('.');
        let new = new_kind(&tokens[..at]);
        if new == Some(NewKind::Module) && is_module_name(bare) {
            places.coming.push(bare.to_owned());
            continue;
        }
        let sight = Sight { find, is_led_to: is_led_to || is_listed, next: tokens.get(at + 1) };
        let is_told = is_path || is_led_to || (is_listed && sight.ends_phrase(token));
        if bare.is_empty() || !is_told {
            continue;
        }
        let part = reading.words[first].part;
        let Some(path) = find(bare).filter(|_| !is_product(bare) || bare.contains('/')) else {
            let is_new =
                new.is_some() || is_new(reading, part, first, before, !places.named.is_empty());
            if sight.is_path(shown, token) {
                let all = if is_new { &mut places.coming } else { &mut places.missing };
                all.push(if is_new { bare } else { shown }.to_owned());
            }
            continue;
        };
        let is_last = is_over(&reading.words[next..]);
        was_led_to = is_led_to || is_listed;
        places.named.push(Named {
            path,
            part,
            says: match own.clone().any(|it| reading.words[it].is_ruled_out) {
                true => Says::WhereNot,
                false if is_destination(&tokens[..at]) => Says::WhereTo,
                false => Says::Where,
            },
            is_leading: part == 0 && first_verb >= first,
            is_trailing: (is_led_to || is_listed) && is_last && first_end >= first,
        });
        for it in own {
            reading.is_place[it] = true;
            reading.words[it].is_taken = true;
        }
    }
    places
}

impl Places {
    pub(super) fn outside(&self) -> Vec<String> {
        self.named.iter().filter(|it| it.says == Says::WhereNot).map(|it| it.path.clone()).collect()
    }

    /// Whether no place limits anything.
    fn are_everywhere(&self) -> bool {
        self.named.iter().all(|it| it.says == Says::WhereTo)
    }

    /// Where each that was found is to be looked for, by its id.
    pub(super) fn inside(&self, reading: &Reading) -> BTreeMap<String, Vec<String>> {
        let mut inside = BTreeMap::new();
        if self.are_everywhere() {
            return inside;
        }
        let mut of_part: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (id, parts) in reading.parts.iter().filter(|(id, _)| *id != "rename") {
            let mut all = Vec::new();
            for part in parts {
                let some = of_part.entry(*part).or_insert_with(|| self.of_part(reading, *part));
                all.push(some.clone());
            }
            // One clause asks for it everywhere.
            if all.iter().all(|it| !it.is_empty()) {
                inside.insert(id.clone(), all.concat());
            }
        }
        inside
    }

    /// Gives each part that is not served the places that it was asked for in.
    pub(super) fn of_lost(&self, reading: &Reading, lost: &mut [Lost]) {
        if self.are_everywhere() {
            return;
        }
        for lost in lost {
            lost.inside = self.of_part(reading, lost.part);
        }
    }

    /// Where all that the directive asks for is to be done; empty where some of it is asked for everywhere.
    pub(super) fn of_all(&self, reading: &Reading) -> Vec<String> {
        let all =
            || self.named.iter().filter(|it| it.says != Says::WhereNot).map(|it| it.path.clone());
        let is_asked = |part: &usize| reading.has_match(*part) || reading.is_unserved(*part);
        let asked: Vec<usize> = (0..reading.index.parts.len()).filter(is_asked).collect();
        let has_all = || asked.iter().all(|&part| !self.of_part(reading, part).is_empty());
        if self.are_everywhere() || !has_all() { Vec::new() } else { all().collect() }
    }

    fn of_part(&self, reading: &Reading, part: usize) -> Vec<String> {
        let paths = |is_meant: &dyn Fn(&Named) -> bool| -> Vec<String> {
            let meant = self.named.iter().filter(|it| it.says != Says::WhereNot && is_meant(it));
            meant.map(|it| it.path.clone()).collect()
        };
        if self.named.iter().any(|it| it.part == part && it.limits()) {
            return paths(&|it| it.part == part);
        }
        paths(&|it| {
            let is_only_where = !reading.has_match(it.part) && !reading.is_unserved(it.part);
            let limits =
                is_only_where || it.is_leading || (it.is_trailing && reading.has_match(it.part));
            limits && it.limits()
        })
    }
}

/// A token without the signs of the sentence around it, and without the line or the name in a file.
fn shown(token: &str) -> &str {
    let token = token.trim_start_matches('(').trim_end_matches([',', ';', '.', '!', '?', ':', ')']);
    let token = token.trim_end_matches('*');
    let token = token.split_once('#').map_or(token, |(path, _)| path);
    match token.rsplit_once(':') {
        Some((path, line)) if line.chars().all(|c| c.is_ascii_digit()) => path,
        _ => token,
    }
}

/// Nothing but other places follows.
fn is_over(words: &[Word]) -> bool {
    let is_joint =
        |it: &Word| matches!(it.text.as_str(), "and" | "or" | "only" | "please" | "folder");
    words.iter().all(|it| is_joint(it) || it.is_ruled_out)
}

/// The path may be one that is to be made.
fn is_new(reading: &Reading, part: usize, at: usize, before: &str, has_other: bool) -> bool {
    let before = before.to_lowercase();
    let is_making = reading.words[..at]
        .iter()
        .any(|it| it.part == part && it.is_verb && MAKING.contains(&it.text.as_str()));
    is_making || NEW_NAME.contains(&before.as_str()) || (before == "to" && has_other)
}

/// "with one shared function in": what follows is where that is to be.
fn is_destination(before: &[String]) -> bool {
    let words: Vec<String> =
        before.iter().rev().skip(1).take(BETWEEN).map(|it| it.to_lowercase()).collect();
    let Some(at) = words.iter().position(|it| MEANS.contains(&it.as_str())) else { return false };
    let what = &words[..at];
    what.first().is_some_and(|it| is_in(THINGS, it))
        && what.iter().any(|it| ONE.contains(&it.as_str()))
}

/// What a directive says that it wants made before it says how it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewKind {
    File,
    Module,
}

/// "a new file", "a new module called": what follows is its name.
fn new_kind(before: &[String]) -> Option<NewKind> {
    let last: Vec<String> = before.iter().rev().take(3).map(|it| it.to_lowercase()).collect();
    let mut last = last.iter().map(String::as_str).skip_while(|it| NEW_NAME.contains(it));
    match (last.next(), last.next()) {
        (Some("file"), Some("new")) => Some(NewKind::File),
        (Some("module"), Some("new")) => Some(NewKind::Module),
        _ => None,
    }
}

fn is_module_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    word.starts_with(char::is_alphabetic)
        && word.chars().all(is_part)
        && !is_in(NOT_MODULES, &word.to_lowercase())
        && !NEW_NAME.contains(&word.to_lowercase().as_str())
}

fn is_product(word: &str) -> bool {
    let lower = word.to_lowercase();
    let name = lower.strip_suffix(".js").unwrap_or_default();
    is_in(PRODUCTS, name)
}

/// What tells whether a word that leads to no file is a path.
struct Sight<'s> {
    find: &'s dyn Fn(&str) -> Option<String>,
    is_led_to: bool,
    /// The token behind it.
    next: Option<&'s String>,
}

impl Sight<'_> {
    fn is_path(&self, path: &str, token: &str) -> bool {
        let is_sign = |c: char| matches!(c, '*' | '?' | '[' | '{' | '<' | '=' | '(' | ':' | '$');
        let has_letters = path.chars().any(char::is_alphabetic);
        if path.contains(is_sign) || path.starts_with('@') || !has_letters || is_product(path) {
            return false;
        }
        let (first, last) = (path.split('/').next(), path.rsplit('/').next().unwrap_or(path));
        let ending = last.rsplit_once('.').filter(|it| !it.0.is_empty()).map(|it| it.1);
        if ending.is_some_and(|it| CODE.split(' ').any(|code| code == it)) {
            return true;
        }
        if !path.contains('/') || PAIRS.contains(&path.to_lowercase().as_str()) {
            return false;
        }
        if path.starts_with('/') {
            return !self.is_route();
        }
        let is_short = path.trim_end_matches('/').len() < 2;
        let is_dotted = path.starts_with("./") || path.starts_with("../") || path.contains("/../");
        let is_file = ending.is_some_and(|it| {
            it.starts_with(|c: char| c.is_ascii_lowercase())
                && it.len() <= 5
                && it.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        });
        let is_below = first.is_some_and(|it| USUAL.contains(&it) || (self.find)(it).is_some());
        let is_small = path.chars().all(|c| !c.is_uppercase());
        is_dotted
            || is_file
            || is_below
            || (path.ends_with('/') && !is_short)
            || (self.is_led_to && is_small && !is_short && self.ends_phrase(token))
    }

    /// "the /api/users endpoint"
    fn is_route(&self) -> bool {
        const OF_ROUTES: &[&str] =
            &["endpoint", "endpoints", "route", "routes", "page", "pages", "url", "handler", "api"];
        let next = self.next.map(|it| it.to_lowercase());
        next.is_some_and(|it| OF_ROUTES.contains(&it.trim_end_matches([',', '.', ';'])))
    }

    fn ends_phrase(&self, token: &str) -> bool {
        let joints = ["and", "or", "then", "but", "to"];
        token.ends_with([',', ';', '.', '!', '?', ':', ')'])
            || self.next.is_none_or(|it| joints.contains(&it.as_str()))
    }
}
