//! From the text of rule files to rules.

use std::collections::BTreeMap;

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig, Severity};
use ast_grep_core::Matcher;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::{Problem, RuleFileError};
use crate::fuel::{self, Spent};
use crate::language::{RuleLanguage, language_named};
use crate::rules::{Rule, Rules};
use crate::run_tests::Tests;
use crate::yaml::{self, Document, Item, Value};
use crate::{bounds, keys, refused};

const MAX_FILE: usize = 256 << 10;
const MAX_ID: usize = 80;
/// ast-grep reads and builds rules by recursion, as deep as documents nest.
const STACK: usize = 64 << 20;
/// Steps that building one rule may take: it parses and matches its own patterns.
const STEPS: usize = 20_000_000;

/// Can a rule have this id?
pub fn is_id(id: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    !id.is_empty() && id.len() <= MAX_ID && id.chars().all(is_plain)
}

/// Where each id was first seen.
type Seen = BTreeMap<String, (String, u32)>;

pub(crate) fn load(
    files: &[(&str, &str)],
    is_taken: &(dyn Fn(&str) -> bool + Sync),
) -> (Rules, Vec<RuleFileError>) {
    let work = || {
        let mut loader =
            Loader { is_taken, seen: Seen::new(), rules: Vec::new(), errors: Vec::new() };
        for (path, text) in files {
            loader.file(path, text);
        }
        (loader.rules, loader.errors)
    };
    let (rules, errors) = crate::stack::with_stack(STACK + (1 << 20), work);
    (Rules::new(rules), errors)
}

struct Loader<'a> {
    is_taken: &'a (dyn Fn(&str) -> bool + Sync),
    seen: Seen,
    rules: Vec<Rule>,
    errors: Vec<RuleFileError>,
}

impl Loader<'_> {
    fn file(&mut self, path: &str, text: &str) {
        if text.len() > MAX_FILE {
            let problem = Problem::FileTooLarge { bytes: text.len(), limit: MAX_FILE };
            let path = path.to_owned();
            self.errors.push(RuleFileError { path, line: 1, document: 1, rule: None, problem });
            return;
        }
        for (number, document) in (1..).zip(yaml::documents(text)) {
            let mut id = None;
            for (line, problem) in self.document(path, &document, &mut id) {
                self.errors.push(RuleFileError {
                    path: path.to_owned(),
                    line: line + document.first_line - 1,
                    document: number,
                    rule: id.clone(),
                    problem,
                });
            }
        }
    }

    /// Adds the rule of a document, or says all that is wrong with it.
    fn document(
        &mut self,
        path: &str,
        document: &Document<'_>,
        id: &mut Option<String>,
    ) -> Vec<(u32, Problem)> {
        let item = match yaml::parse(document.text) {
            Ok(item) => item,
            Err(error) => return vec![(error.line, Problem::Yaml(error.message))],
        };
        match &item.value {
            Value::Null => return Vec::new(),
            Value::Map(_) => {}
            Value::Text(_) | Value::Bool(_) | Value::Other | Value::List(_) => {
                return vec![(item.line, Problem::NotARule)];
            }
        }
        *id = item.get("id").and_then(Item::text).map(|id| id.chars().take(MAX_ID).collect());
        let mut problems = keys::unknown(&item);
        problems.extend(bounds::too_much(&item));
        let line = document.first_line + item.line - 1;
        problems.extend(self.id(&item, path, line).err());
        problems.extend(language(&item).err());
        problems.extend(severity(&item).err());
        problems.extend(rule(&item).err());
        if problems.is_empty() {
            match build(&item, document.text) {
                Ok((config, parts)) => {
                    self.rules.push(parts.with(config, path, (line, document.first_line)));
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems
    }

    /// An id is reserved also for a rule that has other faults, so that their repair brings no new ones.
    fn id(&mut self, item: &Item, path: &str, line: u32) -> Result<(), (u32, Problem)> {
        let (id, at) = required(item, "id", "add for example `id: no-console-log`")?;
        if !is_id(id) {
            let id = id.chars().take(MAX_ID).collect();
            return Err((at, Problem::BadId { id }));
        }
        if (self.is_taken)(id) {
            return Err((at, Problem::TakenId { id: id.to_owned() }));
        }
        if let Some((path, line)) = self.seen.get(id) {
            let (path, line) = (path.clone(), *line);
            return Err((at, Problem::DuplicateId { id: id.to_owned(), path, line }));
        }
        self.seen.insert(id.to_owned(), (path.to_owned(), line));
        Ok(())
    }
}

fn required<'d>(
    item: &'d Item,
    key: &'static str,
    what_to_do: &'static str,
) -> Result<(&'d str, u32), (u32, Problem)> {
    let found = item.get(key);
    let text = found.and_then(Item::text).zip(found).map(|(text, item)| (text, item.line));
    text.ok_or_else(|| {
        let line = found.map_or(item.line, |found| found.line);
        (line, Problem::MissingKey { key, what_to_do })
    })
}

fn language(item: &Item) -> Result<(), (u32, Problem)> {
    let (name, line) = required(item, "language", "add for example `language: TypeScript`")?;
    match language_named(name) {
        Some(_) => Ok(()),
        None => {
            let name = name.chars().take(MAX_ID).collect();
            Err((line, Problem::UnknownLanguage { name }))
        }
    }
}

fn rule(item: &Item) -> Result<(), (u32, Problem)> {
    let what_to_do = "add for example `rule: { pattern: console.log($A) }`";
    let missing = (item.line, Problem::MissingKey { key: "rule", what_to_do });
    item.get("rule").map(|_| ()).ok_or(missing)
}

fn severity(item: &Item) -> Result<(), (u32, Problem)> {
    let Some(item) = item.get("severity") else { return Ok(()) };
    match item.text() {
        Some("error" | "warning" | "info" | "hint" | "off") => Ok(()),
        word => {
            let word = word.unwrap_or_default().chars().take(MAX_ID).collect();
            Err((item.line, Problem::BadSeverity { word }))
        }
    }
}

/// What ast-grep knows of a document, and what it must not see.
#[derive(Deserialize)]
struct Whole {
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "taken out, so that ast-grep does not meet a key it does not know"
    )]
    tests: Option<IgnoredAny>,
    #[serde(flatten)]
    rule: SerializableRuleConfig<RuleLanguage>,
}

