//! One statement: its text, its parameters, and the edits that bring them together.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Types};

use super::code::LOGGED;
use super::driver::{Dialect, Driver, Marks};
use super::handles::Finder;
use super::home::{Entry, Home};
use super::judge::{Case, Mark, Verdict};
use super::lexer::{Kind, Token, lex};
use super::position::{Position, Spot, spots};
use super::sink::Sink;
use super::text::{Put, SqlText};

/// What comes of one statement.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) edits: Vec<Edit>,
    /// How many holes became parameters.
    pub(super) converted: usize,
    pub(super) notes: Vec<String>,
    /// A list of values has got a name.
    pub(super) is_named: bool,
    /// Place, reason, suggestion.
    pub(super) left: Vec<(Span, String, String)>,
}

impl Outcome {
    pub(super) fn leave(
        &mut self,
        span: Span,
        reason: impl Into<String>,
        suggestion: impl Into<String>,
    ) {
        self.left.push((span, reason.into(), suggestion.into()));
    }

    pub(super) fn leave_unended(&mut self, text: &SqlText<'_>) {
        if let Some(hole) = text.holes.first() {
            self.leave(
                hole.expression.span(),
                "the SQL string is incomplete: a quote is not closed",
                "write the statement in one piece",
            );
        }
    }
}

/// A parameter that is to come.
pub(super) struct New {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) mark: Mark,
    pub(super) value: String,
    pub(super) span: Span,
}

const TAKING_PARAMETERS: &[&str] = &[
    "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES", "MERGE", "CALL", "EXPLAIN",
];

/// Converts a statement whose text is read as a whole.
pub(super) fn convert<'a>(finder: &Finder<'_, 'a>, sink: &Sink<'a>, text: &SqlText<'a>) -> Outcome {
    let mut outcome = Outcome::default();
    let Some(tokens) = lex(&text.flat, sink.dialect == Dialect::Mysql) else {
        outcome.leave_unended(text);
        return outcome;
    };
    let case = Case { finder, sink, text };
    let found = spots(&text.flat, &tokens, sink.dialect, sink.opening);
    let mut new = Vec::new();
    for spot in &found {
        judge(&case, &tokens, spot, &mut new, &mut outcome);
    }
    if !new.is_empty() {
        let left = outcome.left.len();
        match write(finder, sink, text, &tokens, &found, &new) {
            Ok(edits) => {
                let list = format!("const {} = [", finder.module.fresh_name(&sink.list));
                outcome.is_named = edits.iter().any(|it| it.text.contains(&list));
                outcome.edits = edits;
                outcome.converted = new.len();
                outcome.notes.extend(sink.note.clone());
                outcome.notes.extend(text.is_logged.then(|| LOGGED.to_owned()));
            }
            Err(reason) => {
                outcome.notes.clear();
                for it in &new {
                    outcome.leave(
                        it.span,
                        reason.clone(),
                        "write the parameter and its value by hand",
                    );
                }
                debug_assert!(outcome.left.len() > left, "each is reported");
            }
        }
    }
    outcome
}

pub(super) fn judge(
    case: &Case<'_, '_>,
    tokens: &[Token],
    spot: &Spot,
    new: &mut Vec<New>,
    outcome: &mut Outcome,
) {
    let holes = || case.text.holes_within(spot.token.start, spot.token.end);
    let Some(span) = holes().next().map(|it| it.expression.span()) else { return };
    match case.verdict(spot) {
        Verdict::Harmless => {}
        Verdict::Left { reason, suggestion } => outcome.leave(span, reason, suggestion),
        Verdict::Parameter { from, to, mark, value, note } => match forbidden(case, tokens) {
            Some((reason, suggestion)) => outcome.leave(span, reason, suggestion),
            None => {
                outcome.notes.extend(note.map(str::to_owned));
                new.push(New { from, to, mark, value, span });
            }
        },
    }
}

