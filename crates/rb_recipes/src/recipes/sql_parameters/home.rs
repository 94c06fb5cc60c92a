//! Where the values of parameters live in the code, and how new ones get there.

use oxc_ast::ast::{
    Argument, ArrayExpression, CallExpression, Expression, ObjectExpression, ObjectProperty,
    ObjectPropertyKind,
};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

/// The place for values.
#[derive(Debug)]
pub(super) enum Home<'a> {
    /// There is none yet: what comes before and after a new list.
    Missing { at: u32, before: String, after: String },
    /// One by one, in an array or as arguments. With none yet, the first goes to `first`, with what comes before it.
    Listed { items: Vec<Item>, first: u32, lead: String },
    /// Something that gives the list.
    Given(&'a Expression<'a>),
    /// By name, or in a way that cannot be followed.
    Odd(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) span: Span,
    pub(super) is_spread: bool,
}

/// A value on its way: its code, and how many values of the old ones stand before or behind it, where that is known.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) code: String,
    pub(super) before: Option<usize>,
    pub(super) behind: Option<usize>,
}

/// The home in an argument that holds a list; a callback may stand there instead.
pub(super) fn in_argument<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    at: usize,
    is_callback: impl Fn(&'a Expression<'a>) -> bool,
) -> Home<'a> {
    match call.arguments.get(at) {
        Some(Argument::SpreadElement(_)) => Home::Odd("its arguments use spread syntax"),
        Some(argument) => match argument.as_expression() {
            Some(it) if is_callback(it) => before_argument(module, call, at),
            Some(it) => in_value(module, it),
            None => Home::Odd("its arguments use spread syntax"),
        },
        None if call.arguments.len() == at => behind_arguments(module, call, "", ""),
        None => Home::Odd("arguments are missing before its parameters"),
    }
}

/// The home that an expression is.
pub(super) fn in_value<'a>(module: &Module<'a>, value: &'a Expression<'a>) -> Home<'a> {
    match value.get_inner_expression() {
        Expression::ArrayExpression(it) => in_array(it),
        Expression::ObjectExpression(it) if !it.properties.is_empty() => {
            Home::Odd("it uses named parameters")
        }
        Expression::ObjectExpression(it) => replaced(it.span),
        Expression::NullLiteral(it) => replaced(it.span),
        it if module.is_global_named(it, "undefined") => replaced(it.span()),
        it => Home::Given(it),
    }
}

/// What stands there says nothing; the list is put before it, and `strip` takes it away.
fn replaced<'a>(_: Span) -> Home<'a> {
    Home::Odd("its parameters are given as an empty object or `null`")
}

fn in_array<'a>(array: &'a ArrayExpression<'a>) -> Home<'a> {
    let items = array.elements.iter();
    let items = items.map(|it| Item { span: it.span(), is_spread: it.is_spread() }).collect();
    Home::Listed { items, first: array.span.start + 1, lead: String::new() }
}

/// Arguments from a place on, each a value of its own; a callback ends them.
pub(super) fn in_arguments<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    from: usize,
    is_callback: impl Fn(&'a Expression<'a>) -> bool,
) -> Home<'a> {
    let end = match call.arguments.last().and_then(Argument::as_expression) {
        Some(last) if call.arguments.len() > from && is_callback(last) => call.arguments.len() - 1,
        _ => call.arguments.len(),
    };
    let items: Vec<Item> = call.arguments[from..end]
        .iter()
        .map(|it| Item { span: it.span(), is_spread: matches!(it, Argument::SpreadElement(_)) })
        .collect();
    let (first, lead) = match from.checked_sub(1).and_then(|it| call.arguments.get(it)) {
        Some(before) => (before.span().end, separator(module, call)),
        None => (call.span.end - 1, String::new()),
    };
    Home::Listed { items, first, lead }
}

/// A property of an object of options; `key` is there, or it is added.
pub(super) fn in_options<'a>(
    module: &Module<'a>,
    options: &'a ObjectExpression<'a>,
    key: &str,
) -> Home<'a> {
    if options.properties.iter().any(|it| matches!(it, ObjectPropertyKind::SpreadProperty(_))) {
        return Home::Odd("its options use spread syntax");
    }
    if let Some(property) = property(options, key) {
        return in_value(module, &property.value);
    }
    match options.properties.last() {
        Some(last) => {
            let before = module.text()[..options.properties[0].span().start as usize].chars();
            let space: String = before.rev().take_while(|it| it.is_whitespace()).collect();
            let space: String = space.chars().rev().collect();
            let space = if space.contains('\n') { space } else { " ".to_owned() };
            Home::Missing {
                at: last.span().end,
                before: format!(",{space}{key}: "),
                after: String::new(),
            }
        }
        None => {
            let before = format!(" {key}: ");
            Home::Missing { at: options.span.start + 1, before, after: " ".to_owned() }
        }
    }
}

