//! Runs of statements that wait one after the other without a need, and the `Promise.all` that takes their place.

use oxc_ast::ast::{BindingPattern, Expression, Statement, VariableDeclarationKind};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::awaits::{Step, depends, is_in_try, is_meant, is_ordered, is_plain_pattern};
use super::inside::inside;
use super::names::{Sort, elements, promise_all, sort, words};
use super::proofs::{doubt_of_read, doubt_of_start};
use crate::cx::{Cx, Hit};

/// More at once is a question of load.
const MOST: usize = 6;

/// Steps beside each other, none of which needs another.
#[derive(Debug)]
pub struct Run<'a> {
    pub steps: Vec<Step<'a>>,
}

/// A statement that waits for a read and nothing else.
pub fn reading_step<'a>(cx: &Cx<'_, 'a>, statement: &'a Statement<'a>) -> Option<Step<'a>> {
    let step = Step::of(statement)?;
    let fits = match sort(cx, step.awaited) {
        Sort::Read => step.bound.is_some(),
        Sort::Prefetch => step.bound.is_none(),
        Sort::Identity | Sort::Gate | Sort::Cheap | Sort::Other => false,
    };
    fits.then_some(step)
}

/// The runs of one list of statements.
pub fn runs_of<'a>(cx: &Cx<'_, 'a>, list: &'a [Statement<'a>]) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    let mut open: Vec<Step<'a>> = Vec::new();
    // Most lists wait for nothing, or once.
    if list.iter().filter(|it| Step::of(it).is_some()).take(2).count() < 2 {
        return runs;
    }
    for statement in list {
        let step = reading_step(cx, statement);
        let fits = step.as_ref().is_some_and(|step| {
            !open.iter().any(|earlier| {
                // What is read may come out of the cache that was filled before.
                step.bound.is_some() != earlier.bound.is_some()
                    || depends(cx.module, step.span(), earlier)
                    || is_same(cx.module, step, earlier)
            })
        });
        if !fits && !open.is_empty() {
            runs.push(Run { steps: std::mem::take(&mut open) });
        }
        open.extend(step);
    }
    runs.push(Run { steps: open });
    runs.retain(|run| {
        run.steps.len() > 1
            && !is_ordered(cx.module, run.steps[0].node)
            && !is_meant(cx.module, run.span())
            && !run.steps.iter().any(|it| is_temporary(cx.module, it))
            // `await this.getUser(id)`, where the method adds the user that is not there, keeps it, or asks who may see it.
            && !run.steps.iter().any(|it| {
                let it = inside(cx, it.awaited.span());
                it.writes || it.guards || it.is_idle
            })
    });
    runs
}

/// Does a condition look at a read right above that this one could run together with? Then that is the greater gain, and
/// `async-parallel` or `async-dependencies` tells of it.
pub fn runs_with<'a>(
    cx: &Cx<'_, 'a>,
    above: &'a Statement<'a>,
    step: &Step<'a>,
    condition: Span,
) -> bool {
    reading_step(cx, above).is_some_and(|above| {
        above.symbols().iter().any(|&it| cx.module.mentions(condition, it))
            && (!depends(cx.module, step.span(), &above)
                || promise_all(cx.module, above.awaited).is_some())
    })
}

/// A file or a folder that is made for a while: who fills it is not done when another one fails, and it is deleted.
fn is_temporary(module: &Module<'_>, step: &Step<'_>) -> bool {
    let text = module.slice(step.awaited.span());
    let mut names = text.split(|it: char| !it.is_alphanumeric());
    names.any(|name| words(name).iter().any(|it| it == "temp" || it == "tmp" || it == "tmpdir"))
}

/// Who reads the same thing twice wants to see what has changed meanwhile.
fn is_same<'a>(module: &Module<'a>, one: &Step<'a>, other: &Step<'a>) -> bool {
    module.slice(one.awaited.span()) == module.slice(other.awaited.span())
}

impl<'a> Run<'a> {
    pub fn span(&self) -> Span {
        let (first, last) = (&self.steps[0], &self.steps[self.steps.len() - 1]);
        Span::new(first.span().start, last.span().end)
    }