/// Why the statement as a whole can have no parameters.
fn forbidden(case: &Case<'_, '_>, tokens: &[Token]) -> Option<(String, &'static str)> {
    let (sink, flat) = (case.sink, &case.text.flat);
    if case.finder.path.split('/').any(|it| it == "migrations") {
        let reason = "migrations are not changed, because this one may already have run".to_owned();
        return Some((reason, "change it by hand if it has not run yet"));
    }
    if is_index_predicate(case) {
        let reason = "an index predicate accepts no parameters".to_owned();
        return Some((reason, "check the value against a list of allowed values"));
    }
    let word = |it: &Token| flat[it.start..it.end].to_ascii_uppercase();
    let mut code = tokens.iter().filter(|it| it.kind != Kind::Comment);
    let first = code.clone().find(|it| it.kind != Kind::Open).map(word).unwrap_or_default();
    if sink.opening.is_empty()
        && !sink.is_client_side
        && !TAKING_PARAMETERS.contains(&first.as_str())
    {
        let what = if first.chars().all(|it| it.is_ascii_alphabetic()) {
            format!("`{first}`")
        } else {
            "the statement".to_owned()
        };
        let suggestion = if first == "PRAGMA" {
            "select from its table function, such as `pragma_table_info(?)`"
        } else {
            "check the value against a list of allowed values"
        };
        return Some((format!("{what} accepts no parameters"), suggestion));
    }
    let several = code.any(|it| it.kind == Kind::Semicolon) && code.next().is_some();
    if several && !sink.is_client_side {
        return Some((
            "a string with several statements accepts no parameters".to_owned(),
            "run them one by one",
        ));
    }
    other_marks(case, tokens)
}

/// Marks that the driver would mistake, or that are written in another way.
fn other_marks(case: &Case<'_, '_>, tokens: &[Token]) -> Option<(String, &'static str)> {
    let (sink, flat) = (case.sink, &case.text.flat);
    let replaces_all = sink.is_client_side || sink.driver == Driver::Knex;
    let hides = |it: &Token| {
        matches!(it.kind, Kind::Text | Kind::Double | Kind::Name | Kind::Odd | Kind::Comment)
    };
    if replaces_all && tokens.iter().any(|it| hides(it) && flat[it.start..it.end].contains('?')) {
        return Some((
            format!(
                "{} would treat the `?` in a string or comment as a parameter",
                sink.driver.name()
            ),
            "pass that string as a parameter, too",
        ));
    }
    let is_marked = |it: &Token| {
        let text = &flat.as_bytes()[it.start..it.end];
        text.windows(2).any(|pair| pair[0] == b'$' && pair[1].is_ascii_digit())
    };
    if sink.driver == Driver::PgPromise && tokens.iter().any(|it| hides(it) && is_marked(it)) {
        return Some((
            "pg-promise would treat the `$1` in a string or comment as a parameter".to_owned(),
            "pass that string as a parameter, too",
        ));
    }
    let is_other = |it: &Token| match (sink.marks, flat[it.start..it.end].chars().next()) {
        (Marks::Question | Marks::Dollar, Some('?')) => false,
        (Marks::Question, Some('@')) => sink.dialect != Dialect::Mysql,
        (Marks::Dollar, Some('$')) => {
            !flat[it.start + 1..it.end].bytes().all(|it| it.is_ascii_digit())
        }
        _ => true,
    };
    tokens.iter().any(|it| it.kind == Kind::Mark && is_other(it)).then(|| {
        (
            "its parameters use another style of placeholder".to_owned(),
            "use the same style for the new parameter",
        )
    })
}

/// `predicate: knex.whereRaw(…)`, of an index that is made.
fn is_index_predicate(case: &Case<'_, '_>) -> bool {
    let parent = case.finder.module.parent(case.sink.call.node_id.get());
    matches!(parent, AstKind::ObjectProperty(it) if it.key.static_name().is_some_and(|it| it == "predicate"))
}

/// The edits for the text and for the values.
fn write<'a>(
    finder: &Finder<'_, 'a>,
    sink: &Sink<'a>,
    text: &SqlText<'a>,
    tokens: &[Token],
    found: &[Spot],
    new: &[New],
) -> Result<Vec<Edit>, String> {
    let module = finder.module;
    let first = next_number(sink, text, tokens, found, new)?;
    let mut edits = Vec::new();
    for (number, it) in (first..).zip(new) {
        let mark = match sink.marks {
            Marks::Question => "?".to_owned(),
            Marks::Dollar => format!("${number}"),
        };
        let put = match &it.mark {
            Mark::One => mark,
            Mark::Typed(name) => format!("{mark}::{name}"),
            Mark::Any { negated: false } => format!("= ANY({mark})"),
            Mark::Any { negated: true } => format!("<> ALL({mark})"),
            Mark::Many(code) => {
                let found = text.replace(module, it.from, it.to, &Put::Code(code));
                edits.extend(found.ok_or_else(not_in_place)?);
                continue;
            }
        };
        edits.extend(
            text.replace(module, it.from, it.to, &Put::Text(&put)).ok_or_else(not_in_place)?,
        );
    }
    edits.extend(text.plain_quotes(module, &edits));
    let entries = entries(sink, text, tokens, found, new);
    edits.extend(values(finder, sink, text, new, &entries, &edits)?);
    Ok(edits)
}

