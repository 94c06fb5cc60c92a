//! The rules of one language over one file.
//!
//! The nodes are sorted by kind once, and each rule looks at those of its kinds. What a rule may cost is bounded by
//! `fuel`; one that needs more stack than a thread is sure to have is run again where there is more.

use std::collections::BTreeMap;

use ast_grep_core::matcher::MatcherExt;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::replacer::Replacer;
use ast_grep_core::{AstGrep, Node, NodeMatch};
use rb_core::Edit;

use crate::fuel::{self, Spent};
use crate::load::severity_of;
use crate::rules::{Findings, Match, Rule, Severity};
use crate::stack::with_stack;
use crate::syntax::Syntax;

/// Steps of one rule on one file, and more for each node of it.
const STEPS: usize = 30_000_000;
const STEPS_PER_NODE: usize = 500;
/// Matches of one rule in one file.
const MAX_MATCHES: usize = 10_000;
/// Bytes that a fix may put in.
const MAX_INSERTED: usize = 1 << 20;
/// Any thread has as much left.
const SMALL_STACK: usize = 512 << 10;
const LARGE_STACK: usize = 512 << 20;

pub(crate) fn scan(rules: &[&Rule], syntax: Syntax, text: &str) -> Findings {
    let steps = STEPS + syntax.len() * STEPS_PER_NODE;
    let root = AstGrep::doc(syntax);
    let by_kind = by_kind(&root, rules);
    let mut findings = Findings::default();
    for rule in rules {
        let run = Run { rule, by_kind: &by_kind, text };
        let (found, spent) = match run.within(steps, SMALL_STACK) {
            (_, Some(Spent::Stack)) => {
                with_stack(LARGE_STACK + (1 << 20), || run.within(steps, LARGE_STACK))
            }
            done => done,
        };
        findings.matches.extend(found);
        findings.exhausted.extend(spent.map(|_| rule.id().to_owned()));
    }
    findings.matches.sort_by(|one, other| {
        (one.start, other.end, &one.rule).cmp(&(other.start, one.end, &other.rule))
    });
    findings
}

/// The nodes of each kind that a rule asks for, in the order of the text.
fn by_kind<'t>(root: &'t AstGrep<Syntax>, rules: &[&Rule]) -> BTreeMap<u16, Vec<Node<'t, Syntax>>> {
    let kinds = rules.iter().flat_map(|rule| rule.kinds.iter().copied());
    let mut by_kind: BTreeMap<u16, Vec<_>> = kinds.map(|kind| (kind, Vec::new())).collect();
    for node in root.root().dfs() {
        if let Some(nodes) = by_kind.get_mut(&node.kind_id()) {
            nodes.push(node);
        }
    }
    by_kind
}

struct Run<'r, 't> {
    rule: &'r Rule,
    by_kind: &'r BTreeMap<u16, Vec<Node<'t, Syntax>>>,
    text: &'r str,
}