pub(super) fn property<'a>(
    options: &'a ObjectExpression<'a>,
    key: &str,
) -> Option<&'a ObjectProperty<'a>> {
    options.properties.iter().find_map(|it| match it {
        ObjectPropertyKind::ObjectProperty(it)
            if it.key.static_name().is_some_and(|it| it == key) =>
        {
            Some(&**it)
        }
        _ => None,
    })
}

/// A new last argument.
pub(super) fn behind_arguments<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    before: &str,
    after: &str,
) -> Home<'a> {
    let (at, lead) = match call.arguments.last() {
        Some(last) => (end_of(module, last.span()), separator(module, call)),
        None => (call.span.end - 1, String::new()),
    };
    Home::Missing { at, before: format!("{lead}{before}"), after: after.to_owned() }
}

/// With the parentheses around it.
fn end_of(module: &Module<'_>, span: Span) -> u32 {
    super::code::outer(module, span).end
}

fn before_argument<'a>(module: &Module<'a>, call: &'a CallExpression<'a>, at: usize) -> Home<'a> {
    let here = super::code::outer(module, call.arguments[at].span()).start;
    let space = match at.checked_sub(1).map(|it| call.arguments[it].span().end) {
        Some(end) => {
            let between = &module.text()[end as usize..here as usize];
            let space = between.rfind(',').map_or(" ", |it| &between[it + 1..]);
            if module.has_comment(Span::new(end, here)) { " " } else { space }
        }
        None => " ",
    };
    Home::Missing { at: here, before: String::new(), after: format!(",{space}") }
}

/// The comma, and the white space that the author puts between arguments.
fn separator(module: &Module<'_>, call: &CallExpression<'_>) -> String {
    let Some(first) = call.arguments.first() else { return String::new() };
    let start = first.span().start as usize;
    let before: String =
        module.text()[..start].chars().rev().take_while(|it| it.is_whitespace()).collect();
    let before: String = before.chars().rev().collect();
    if before.contains('\n') { format!(",{before}") } else { ", ".to_owned() }
}

impl Home<'_> {
    /// Puts values there. The reason where they cannot be put in their order.
    pub(super) fn place(
        &self,
        module: &Module<'_>,
        entries: &[Entry],
        others: &[Edit],
    ) -> Result<Vec<Edit>, String> {
        match self {
            Home::Missing { at, before, after } => {
                let list = spread_out(module, *at, (before, after), entries, others);
                Ok(vec![Edit::insert(*at, format!("{before}[{list}]{after}"))])
            }
            Home::Listed { items, first, lead } if items.is_empty() => {
                let is_array = module.text()[..*first as usize].ends_with('[');
                let list = if is_array {
                    spread_out(module, *first, ("", ""), entries, others)
                } else {
                    codes(entries).join(", ")
                };
                Ok(vec![Edit::insert(*first, format!("{lead}{list}"))])
            }
            Home::Listed { items, .. } => listed(items, entries),
            Home::Given(list) => given(module, list, entries),
            Home::Odd(why) => Err((*why).to_owned()),
        }
    }

    /// As `place`, for a list that has a name already.
    pub(super) fn place_named(&self, module: &Module<'_>, name: &str) -> Result<Vec<Edit>, String> {
        match self {
            Home::Missing { at, before, after } => {
                Ok(vec![Edit::insert(*at, format!("{before}{name}{after}"))])
            }
            Home::Listed { items, first, lead } if items.is_empty() => {
                if lead.is_empty() && module.text()[..*first as usize].ends_with('[') {
                    return Ok(vec![Edit::replace(*first - 1, *first + 1, name.to_owned())]);
                }
                Ok(vec![Edit::insert(*first, format!("{lead}...{name}"))])
            }
            Home::Listed { .. } | Home::Given(_) => {
                Err("it already has parameters, and the SQL string is built elsewhere".to_owned())
            }
            Home::Odd(why) => Err((*why).to_owned()),
        }
    }

    pub(super) fn has_values(&self) -> bool {
        match self {
            Home::Missing { .. } => false,
            Home::Listed { items, .. } => !items.is_empty(),
            Home::Given(_) | Home::Odd(_) => true,
        }
    }
}