pub(super) fn not_in_place() -> String {
    "the SQL string cannot be edited in place: it contains a comment, or it is built elsewhere"
        .to_owned()
}

/// The number of the first new parameter.
fn next_number(
    sink: &Sink<'_>,
    text: &SqlText<'_>,
    tokens: &[Token],
    found: &[Spot],
    new: &[New],
) -> Result<usize, String> {
    if sink.marks == Marks::Question {
        return Ok(0);
    }
    let numbers = tokens.iter().filter(|it| it.kind == Kind::Mark);
    let highest = numbers
        .filter_map(|it| text.flat[it.start + 1..it.end].parse::<usize>().ok())
        .max()
        .unwrap_or(0);
    match sink.homes.first() {
        Some(Home::Listed { items, .. }) => {
            if items.iter().any(|it| it.is_spread) {
                return Err("the number of its parameters is unknown".to_owned());
            }
            Ok(highest.max(items.len()) + 1)
        }
        Some(Home::Given(_)) if has_fragments(found, new) => {
            Err("the number of its parameters is unknown".to_owned())
        }
        _ => Ok(highest + 1),
    }
}

/// Are there holes that stay, and may hold marks?
fn has_fragments(found: &[Spot], new: &[New]) -> bool {
    found.iter().any(|spot| stays(spot, new))
}

fn stays(spot: &Spot, new: &[New]) -> bool {
    !new.iter().any(|it| it.from <= spot.token.start && spot.token.end <= it.to)
        && (spot.token.kind == Kind::Hole || matches!(spot.position, Position::Not(_)))
}

/// The new values, each with its place among the old ones.
fn entries(
    sink: &Sink<'_>,
    text: &SqlText<'_>,
    tokens: &[Token],
    found: &[Spot],
    new: &[New],
) -> Vec<Entry> {
    let count = |from: usize, to: usize| {
        let stays = found.iter().any(|it| (from..to).contains(&it.token.start) && stays(it, new));
        let marks = tokens.iter().filter(|it| {
            let is_escaped = text.flat[..it.start].ends_with('\\');
            it.kind == Kind::Mark
                && (from..to).contains(&it.start)
                && text.flat[it.start..].starts_with('?')
                && !is_escaped
        });
        let marks = marks.count();
        (!stays).then_some(marks)
    };
    let entry = |it: &New| match sink.marks {
        Marks::Question => Entry {
            code: it.value.clone(),
            before: count(0, it.from),
            behind: count(it.to, text.flat.len()),
        },
        Marks::Dollar => Entry { code: it.value.clone(), before: None, behind: Some(0) },
    };
    new.iter().map(entry).collect()
}

/// The edits for the values: at the call, or in a list of their own where the text is made.
fn values<'a>(
    finder: &Finder<'_, 'a>,
    sink: &Sink<'a>,
    text: &SqlText<'a>,
    new: &[New],
    entries: &[Entry],
    others: &[Edit],
) -> Result<Vec<Edit>, String> {
    let module = finder.module;
    let has_impure = new.iter().any(|it| !is_quiet(module, it.span));
    if sink.marks == Marks::Dollar && has_impure && sink.homes.iter().any(Home::has_values) {
        return Err("its value would be computed after those of the other parameters".to_owned());
    }
    let made = made_elsewhere(module, sink, text);
    let is_at_hand = match made {
        None => sink.homes.len() == 1,
        Some(statement) => {
            sink.homes.len() == 1
                && new.iter().all(|it| is_steady(module, it.span, statement, sink.call.span))
        }
    };
    if is_at_hand {
        return sink.homes[0].place(module, entries, others);
    }
    let statement = made
        .or_else(|| statement_around(module, sink.call.span))
        .ok_or("there is no place to declare a list of its values")?;
    in_list_of_their_own(module, sink, entries, statement)
}

/// `const params = […]` behind a statement, and its name wherever the values go.
fn in_list_of_their_own(
    module: &Module<'_>,
    sink: &Sink<'_>,
    entries: &[Entry],
    statement: Span,
) -> Result<Vec<Edit>, String> {
    let name = module.fresh_name(&sink.list);
    let style = module.style();
    let list: Vec<&str> = entries.iter().map(|it| it.code.as_str()).collect();
    let indent = module.indent_at(statement.start).to_owned();
    let code = format!(
        "{}{indent}const {name} = [{}]{}",
        style.line_end,
        list.join(", "),
        style.semicolon()
    );
    let mut edits = Vec::new();
    for home in &sink.homes {
        edits.extend(home.place_named(module, &name)?);
    }
    edits.push(Edit::insert(statement.end, code));
    Ok(edits)
}

