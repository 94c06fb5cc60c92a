//! A ticket on its way: texts as they came, from a file or a service, until they are cleaned and read.

use rb_trust::{TextKind, scan};

use super::IntakeError;
use super::clean::{Cleaner, LONGEST_TEXT};
use super::content::{self, Content};
use super::hints::{self, hints};
use crate::ticket::{Attachment, Criterion, Hints, Origin, Source, Ticket};

const LONGEST_TITLE: usize = 200;
const LONGEST_SUMMARY: usize = 1000;
const LONGEST_STATEMENT: usize = 1000;
const MOST_STATEMENTS: usize = 100;
const NO_KEY: &str = "ticket";

#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) key: Option<String>,
    pub(super) title: Option<String>,
    pub(super) summary: Option<String>,
    /// Markdown.
    pub(super) body: String,
    /// Who wrote it, and the text. Anybody may comment, so only hints are taken from it.
    pub(super) comments: Vec<(String, String)>,
    /// There are more of them.
    pub(super) lacks_comments: bool,
    pub(super) requirements: Vec<String>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) hints: Hints,
    pub(super) attachments: Vec<Attachment>,
}

impl Draft {
    pub(super) fn finish(self, source: Source) -> Result<Ticket, IntakeError> {
        let mut cleaner = Cleaner { truncated: self.lacks_comments, ..Cleaner::default() };
        let title = self.title.map(|title| cleaner.line(&title)).filter(|title| !title.is_empty());
        let body = cleaner.clean(&self.body);
        let mut content = content::read(&body, title.as_deref());
        if let Some(summary) = self.summary {
            content.summary = cleaner.line(&summary);
        }
        lists(&mut content, self.requirements, self.criteria, &mut cleaner);
        if content.title.is_empty() && body.is_empty() {
            return Err(IntakeError::Empty);
        }
        if content.requirements.is_empty() && content.criteria.is_empty() {
            return Err(IntakeError::NothingToCheck { title: cut(&content.title, LONGEST_TITLE) });
        }
        let text = whole_text(title.as_deref(), body, &self.comments, &mut cleaner);
        let mut attachments = Vec::new();
        for Attachment { name, location } in self.attachments {
            hints::push(&mut attachments, &cleaner.line(&name), &cleaner.line(&location));
        }
        for attachment in hints::attachments(&text) {
            hints::add(&mut attachments, attachment);
        }
        cleaner.truncated |= content.requirements.len() > MOST_STATEMENTS
            || content.criteria.len() > MOST_STATEMENTS;
        content.requirements.truncate(MOST_STATEMENTS);
        content.criteria.truncate(MOST_STATEMENTS);
        let summary = if content.summary.is_empty() { &content.title } else { &content.summary };
        let key = self.key.map(|key| cut(&cleaner.line(&key), 40)).filter(|key| !key.is_empty());
        let key = key.or_else(|| key_in(&content.title, &source));
        cleaner.sort();
        Ok(Ticket {
            key: key.unwrap_or_else(|| NO_KEY.to_owned()),
            summary: cut(summary, LONGEST_SUMMARY),
            title: cut(&content.title, LONGEST_TITLE),
            requirements: content
                .requirements
                .iter()
                .map(|it| cut(it, LONGEST_STATEMENT))
                .collect(),
            criteria: content.criteria.into_iter().map(bounded).collect(),
            hints: merged(self.hints, hints(&text), &mut cleaner),
            attachments,
            stripped: cleaner.stripped,
            suspicious: scan(&text, TextKind::Message),
            source,
            text,
            truncated: cleaner.truncated,
        })
    }
}

/// Lists that came as such count before those found in the text.
fn lists(
    content: &mut Content,
    requirements: Vec<String>,
    criteria: Vec<Criterion>,
    cleaner: &mut Cleaner,
) {
    let mut lines = |texts: Vec<String>| -> Vec<String> {
        let texts = texts.into_iter().take(MOST_STATEMENTS + 1).map(|text| cleaner.line(&text));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let requirements = lines(requirements);
    let criteria: Vec<Criterion> = criteria
        .into_iter()
        .take(MOST_STATEMENTS + 1)
        .map(|criterion| Criterion {
            text: lines(vec![criterion.text]).concat(),
            given: lines(criterion.given),
            when: lines(criterion.when),
            then: lines(criterion.then),
            ..criterion
        })
        .filter(|criterion| !criterion.text.is_empty())
        .collect();
    if !requirements.is_empty() {
        content.requirements = requirements;
    }
    if !criteria.is_empty() {
        content.criteria = criteria;
    } else if content.criteria.is_empty() {
        let derived = content.requirements.iter().map(|text| Criterion {
            id: String::new(),
            text: text.clone(),
            given: Vec::new(),
            when: Vec::new(),
            then: Vec::new(),
            from: Origin::Requirement,
        });
        content.criteria = derived.collect();
    }
    content::number(&mut content.criteria);
}

fn whole_text(
    title: Option<&str>,
    body: String,
    comments: &[(String, String)],
    cleaner: &mut Cleaner,
) -> String {
    let mut text = match title {
        Some(title) => format!("# {title}\n\n{body}"),
        None => body,
    };
    for (author, comment) in comments {
        if text.len() > LONGEST_TEXT {
            break;
        }
        let author = cut(&cleaner.line(author), 40);
        let comment = cleaner.clean(comment);
        text.push_str(&["\n\n## Comment by ", &author, "\n\n", &comment].concat());
    }
    cleaner.cut(&text, LONGEST_TEXT).trim().to_owned()
}

/// `SSI-1883` at the start of the title, or as the name of the file.
fn key_in(title: &str, source: &Source) -> Option<String> {
    let word = title.split_whitespace().next().unwrap_or_default();
    let word = word.trim_matches(|c: char| "[]():".contains(c));
    let name = match source {
        Source::File(path) => {
            path.rsplit(['/', '\\']).next().and_then(|name| name.split('.').next())
        }
        Source::Stdin | Source::Github { .. } | Source::Jira { .. } => None,
    };
    [Some(word), name].into_iter().flatten().find(|text| is_key(text)).map(str::to_owned)
}

/// A Jira key: `ABC-123`.
pub(super) fn is_key(text: &str) -> bool {
    text.len() <= 40
        && text.split_once('-').is_some_and(|(project, number)| {
            project.len() >= 2
                && project.starts_with(|c: char| c.is_ascii_uppercase())
                && project
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}

fn merged(given: Hints, found: Hints, cleaner: &mut Cleaner) -> Hints {
    let mut merge = |given: Vec<String>, found: Vec<String>| {
        let mut out = Vec::new();
        for text in given.into_iter().take(MOST_STATEMENTS) {
            hints::add(&mut out, cut(&cleaner.line(&text), LONGEST_TITLE));
        }
        for text in found {
            hints::add(&mut out, text);
        }
        out
    };
    Hints {
        paths: merge(given.paths, found.paths),
        symbols: merge(given.symbols, found.symbols),
        urls: merge(given.urls, found.urls),
    }
}

fn bounded(criterion: Criterion) -> Criterion {
    let short = |text: &String| cut(text, LONGEST_STATEMENT);
    let list = |steps: &[String]| steps.iter().map(short).collect();
    Criterion {
        text: short(&criterion.text),
        given: list(&criterion.given),
        when: list(&criterion.when),
        then: list(&criterion.then),
        ..criterion
    }
}

/// At most so many characters, with a mark where something is missing.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}