    /// What is found, with the edit.
    pub fn hit(&self, cx: &Cx<'_, 'a>) -> Hit {
        let module = cx.module;
        let labels: Vec<String> =
            self.steps.iter().map(|it| format!("`{}`", it.label(module))).collect();
        let (last, others) = labels.split_last().expect("a run has two steps at least");
        let message = format!(
            "{} and {last} are independent but awaited in sequence; run them in parallel with `Promise.all`",
            others.join(", ")
        );
        let hit = Hit::at(self.span(), message);
        let shares_state = self.steps.iter().any(|it| it.bound.is_none() || is_own(module, it));
        let hit = if shares_state { hit.low() } else { hit };
        match self.edit(module) {
            Some(edit) => hit.auto_unless(self.doubt(cx), "run them in parallel", vec![edit]),
            None => hit,
        }
    }

    /// Why it is not proved that nobody sees the difference.
    fn doubt(&self, cx: &Cx<'_, 'a>) -> Option<String> {
        let first = &self.steps[0];
        if self.steps.len() > MOST {
            return Some(format!("{} parallel calls may be too many", self.steps.len()));
        }
        if is_in_try(cx.module, first.node) {
            return Some("the enclosing `try` may depend on which call fails".to_owned());
        }
        if cx.module.function_around(first.node).is_none() {
            return Some("this is a top-level `await`".to_owned());
        }
        if let Some(it) = self.steps.iter().find(|it| !is_kept(it)) {
            return Some(format!("`{}` is not bound to a plain `const`", it.label(cx.module)));
        }
        self.steps.iter().enumerate().find_map(|(at, step)| {
            let reads = doubt_of_read(cx, step.awaited);
            reads.or_else(|| if at > 0 { doubt_of_start(cx, step.awaited) } else { None })
        })
    }

    /// One statement in the place of all; none where a comment would be lost or the parts do not fit together.
    fn edit(&self, module: &Module<'a>) -> Option<Edit> {
        let gaps = self.steps.windows(2);
        let commented = gaps
            .into_iter()
            .any(|pair| module.has_comment(Span::new(pair[0].span().end, pair[1].span().start)));
        if commented || self.steps.iter().any(|it| loses_comment(module, it)) {
            return None;
        }
        let keyword = self.keyword()?;
        let mut targets: Vec<String> = Vec::new();
        let mut values: Vec<String> = Vec::new();
        for step in &self.steps {
            let (target, value) = parts(module, step)?;
            targets.extend(target);
            values.extend(value);
        }
        let code = statement_code(module, self.span().start, keyword, &targets, &values);
        Some(Edit::replace(self.span().start, self.span().end, code))
    }

    /// `const`, `let`, or nothing where nothing is bound; none where they are mixed.
    fn keyword(&self) -> Option<&'static str> {
        let mut keywords: Vec<&'static str> = self
            .steps
            .iter()
            .map(|step| match step.bound.as_ref().map(|it| it.declaration.kind) {
                None => "",
                Some(VariableDeclarationKind::Const) => "const",
                Some(VariableDeclarationKind::Let) => "let",
                Some(VariableDeclarationKind::Var) => "var",
                Some(VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) => {
                    "using"
                }
            })
            .collect();
        keywords.dedup();
        match keywords[..] {
            [only] if only != "using" => Some(only),
            _ => None,
        }
    }
}

/// `this.load()`: what it reads is not seen here.
fn is_own(module: &Module<'_>, step: &Step<'_>) -> bool {
    module.slice(step.awaited.span()).contains("this.")
}

/// `const` without a type, taken apart by names alone.
fn is_kept(step: &Step<'_>) -> bool {
    step.bound.as_ref().is_some_and(|it| {
        it.declaration.kind == VariableDeclarationKind::Const
            && it.declarator.type_annotation.is_none()
            && is_plain_pattern(&it.declarator.id)
    })
}

/// A comment between the parts that are kept.
fn loses_comment(module: &Module<'_>, step: &Step<'_>) -> bool {
    let value = step.awaited.span();
    let start = step.span().start;
    let pattern = step.bound.as_ref().map(|it| it.declarator.id.span());
    let from = pattern.map_or(start, |it| it.end);
    module.has_comment(Span::new(from, value.start))
        || module.has_comment(Span::new(value.end, step.span().end))
        || pattern.is_some_and(|it| module.has_comment(Span::new(start, it.start)))
}