/// The statement in which the text is made, where that is not the call itself.
fn made_elsewhere<'a>(module: &Module<'a>, sink: &Sink<'a>, text: &SqlText<'a>) -> Option<Span> {
    let symbol = *text.through.first()?;
    let _ = sink;
    let node = module.scoping().symbol_declaration(symbol);
    module.ancestors(node).find_map(|it| match it {
        AstKind::VariableDeclaration(it) => Some(it.span),
        _ => None,
    })
}

pub(super) fn statement_around(module: &Module<'_>, span: Span) -> Option<Span> {
    module
        .statement_lists()
        .flatten()
        .map(GetSpan::span)
        .filter(|it| it.start <= span.start && span.end <= it.end)
        .min_by_key(|it| it.size())
}

/// Reading it does nothing.
fn is_quiet(module: &Module<'_>, span: Span) -> bool {
    !module.slice(span).contains(['(', '+', '=']) && !module.slice(span).contains("await")
}

/// Is the value the same when the statement is run as it was when its text was made?
fn is_steady(module: &Module<'_>, value: Span, made: Span, run: Span) -> bool {
    if !is_quiet(module, value) || run.start < made.end {
        return false;
    }
    let roots = module.identifiers_in(value);
    let all_stable =
        roots.iter().all(|it| module.symbol(it).is_some_and(|it| module.is_stable(it)));
    let is_plain = !module.slice(value).contains('.') && !module.slice(value).contains("this");
    if is_plain {
        return all_stable;
    }
    let between = Span::new(made.end, run.start);
    let same_function = module.function_around_span(made) == module.function_around_span(run);
    let mentions =
        roots.iter().filter_map(|it| module.symbol(it)).any(|it| module.mentions(between, it));
    let touches_this =
        module.slice(value).contains("this") && module.slice(between).contains("this");
    all_stable && same_function && !mentions && !touches_this
}

trait AroundSpan {
    fn function_around_span(&self, span: Span) -> Option<Span>;
}

impl AroundSpan for Module<'_> {
    fn function_around_span(&self, span: Span) -> Option<Span> {
        let inside = self
            .functions()
            .iter()
            .map(|it| it.func.span())
            .filter(|it| it.start <= span.start && span.end <= it.end);
        inside.min_by_key(|it| it.size())
    }
}

/// Does the text hold a value that could be a parameter? For statements whose driver is not known.
pub(super) fn holds_values<'a>(finder: &Finder<'_, 'a>, text: &SqlText<'a>) -> bool {
    let module = finder.module;
    let Some(tokens) = lex(&text.flat, false) else { return false };
    if !is_statement(&text.flat, &tokens) {
        return false;
    }
    spots(&text.flat, &tokens, Dialect::Sqlite, "").iter().any(|spot| {
        let hole = text.holes_within(spot.token.start, spot.token.end).next();
        let is_value = hole.is_some_and(|it| {
            let harmless = super::expressions::is_constant(finder, it.expression)
                || super::expressions::is_marks(module, it.expression)
                || (spot.token.kind == Kind::Hole
                    && super::expressions::is_named_sql(it.expression)
                    && super::outside::source(finder, it.expression.span()).is_none()
                    && !module.types(it.expression).is_only(Types::NUMBER));
            !harmless
        });
        is_value && matches!(spot.position, Position::Value { .. })
    })
}

/// Is it surely SQL, and no sentence?
fn is_statement(flat: &str, tokens: &[Token]) -> bool {
    let words: Vec<String> = tokens
        .iter()
        .filter(|it| it.kind == Kind::Word)
        .map(|it| flat[it.start..it.end].to_ascii_uppercase())
        .collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    match words.first().map(String::as_str) {
        Some("SELECT" | "DELETE") => has("FROM"),
        Some("INSERT" | "REPLACE") => has("INTO") && (has("VALUES") || has("SELECT")),
        Some("UPDATE") => has("SET") && flat.contains('='),
        Some("WITH") => has("AS") && has("SELECT"),
        _ => false,
    }
}

/// Is an expression a text that could be a statement?
pub(super) fn is_template_or_sum(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::TemplateLiteral(_) | Expression::BinaryExpression(_))
}