fn codes(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|it| it.code.as_str()).collect()
}

/// The values on one line, or each on its own where the line would grow too long.
fn spread_out(
    module: &Module<'_>,
    at: u32,
    (before, after): (&str, &str),
    entries: &[Entry],
    others: &[Edit],
) -> String {
    const LONGEST: usize = 100;
    let text = module.text();
    let line = codes(entries).join(", ");
    let start = module.line_start(at);
    let head = &text[start as usize..at as usize];
    // What the text of the statement loses or gains on the same line.
    let here = || others.iter().filter(|it| start <= it.start && it.end <= at);
    let gained: usize = here().map(|it| it.text.chars().count()).sum();
    let lost: usize =
        here().map(|it| module.slice(Span::new(it.start, it.end)).chars().count()).sum();
    let tail = text[at as usize..].lines().next().unwrap_or_default();
    let is_new_line = before.contains('\n');
    let head = if is_new_line {
        before.rsplit('\n').next().unwrap_or_default().len()
    } else {
        (head.chars().count() + gained).saturating_sub(lost) + before.len()
    };
    let tail =
        if is_new_line || after.contains('\n') { 2 } else { after.len() + tail.chars().count() };
    if entries.len() < 3 || head + line.chars().count() + tail + 2 <= LONGEST {
        return line;
    }
    let style = module.style();
    // Not that of the line where a long text ends.
    let statement = super::statement::statement_around(module, Span::empty(at));
    let own = module.indent_at(statement.map_or(at, |it| it.start)).to_owned();
    let indent = before.rsplit_once('\n').map_or(own, |it| it.1.to_owned());
    let (eol, step) = (style.line_end, style.indent);
    let items: Vec<String> =
        codes(entries).iter().map(|it| format!("{eol}{indent}{step}{it}")).collect();
    let comma = if style.trailing_commas { "," } else { "" };
    format!("{}{comma}{eol}{indent}", items.join(","))
}

fn listed(items: &[Item], entries: &[Entry]) -> Result<Vec<Edit>, String> {
    let mut edits: Vec<Edit> = Vec::new();
    for entry in entries {
        let front = entry
            .before
            .filter(|&it| it <= items.len() && !items[..it].iter().any(|it| it.is_spread));
        let back = entry.behind.and_then(|it| items.len().checked_sub(it));
        let back = back.filter(|&it| !items[it..].iter().any(|it| it.is_spread));
        let at = match (front, back) {
            (Some(front), Some(back)) if front != back && !items.iter().any(|it| it.is_spread) => {
                return Err("it has a different number of parameters and values".to_owned());
            }
            (Some(at), _) | (None, Some(at)) => at,
            (None, None) => {
                return Err("its position among the other parameters is unknown".to_owned());
            }
        };
        let edit = match items.get(at) {
            Some(next) => Edit::insert(next.span.start, format!("{}, ", entry.code)),
            None => Edit::insert(items[items.len() - 1].span.end, format!(", {}", entry.code)),
        };
        edits.push(edit);
    }
    Ok(joined(edits))
}

/// Insertions at one place, in one.
fn joined(edits: Vec<Edit>) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    for edit in edits {
        match out.last_mut() {
            Some(last) if last.start == edit.start => last.text.push_str(&edit.text),
            _ => out.push(edit),
        }
    }
    out
}

fn given(
    module: &Module<'_>,
    list: &Expression<'_>,
    entries: &[Entry],
) -> Result<Vec<Edit>, String> {
    let (mut front, mut back) = (String::new(), String::new());
    for entry in entries {
        match (entry.before, entry.behind) {
            (Some(0), _) => front.extend([entry.code.as_str(), ", "]),
            (_, Some(0)) => back.extend([", ", entry.code.as_str()]),
            _ => {
                let name = crate::plan::one_line(module.slice(list.span()));
                return Err(format!("its position among the values of `{name}` is unknown"));
            }
        }
    }
    let span = list.span();
    Ok(vec![
        Edit::insert(span.start, format!("[{front}...")),
        Edit::insert(span.end, format!("{back}]")),
    ])
}