/// What a step binds and what it waits for; those of a `Promise.all` that is taken apart go in beside the others.
pub fn parts<'a>(module: &Module<'a>, step: &Step<'a>) -> Option<(Vec<String>, Vec<String>)> {
    let Some(bound) = &step.bound else {
        return Some((Vec::new(), vec![promise_code(module, step.awaited)?]));
    };
    if bound.declarator.type_annotation.is_some() {
        return None;
    }
    if let Some(call) = promise_all(module, step.awaited)
        && let Some(values) = elements(call)
        && let BindingPattern::ArrayPattern(pattern) = &bound.declarator.id
    {
        let fits = pattern.rest.is_none() && pattern.elements.len() == values.len();
        if !fits || module.has_comment(step.span()) {
            return None;
        }
        let targets = pattern
            .elements
            .iter()
            .map(|it| it.as_ref().map_or(String::new(), |it| module.slice(it.span()).to_owned()));
        let at = step.span().start;
        let values = values.iter().map(|it| value_code(module, it, at)).collect::<Option<_>>()?;
        return Some((targets.collect(), values));
    }
    let target = module.slice(bound.declarator.id.span()).to_owned();
    Some((vec![target], vec![value_code(module, step.awaited, step.span().start)?]))
}

/// The code that gives the promise, its lines moved back where it begins further in than the statement.
fn value_code<'a>(
    module: &Module<'a>,
    value: &'a Expression<'a>,
    statement: u32,
) -> Option<String> {
    let code = promise_code(module, value)?;
    let (from, to) = (module.indent_at(value.span().start), module.indent_at(statement));
    if code.contains('`') || !from.starts_with(to) {
        return Some(code);
    }
    Some(code.replace(&format!("\n{from}"), &format!("\n{to}")))
}

/// The code that gives the promise. `(await f()).json()` waits by itself: it becomes `f().then(…)`.
pub fn promise_code<'a>(module: &Module<'a>, awaited: &'a Expression<'a>) -> Option<String> {
    let waits = |span: Span| module.slice(span).contains("await");
    if !waits(awaited.span()) {
        return Some(module.code(awaited));
    }
    let Expression::CallExpression(call) = awaited else { return None };
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    let Expression::AwaitExpression(inner) = member.object.get_inner_expression() else {
        return None;
    };
    let rest = Span::new(member.property.span.start, call.span.end);
    if waits(inner.argument.span()) || waits(rest) {
        return None;
    }
    let name = module.fresh_name("response");
    let source = module.operand_code(&inner.argument);
    Some(format!("{source}.then(({name}) => {name}.{})", module.slice(rest)))
}

/// `const [a, b] = await Promise.all([f(), g()]);`, over several lines where it is long.
pub fn statement_code(
    module: &Module<'_>,
    at: u32,
    keyword: &str,
    targets: &[String],
    values: &[String],
) -> String {
    const WIDTH: usize = 80;
    let style = module.style();
    let (indent, step, eol) = (module.indent_at(at).to_owned(), style.indent, style.line_end);
    let end = style.semicolon();
    let lines = |parts: &[String]| {
        let inner = format!("{indent}{step}");
        let moved: Vec<String> = parts.iter().map(|it| indented(it, step)).collect();
        let comma = if style.trailing_commas { "," } else { "" };
        let body = moved.join(&format!(",{eol}{inner}"));
        format!("[{eol}{inner}{body}{comma}{eol}{indent}]")
    };
    let flat = |parts: &[String]| format!("[{}]", parts.join(", "));
    let head = |targets: &str| match keyword {
        "" => "await Promise.all(".to_owned(),
        _ => format!("{keyword} {targets} = await Promise.all("),
    };
    let is_flat = values.iter().all(|it| !it.contains('\n'));
    let one = format!("{}{}){end}", head(&flat(targets)), flat(values));
    if is_flat && indent.len() + one.len() <= WIDTH {
        return one;
    }
    let short = indent.len() + head(&flat(targets)).len() < WIDTH;
    let targets = if short { flat(targets) } else { lines(targets) };
    format!("{}{}){end}", head(&targets), lines(values))
}

/// One step further in; a text over several lines is left as it is.
fn indented(code: &str, step: &str) -> String {
    if code.contains('`') { code.to_owned() } else { code.replace('\n', &format!("\n{step}")) }
}
