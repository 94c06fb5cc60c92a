//! What a question names: identifiers and paths as they are written, runs of words that would be an identifier if they were
//! joined ("the select proxy function" is `select_proxy`), and the words that carry its meaning.
//!
//! Pure: whether the repository has any of them is for `topic` to find.

use crate::extract::sources::is_of_name;

/// Beside these words stands the name of a symbol.
const KINDS: &str = "class component constant enum function helper hook interface macro method module struct trait type";
/// After these stands no more of the name: "where is the router implemented".
const DECLARED: &str = "created declared defined implemented initialised initialized made";
/// No name begins or ends with these, and they carry no meaning of their own.
const JOINTS: &str = "a about an and are as at be become becomes been between but by can come comes did do does each first for \
    from get gets give given gives had happen happens has have how i if in instead into is it its like made make makes many may me \
    my no not of on one or our out so some than that the their them then there these they this to two up us use used uses using was \
    we were what when where whether which while who why will with without work works would you your";
/// The most words of one name.
const LONGEST: usize = 4;

/// An identifier that a question writes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The class, namespace or object before it: `res` of `res.send`.
    pub(crate) owner: Option<String>,
    pub(crate) name: String,
    /// No word of a sentence looks like it.
    pub(crate) is_code: bool,
}

/// Words in a row that may be the name of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// In lower case.
    pub(crate) words: Vec<String>,
    /// The question says what kind of symbol it is.
    pub(crate) is_named: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) written: Vec<Written>,
    /// May be the end of a path.
    pub(crate) paths: Vec<String>,
    pub(crate) runs: Vec<Run>,
    /// The words that carry meaning, in lower case, each once.
    pub(crate) words: Vec<String>,
}

impl Names {
    pub(crate) fn of(question: &str) -> Names {
        let mut names = Names::default();
        let quoted = quoted(question);
        for (at, token) in question.split_whitespace().enumerate() {
            names.read(token, at == 0, &quoted);
        }
        names.runs = runs(question);
        for word in question.split(|c: char| !is_of_name(c)) {
            let word = word.to_lowercase();
            let says = word.chars().count() > 2 && !is_in(JOINTS, &word);
            if says && !names.words.contains(&word) {
                names.words.push(word);
            }
        }
        names
    }

