//! What a rule is handed while it looks at a file, and how it says what it found.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::Span;
use rb_core::Edit;
use rb_ecma::{ImportBinding, Imported, Module};

use crate::exports::exported_function;
use crate::facts::Facts;
use crate::finding::{Applicability, Certainty, Finding, Fix, Severity};
use crate::rule::{Impact, Rule};
use crate::world::{Target, World};

pub struct Cx<'c, 'a> {
    pub module: &'c Module<'a>,
    pub facts: &'c Facts,
    pub world: &'c dyn World,
    rule: &'static Rule,
    found: Vec<Finding>,
}

/// One place that a rule speaks of.
#[derive(Debug, Clone)]
pub struct Hit {
    span: Span,
    message: String,
    is_low: bool,
    /// The condition of the rule that could not be checked.
    unproved: Option<String>,
    fix: Option<Fix>,
}

impl Hit {
    /// The message says what is wrong here and what to do, in the terms of this code.
    pub fn at(span: Span, message: impl Into<String>) -> Self {
        Hit { span, message: message.into(), is_low: false, unproved: None, fix: None }
    }

    /// A candidate: `condition` says what the rule could not check, as in "`auth()` may depend on `chat`".
    pub fn likely(mut self, condition: impl Into<String>) -> Self {
        self.unproved = Some(condition.into());
        self
    }

    /// Worth less here than elsewhere: one step less grave.
    pub fn low(mut self) -> Self {
        self.is_low = true;
        self
    }

    /// An edit that is proved to keep behaviour.
    pub fn auto(self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.with(Applicability::Auto, title, edits, None)
    }

    /// A draft.
    pub fn assist(self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.with(Applicability::Assist, title, edits, None)
    }

    /// A proved edit where nothing speaks against it, a draft with the reason otherwise.
    pub fn auto_unless(
        self,
        doubt: Option<impl Into<String>>,
        title: impl Into<String>,
        edits: Vec<Edit>,
    ) -> Self {
        match doubt {
            None => self.auto(title, edits),
            Some(doubt) => self.with(Applicability::Assist, title, edits, Some(doubt.into())),
        }
    }

    /// Edits in another file that belong to the fix.
    pub fn and_in(mut self, path: impl Into<String>, edits: Vec<Edit>) -> Self {
        if let Some(fix) = &mut self.fix {
            fix.elsewhere.push((path.into(), edits));
        }
        self
    }

    fn with(
        mut self,
        applicability: Applicability,
        title: impl Into<String>,
        mut edits: Vec<Edit>,
        doubt: Option<String>,
    ) -> Self {
        edits.sort_by_key(|edit| (edit.start, edit.end));
        let title = title.into();
        self.fix = Some(Fix { applicability, title, edits, elsewhere: Vec::new(), doubt });
        self
    }
}

impl<'c, 'a> Cx<'c, 'a> {
    pub fn new(
        module: &'c Module<'a>,
        facts: &'c Facts,
        world: &'c dyn World,
        rule: &'static Rule,
    ) -> Self {
        Cx { module, facts, world, rule, found: Vec::new() }
    }

    pub fn report(&mut self, hit: Hit) {
        let (start, end) = (self.module.place(hit.span.start), self.module.place(hit.span.end));
        let finding = Finding {
            path: self.facts.path.to_string(),
            start: hit.span.start,
            end: hit.span.end,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            rule: self.rule.id.to_owned(),
            severity: severity(self.rule.impact, hit.is_low),
            certainty: Certainty::Proved,
            message: hit.message,
            fix: hit.fix,
        };
        self.found.push(match hit.unproved {
            Some(condition) => finding.likely(&condition),
            None => finding,
        });
    }

    pub fn finish(self) -> Vec<Finding> {
        self.found
    }

    /// Does a function of another file have no effect?
    pub fn is_pure_outside(&self, import: &ImportBinding<'_>) -> bool {
        asked(self.world, &self.facts.path, import, "pure function", 3)
    }

    pub fn is_pure1(&self, expression: &Expression<'a>) -> bool {
        self.module.is_pure1(expression, &|import| self.is_pure_outside(import))
    }

    /// READONLY-ASYNC, through functions of other files.
    pub fn is_readonly_async(&self, expression: &Expression<'a>) -> bool {
        self.module.is_readonly_async(expression, &|import| {
            asked(self.world, &self.facts.path, import, "reading function", 3)
        })
    }

    /// The file and the name of what an import leads to, through re-exports; `None` outside of the project.
    pub fn origin(&self, import: &ImportBinding<'_>) -> Option<(String, String)> {
        origin(self.world, &self.facts.path, import)
    }

    /// What a name used as an element leads to: `("ui/button.tsx", "Button")`. A component of this file gives this file.
    pub fn component_origin(
        &self,
        name: &oxc_ast::ast::IdentifierReference<'a>,
    ) -> Option<(String, String)> {
        let symbol = self.module.symbol(name)?;
        match self.module.import(symbol) {
            Some(import) => self.origin(import),
            None => Some((self.facts.path.to_string(), name.name.to_string())),
        }
    }
}

fn origin(world: &dyn World, path: &str, import: &ImportBinding<'_>) -> Option<(String, String)> {
    let Target::File(file) = world.resolve(path, import.source) else { return None };
    let name = match import.imported {
        Imported::Default => "default",
        Imported::Named(name) => name,
        Imported::Namespace => return None,
    };
    world.origin(&file, name)
}

/// Follows a function into other files, so many steps.
fn asked(
    world: &dyn World,
    path: &str,
    import: &ImportBinding<'_>,
    question: &'static str,
    steps: u32,
) -> bool {
    let Some((file, name)) = (steps > 0).then(|| origin(world, path, import)).flatten() else {
        return false;
    };
    // How far calls may still be followed is part of the question.
    let key = format!("{steps} {name}");
    let answer = world.ask(question, &file, &key, |module| {
        let outside = |import: &ImportBinding<'_>| asked(world, &file, import, question, steps - 1);
        exported_function(module, &name).is_some_and(|func| match question {
            "pure function" => module.is_pure_function(func, &outside),
            _ => module.is_reader(func, &outside),
        })
    });
    answer.unwrap_or(false)
}

fn severity(impact: Impact, is_low: bool) -> Severity {
    match (impact, is_low) {
        (Impact::Critical, false) => Severity::Error,
        (Impact::Critical, true) | (Impact::High | Impact::MediumHigh | Impact::Medium, false) => {
            Severity::Warning
        }
        (Impact::High | Impact::MediumHigh | Impact::Medium, true)
        | (Impact::LowMedium | Impact::Low, _) => Severity::Note,
    }
}

/// Is the node the child of an element, so that its value is shown?
pub fn is_rendered(module: &Module<'_>, node: oxc_semantic::NodeId) -> bool {
    let mut around = module.ancestors(node);
    matches!(around.next(), Some(AstKind::JSXExpressionContainer(_)))
        && matches!(around.next(), Some(AstKind::JSXElement(_) | AstKind::JSXFragment(_)))
}
