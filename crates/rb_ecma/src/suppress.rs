//! SUPPRESS: comments by which a person says "leave this".
//!
//! `// refactor-bot-disable-next-line RULE, RULE: why`, `// refactor-bot-disable-line`, `/* refactor-bot-disable RULE */` up to
//! `/* refactor-bot-enable RULE */`, and `refactor-bot-disable-file`. Without a rule, all are meant.

use oxc_ast::ast::Comment;

use crate::module::Module;

/// One comment that asks for silence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// Empty for all rules.
    pub rules: Vec<String>,
    /// The lines it covers, both ends counted in.
    pub first_line: u32,
    pub last_line: u32,
    /// Where the comment stands.
    pub line: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suppressions(pub Vec<Suppression>);

impl Suppressions {
    pub fn of(module: &Module<'_>) -> Self {
        let mut found = Vec::new();
        let mut open: Vec<Suppression> = Vec::new();
        for comment in module.comments() {
            read(module, comment, &mut found, &mut open);
        }
        found.append(&mut open);
        Suppressions(found)
    }

    /// The comment that silences a rule on a line.
    pub fn covering(&self, rule: &str, line: u32) -> Option<&Suppression> {
        self.0.iter().find(|it| {
            (it.first_line..=it.last_line).contains(&line)
                && (it.rules.is_empty() || it.rules.iter().any(|named| named == rule))
        })
    }
}

fn read(
    module: &Module<'_>,
    comment: &Comment,
    found: &mut Vec<Suppression>,
    open: &mut Vec<Suppression>,
) {
    let text = module.slice(comment.content_span()).trim();
    let Some(rest) = text.strip_prefix("refactor-bot-") else { return };
    let (word, rules) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let rules = names(rules);
    let line = module.line(comment.span.start);
    let last = module.line(comment.span.end.saturating_sub(1).max(comment.span.start));
    let mut push = |first_line, last_line| {
        found.push(Suppression { rules: rules.clone(), first_line, last_line, line });
    };
    match word {
        "disable-next-line" => push(last + 1, last + 1),
        "disable-line" => push(line, line),
        "disable-file" => push(1, u32::MAX),
        "disable" => open.push(Suppression { rules, first_line: line, last_line: u32::MAX, line }),
        "enable" => {
            for mut ended in open.extract_if(.., |it| rules.is_empty() || it.rules == rules) {
                ended.last_line = line;
                found.push(ended);
            }
        }
        _ => {}
    }
}

/// `a, b: why` and `a b -- why` name two rules.
fn names(text: &str) -> Vec<String> {
    let text = text.split(" -- ").next().unwrap_or(text);
    let text = text.split(": ").next().unwrap_or(text).trim_end_matches(':');
    let words = text.split([',', ' ', '\t']).map(str::trim).filter(|it| !it.is_empty());
    words.map(str::to_owned).collect()
}