    fn read(&mut self, token: &str, is_first: bool, quoted: &[String]) {
        let bare = token.trim_matches(|c: char| !is_of_name(c) && c != '/' && c != '@');
        if bare.contains('/') || bare.rsplit_once('.').is_some_and(|(_, end)| is_extension(end)) {
            let path = bare.trim_start_matches("./").trim_start_matches('/').to_owned();
            if !self.paths.contains(&path) {
                self.paths.push(path);
            }
            if bare.contains('/') {
                return;
            }
        }
        let Some(mut written) = identifier(bare, token.contains('(')) else { return };
        written.is_code |= quoted.contains(&written.name);
        let is_capital = !is_first && bare.starts_with(char::is_uppercase);
        if (written.is_code || is_capital) && !self.written.contains(&written) {
            self.written.push(written);
        }
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// The end of a file name, as opposed to a member: `view.js`, not `res.send`.
fn is_extension(end: &str) -> bool {
    const OTHERS: &str = "cfg css html ini json lock md rst toml txt xml yaml yml";
    is_in(OTHERS, end) || rb_lang::Language::of_path(format!("x.{end}").as_bytes()).is_some()
}

/// What stands in backticks is a name, whatever it looks like.
fn quoted(question: &str) -> Vec<String> {
    let pieces: Vec<&str> = question.split('`').collect();
    let closed = pieces.len().saturating_sub(1);
    let inside = pieces[..closed].iter().skip(1).step_by(2);
    let names = inside.flat_map(|piece| piece.split_whitespace());
    names.filter_map(|token| Some(identifier(token, false)?.name)).collect()
}

/// `name`, `Owner.name` or `Owner::name`, with what stands around it in a sentence.
fn identifier(token: &str, is_call: bool) -> Option<Written> {
    let token = token.trim_matches(|c: char| !is_of_name(c));
    let token = token.split('(').next().unwrap_or(token);
    let parts: Vec<&str> = token.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
    let is_name = |part: &&str| {
        part.chars().all(is_of_name) && !part.starts_with(char::is_numeric) && !part.is_empty()
    };
    if !parts.iter().all(is_name) {
        return None;
    }
    let (name, owners) = parts.split_last()?;
    let owner = owners.last().map(|owner| (*owner).to_owned());
    // "e.g." is no member of anything.
    let is_member = owner.is_some() && name.chars().count() > 2;
    let is_code = is_member || is_call || looks_like_code(name);
    Some(Written { owner, name: (*name).to_owned(), is_code })
}

/// `snake_case`, `camelCase`
fn looks_like_code(name: &str) -> bool {
    let mut pairs = name.chars().zip(name.chars().skip(1));
    name.contains('_') || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

fn runs(question: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for clause in question.split(['.', ',', ';', ':', '?', '!', '(', ')', '`', '"', '/']) {
        let words: Vec<String> = clause
            .split(|c: char| c.is_whitespace() || c == '-')
            .map(|word| word.trim_matches(|c: char| !is_of_name(c)).to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        for at in 0..words.len() {
            for end in (at + 1..=(at + LONGEST).min(words.len())).rev() {
                let row = &words[at..end];
                let is_loose = is_in(JOINTS, &row[0]) || is_in(JOINTS, &row[row.len() - 1]);
                let before = at.checked_sub(1).map(|before| words[before].as_str());
                let after = words.get(end).map(String::as_str);
                let is_named = before.is_some_and(|word| is_in(KINDS, word))
                    || after.is_some_and(|word| is_in(KINDS, word) || is_in(DECLARED, word));
                if !is_loose {
                    runs.push(Run { words: row.to_vec(), is_named });
                }
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as1_identifiers_are_read_as_they_are_written() {
        let check = |question: &str, expected: &[&str]| {
            let shown = |written: &Written| match &written.owner {
                Some(owner) => format!("{owner}.{}", written.name),
                None => written.name.clone(),
            };
            let found: Vec<String> = Names::of(question).written.iter().map(shown).collect();
            assert_eq!(found, expected, "{question}");
        };
        check("Who calls select_proxy?", &["select_proxy"]);
        check("How does `res.send` decide on it?", &["res.send"]);
        check("What happens in parse()?", &["parse"]);
        check("What does Cart::total return?", &["Cart.total"]);
        check("What is `run`?", &["run"]);
        check("Where is the Blueprint made?", &["Blueprint"]);
        check("Where is a word, e.g. this one?", &[]);
        check("How are flags parsed?", &[]);
    }

    #[test]
    fn as1_paths_and_words_are_told_apart() {
        let names = Names::of("When did lib/view.js and Makefile.toml last change the cache?");
        assert_eq!(names.paths, ["lib/view.js", "Makefile.toml"]);
        assert!(names.words.contains(&"cache".to_owned()), "{:?}", names.words);
        assert!(!names.words.contains(&"the".to_owned()), "{:?}", names.words);
    }

    #[test]
    fn as1_words_in_a_row_may_be_a_name() {
        let check = |question: &str, words: &[&str], is_named: bool| {
            let runs = Names::of(question).runs;
            let found = runs.iter().find(|run| run.words == words);
            assert_eq!(found.map(|run| run.is_named), Some(is_named), "{question}: {runs:?}");
        };
        check("What does the select proxy function do?", &["select", "proxy"], true);
        check("How is the command-line parser tested?", &["command", "line", "parser"], false);
        check("Where is the router?", &["router"], false);
        check("Where is the router implemented?", &["router"], true);
    }
}