impl<'t> Run<'_, 't> {
    fn within(&self, steps: usize, stack: usize) -> (Vec<Match>, Option<Spent>) {
        let mut matches = Vec::new();
        // A rule that is off is run by its tests only.
        let severity = severity_of(&self.rule.config).unwrap_or(Severity::Hint);
        let done = fuel::within(steps, stack, || {
            let mut fixed_until = 0;
            for node in self.nodes() {
                let Some(found) = self.rule.config.matcher.match_node(node) else {
                    continue;
                };
                if matches.len() == MAX_MATCHES {
                    return Some(Spent::Steps);
                }
                matches.push(self.matched(&found, severity, &mut fixed_until));
            }
            None
        });
        (matches, done.unwrap_or_else(Some))
    }

    fn nodes(&self) -> Vec<Node<'t, Syntax>> {
        let kinds = self.rule.kinds.iter();
        let mut nodes: Vec<Node<'t, Syntax>> =
            kinds.filter_map(|kind| self.by_kind.get(kind)).flatten().cloned().collect();
        nodes.sort_unstable_by_key(Node::node_id);
        nodes
    }

    /// Of fixes that overlap the first is made, which is that of the outer match.
    fn matched(
        &self,
        found: &NodeMatch<'_, Syntax>,
        severity: Severity,
        fixed_until: &mut u32,
    ) -> Match {
        let config = &self.rule.config;
        let edit = self.edit(found);
        let fix_waits = edit.as_ref().is_some_and(|edit| edit.start < *fixed_until);
        let edits: Vec<Edit> = edit.filter(|_| !fix_waits).into_iter().collect();
        *fixed_until = edits.last().map_or(*fixed_until, |edit| edit.end.max(edit.start + 1));
        let range = found.range();
        Match {
            rule: config.id.clone(),
            start: self.offset(range.start),
            end: self.offset(range.end),
            message: if self.is_affordable(found, &config.message) {
                config.get_message(found)
            } else {
                config.message.clone()
            },
            note: config.note.clone(),
            severity,
            edits,
            fix_waits,
        }
    }

    /// `None` where the rule has no fix, where it would change nothing, and where it would put in far too much.
    fn edit(&self, found: &NodeMatch<'_, Syntax>) -> Option<Edit> {
        let fixer = self.rule.config.fixer.first()?;
        if !self.is_affordable(found, &self.rule.template) {
            return None;
        }
        let range = fixer.get_replaced_range(found, &self.rule.config.matcher);
        let text = String::from_utf8(fixer.generate_replacement(found)).ok()?;
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let text = self.with_line_ends(text);
        let replaced = self.text.get(start as usize..end as usize)?;
        (replaced != text).then(|| Edit::replace(start, end, text))
    }

    /// Is what a template gives at most `MAX_INSERTED` bytes long? Lines are indented as the match and as the template
    /// are.
    fn is_affordable(&self, found: &NodeMatch<'_, Syntax>, template: &str) -> bool {
        let lines_in = |text: &[u8]| text.split(|&byte| byte == b'\n').count() - 1;
        let (mut bytes, mut lines) = (template.len(), lines_in(template.as_bytes()));
        for (name, text) in variables(found) {
            let uses = template.matches(&format!("${name}")).count();
            bytes = bytes.saturating_add(uses.saturating_mul(text.len()));
            lines = lines.saturating_add(uses.saturating_mul(lines_in(text)));
        }
        let widest = template.lines().map(str::len).max().unwrap_or(0);
        let indent = if lines > 0 { widest + self.indent(found.range().start) } else { 0 };
        bytes.saturating_add(lines.saturating_mul(indent)) <= MAX_INSERTED
    }

    /// What is put in has the line ends of the file.
    fn with_line_ends(&self, text: String) -> String {
        let first = self.text.find('\n').map_or("", |end| &self.text[..end]);
        if first.ends_with('\r') && text.contains('\n') {
            text.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            text
        }
    }

    fn indent(&self, byte: usize) -> usize {
        let before = self.text.get(..byte).unwrap_or_default();
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        line.len() - line.trim_start().len()
    }

    /// The syntax tree may have a line end that the text lacks.
    fn offset(&self, byte: usize) -> u32 {
        u32::try_from(byte.min(self.text.len())).expect("a text that is parsed has 2 MiB at most")
    }
}

/// What the metavariables of a match stand for. Names that no metavariable can have are labels.
fn variables<'m>(
    found: &'m NodeMatch<'_, Syntax>,
) -> impl Iterator<Item = (String, &'m [u8])> + 'm {
    let environment = found.get_env();
    environment.get_matched_variables().filter_map(move |variable| {
        let name = match &variable {
            MetaVariable::Capture(name, _) | MetaVariable::MultiCapture(name) => name.clone(),
            MetaVariable::Dropped(_) | MetaVariable::Multiple => return None,
        };
        let is_label = !name.starts_with(|c: char| c.is_ascii_uppercase());
        let text = environment.get_var_bytes(&variable).filter(|_| !is_label)?;
        Some((name, text))
    })
}