/// Our own parts of a rule.
struct Parts {
    template: String,
    tests: Tests,
    files: Option<GlobSet>,
    ignores: Option<GlobSet>,
}

impl Parts {
    fn with(
        self,
        config: RuleConfig<RuleLanguage>,
        path: &str,
        (line, document_line): (u32, u32),
    ) -> Rule {
        let kinds = config.matcher.potential_kinds();
        Rule {
            kinds: kinds.iter().flatten().filter_map(|kind| u16::try_from(kind).ok()).collect(),
            config,
            path: path.to_owned(),
            line,
            document_line,
            template: self.template,
            tests: self.tests,
            files: self.files,
            ignores: self.ignores,
        }
    }
}

fn build(item: &Item, text: &str) -> Result<(RuleConfig<RuleLanguage>, Parts), (u32, Problem)> {
    let fix = item.get("fix");
    let fix = fix.and_then(|fix| fix.items().first()).or(fix);
    let template = fix.and_then(|fix| fix.text().or_else(|| fix.get("template")?.text()));
    let parts = Parts {
        template: template.unwrap_or_default().to_owned(),
        tests: Tests::read(item)?,
        files: globs(item.get("files"))?,
        ignores: globs(item.get("ignores"))?,
    };
    let rule_line = item.get("rule").map_or(item.line, |rule| rule.line);
    let made = fuel::within(STEPS, STACK, || {
        let whole: Whole = yaml::read(text).map_err(|error| {
            // Below the top ast-grep's reader knows no lines any more.
            let line = if error.line > 1 { error.line } else { rule_line };
            (line, Problem::BadRule(error.message))
        })?;
        let made = RuleConfig::try_from(whole.rule, &GlobalRules::default());
        made.map_err(|error| refused::in_words(&error, item))
    });
    let config = made.unwrap_or_else(|spent| {
        let what = match spent {
            Spent::Steps | Spent::Stack => "the work to build it",
            Spent::Panic => "something in it that the matcher cannot handle",
        };
        let what_to_do = "take the rule apart";
        Err((rule_line, Problem::TooMuch { what: what.to_owned(), what_to_do }))
    })?;
    Ok((config, parts))
}

fn globs(item: Option<&Item>) -> Result<Option<GlobSet>, (u32, Problem)> {
    let Some(item) = item else { return Ok(None) };
    let mut set = GlobSetBuilder::new();
    for entry in item.items() {
        let text = entry.text().or_else(|| entry.get("glob").and_then(Item::text));
        let text = text.unwrap_or_default();
        let in_any_case = entry.get("caseInsensitive").map(|item| &item.value);
        // As in ast-grep, `*` also stands for `/`.
        let glob = GlobBuilder::new(text.strip_prefix("./").unwrap_or(text))
            .case_insensitive(in_any_case == Some(&Value::Bool(true)))
            .build();
        set.add(glob.map_err(|error| bad_glob(entry.line, text, &error))?);
    }
    set.build().map(Some).map_err(|error| bad_glob(item.line, "", &error))
}

fn bad_glob(line: u32, glob: &str, error: &globset::Error) -> (u32, Problem) {
    let glob = glob.chars().take(MAX_ID).collect();
    (line, Problem::BadGlob { glob, message: error.kind().to_string() })
}

/// In the words of this product, which are those of the file.
pub(crate) fn severity_of(config: &RuleConfig<RuleLanguage>) -> Option<crate::Severity> {
    match config.severity {
        Severity::Off => None,
        Severity::Hint => Some(crate::Severity::Hint),
        Severity::Info => Some(crate::Severity::Info),
        Severity::Warning => Some(crate::Severity::Warning),
        Severity::Error => Some(crate::Severity::Error),
    }
}
