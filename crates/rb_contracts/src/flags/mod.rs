//! What people type: programs, commands, flags and arguments, one file per language and one for manifests.
//!
//! A file is parsed when its text has a word that only a command line has. Flags of programs that read their arguments by
//! hand are not seen.

mod ecma;
mod go;
mod manifests;
mod python;
mod rust;

use aho_corasick::AhoCorasick;
use rb_lang::Language;

use crate::error::ContractError;
use crate::model::Flag;
use crate::names::Programs;
use crate::sources::Sources;
use crate::syntax::{self, Parsed};

const ECMA: &[&str] =
    &[".option(", ".requiredOption(", ".argument(", ".command(", "parseArgs(", ".options("];
const PYTHON: &[&str] = &["add_argument(", "click.", "typer.", "@option(", "@argument("];
const RUST: &[&str] = &["clap", "structopt"];
const GO: &[&str] = &["flag.", "Flags()", "pflag", "cobra"];

/// A flag before it is known which program it belongs to. `command` is empty for the program itself.
#[derive(Debug, Default, Clone)]
pub(crate) struct FoundFlag {
    pub(crate) command: String,
    pub(crate) name: String,
    pub(crate) short: Option<String>,
    pub(crate) value: bool,
    pub(crate) required: bool,
    pub(crate) default: Option<String>,
    pub(crate) line: u32,
}

pub(crate) fn read(sources: &Sources<'_>, programs: &Programs) -> Result<Vec<Flag>, ContractError> {
    let mut out = manifests::read(sources);
    let words = |list: &[&str]| AhoCorasick::new(list).expect("the words are few and plain");
    let (ecma, python, rust, go) = (words(ECMA), words(PYTHON), words(RUST), words(GO));
    for (id, path, language) in sources.files() {
        let (words, read): (_, fn(&str, &Parsed) -> Vec<FoundFlag>) = match language {
            Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
                (&ecma, ecma::read)
            }
            Some(Language::Python) => (&python, python::read),
            Some(Language::Rust) => (&rust, rust::read),
            Some(Language::Go) => (&go, go::read),
            _ => continue,
        };
        let found = sources.reading(id, || {
            let text = sources.text(path)?.filter(|text| words.is_match(text));
            let parsed = text.and_then(|text| syntax::parse(language?, text));
            Ok(parsed.map(|parsed| read(path, &parsed)).unwrap_or_default())
        })?;
        let program = programs.name(path);
        out.extend(found.iter().cloned().map(|found| flag(program, path, found)));
    }
    Ok(out)
}

fn flag(program: &str, path: &str, found: FoundFlag) -> Flag {
    let FoundFlag { command, name, short, value, required, default, line } = found;
    let program = format!("{program} {command}").trim().to_owned();
    let default = default.map(|it| syntax::bounded(&it));
    Flag { program, name, short, value, required, default, file: path.to_owned(), line }
}
