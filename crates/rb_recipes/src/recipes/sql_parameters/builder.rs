//! Texts that grow: `let sql = '…'; if (x) sql += '…'; db.all(sql)`.
//!
//! Values go into a list that grows along with the text, at the same places. Every use of the variable has to be seen.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentOperator, BinaryExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::code::{LOGGED, is_logged};
use super::driver::{Dialect, Driver, Marks};
use super::handles::Finder;
use super::judge::{Case, Mark};
use super::lexer::{Kind, Token, lex};
use super::position::spots;
use super::sink::Sink;
use super::statement::{New, Outcome, judge, not_in_place};
use super::text::{Put, SqlText, first_operand, is_text, read};

/// One statement that makes the text, or adds to it.
struct Piece {
    /// Where it begins in the flat text.
    at: usize,
    /// The statement.
    span: Span,
    /// It stands in a list of statements, and another can follow it.
    has_room: bool,
}

/// Reads a variable whose text grows; the reason where that cannot be followed. `None` for anything else.
pub(super) fn convert<'a>(
    finder: &Finder<'_, 'a>,
    sink: &Sink<'a>,
) -> Option<(Outcome, Vec<Span>)> {
    let module = finder.module;
    let symbol = module.symbol_of(sink.text)?;
    let declarator = module.declarator(symbol)?;
    if module.is_stable(symbol) || module.is_top_level(symbol) && is_shared(module, symbol) {
        return None;
    }
    let mut outcome = Outcome::default();
    let growth = growth(module, symbol, declarator.init.as_ref()?, sink);
    let (text, pieces) = match growth {
        Ok(found) => found,
        Err(reason) => {
            let texts = unread(module, symbol);
            let first = *texts.first()?;
            outcome.leave(
                first,
                reason,
                "collect the values in a list next to the SQL string, and pass that list",
            );
            return Some((outcome, texts));
        }
    };
    let seen = pieces.iter().map(|it| it.span).collect();
    if text.holes.is_empty() {
        return Some((outcome, seen));
    }
    grown(finder, sink, &text, &pieces, &mut outcome);
    Some((outcome, seen))
}

fn is_shared(module: &Module<'_>, symbol: SymbolId) -> bool {
    module.value_uses(symbol).any(|it| module.function_around(it.node).is_some())
}

/// The texts with values in them that are put into a variable that cannot be followed.
fn unread(module: &Module<'_>, symbol: SymbolId) -> Vec<Span> {
    let texts = module.uses(symbol).filter(rb_ecma::Use::is_write).filter_map(|used| {
        let AstKind::AssignmentExpression(it) = module.parent(used.node) else { return None };
        Some(&it.right)
    });
    let first = module.declarator(symbol).and_then(|it| it.init.as_ref());
    let has_values = |it: &&Expression<'_>| match it {
        Expression::TemplateLiteral(it) => !it.expressions.is_empty(),
        Expression::BinaryExpression(_) => true,
        _ => false,
    };
    first.into_iter().chain(texts).filter(has_values).map(GetSpan::span).collect()
}

type Grown<'a> = (SqlText<'a>, Vec<Piece>);

/// All that makes the text, in the order of the code.
fn growth<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
    init: &'a Expression<'a>,
    sink: &Sink<'a>,
) -> Result<Grown<'a>, String> {
    let name = module.name(symbol);
    let lost = || format!("`{name}` is built in a way that cannot be traced");
    let mut text = read(module, init).ok_or_else(lost)?;
    let declaration = module.scoping().symbol_declaration(symbol);
    let around = module.function_around(declaration).map(rb_ecma::Func::span);
    let first = statement_of(module, declaration).ok_or_else(lost)?;
    let mut pieces = vec![Piece { at: 0, span: first.0, has_room: first.1 }];
    for used in module.uses(symbol).filter(|it| !it.is_type()) {
        if used.span == sink.text.span() {
            continue;
        }
        if is_logged(module, used.node) {
            text.is_logged = true;
            continue;
        }
        let Some((added, statement)) = addition(module, symbol, used.node) else {
            if is_own_operand(module, symbol, used.node) {
                continue;
            }
            return Err(format!("`{name}` is also used in other ways"));
        };
        let is_here = module.function_around(used.node).map(rb_ecma::Func::span) == around;
        if !is_here || used.span.start > sink.call.span.start {
            return Err(format!("`{name}` is extended in another function, or after it is used"));
        }
        let place = statement_of(module, statement).ok_or_else(lost)?;
        pieces.push(Piece { at: text.flat.len(), span: place.0, has_room: place.1 });
        match added {
            Added::Whole(it) => text.append(module, it),
            Added::Rest(it) => text.append_rest(module, it),
        }
        .ok_or_else(lost)?;
    }
    Ok((text, pieces))
}

enum Added<'a> {
    Whole(&'a Expression<'a>),
    /// All but the first operand, which is the variable itself.
    Rest(&'a BinaryExpression<'a>),
}

/// What `sql += …`, or `sql = sql + …`, adds, and the node of the assignment.
fn addition<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
    node: oxc_semantic::NodeId,
) -> Option<(Added<'a>, oxc_semantic::NodeId)> {
    let AstKind::AssignmentExpression(it) = module.parent(node) else { return None };
    if !matches!(module.parent(it.node_id.get()), AstKind::ExpressionStatement(_))
        || it.right.span() == module.nodes().kind(node).span()
    {
        return None;
    }
    match it.operator {
        AssignmentOperator::Addition => Some((Added::Whole(&it.right), it.node_id.get())),
        AssignmentOperator::Assign => {
            let Expression::BinaryExpression(sum) = &it.right else { return None };
            let is_own = is_text(&it.right) && module.symbol_of(first_operand(sum)) == Some(symbol);
            is_own.then(|| (Added::Rest(sum), it.node_id.get()))
        }
        _ => None,
    }
}

/// The `sql` on the right of `sql = sql + …`.
fn is_own_operand(module: &Module<'_>, symbol: SymbolId, node: oxc_semantic::NodeId) -> bool {
    let span = module.nodes().kind(node).span();
    let sums = module.ancestors(node).take_while(|it| matches!(it, AstKind::BinaryExpression(_)));
    let Some(AstKind::BinaryExpression(sum)) = sums.last() else { return false };
    let AstKind::AssignmentExpression(it) = module.parent(sum.node_id.get()) else { return false };
    first_operand(sum).span() == span
        && it.right.span() == sum.span
        && it.left.get_identifier_name() == Some(module.name(symbol))
}

/// The statement around a node, and whether it stands in a list.
fn statement_of(module: &Module<'_>, node: oxc_semantic::NodeId) -> Option<(Span, bool)> {
    let statement = std::iter::once(module.nodes().kind(node))
        .chain(module.ancestors(node))
        .find_map(|it| match it {
            AstKind::ExpressionStatement(it) => Some((it.span, it.node_id.get())),
            AstKind::VariableDeclaration(it) => Some((it.span, it.node_id.get())),
            _ => None,
        })?;
    let has_room = matches!(
        module.parent(statement.1),
        AstKind::Program(_)
            | AstKind::FunctionBody(_)
            | AstKind::BlockStatement(_)
            | AstKind::SwitchCase(_)
            | AstKind::StaticBlock(_)
    );
    Some((statement.0, has_room))
}

fn grown<'a>(
    finder: &Finder<'_, 'a>,
    sink: &Sink<'a>,
    text: &SqlText<'a>,
    pieces: &[Piece],
    outcome: &mut Outcome,
) {
    let backslashes = sink.dialect == Dialect::Mysql;
    let Some(tokens) = lex(&text.flat, backslashes) else {
        outcome.leave_unended(text);
        return;
    };
    let case = Case { finder, sink, text };
    let mut new = Vec::new();
    for spot in &spots(&text.flat, &tokens, sink.dialect, sink.opening) {
        judge(&case, &tokens, spot, &mut new, outcome);
    }
    if new.is_empty() {
        return;
    }
    let found = if are_whole(text, pieces, backslashes) {
        write(finder, sink, text, pieces, &tokens, &new)
    } else {
        Err("its parts are not complete SQL fragments".to_owned())
    };
    match found {
        Ok(edits) => {
            outcome.edits = edits;
            outcome.converted = new.len();
            outcome.is_named = true;
            outcome.notes.extend(text.is_logged.then(|| LOGGED.to_owned()));
        }
        Err(reason) => {
            outcome.notes.clear();
            for it in &new {
                outcome.leave(
                    it.span,
                    reason.clone(),
                    "collect the values in a list next to the SQL string, and pass that list",
                );
            }
        }
    }
}

/// Each piece has its quotes and brackets for itself, so that it means the same whichever others are there.
fn are_whole(text: &SqlText<'_>, pieces: &[Piece], backslashes: bool) -> bool {
    let ends = pieces.iter().skip(1).map(|it| it.at).chain([text.flat.len()]);
    pieces.iter().zip(ends).all(|(piece, end)| {
        let part = &text.flat[piece.at..end];
        lex(part, backslashes).is_some_and(|tokens| {
            let count = |kind: Kind| tokens.iter().filter(|it| it.kind == kind).count();
            count(Kind::Open) == count(Kind::Close)
        })
    })
}

fn write<'a>(
    finder: &Finder<'_, 'a>,
    sink: &Sink<'a>,
    text: &SqlText<'a>,
    pieces: &[Piece],
    tokens: &[Token],
    new: &[New],
) -> Result<Vec<Edit>, String> {
    let module = finder.module;
    let [home] = &sink.homes[..] else {
        return Err("the statement is run in several places".to_owned());
    };
    if home.has_values() || tokens.iter().any(|it| it.kind == Kind::Mark && is_mark(sink, text, it))
    {
        return Err(
            "it already has parameters, and the SQL string is extended step by step".to_owned()
        );
    }
    let name = module.fresh_name(&sink.list);
    let mut edits = Vec::new();
    let mut lists: Vec<Vec<&str>> = pieces.iter().map(|_| Vec::new()).collect();
    for it in new {
        let piece = pieces.iter().rposition(|piece| piece.at <= it.from).unwrap_or(0);
        let put = match (sink.marks, piece) {
            (Marks::Question, _) => "?".to_owned(),
            (Marks::Dollar, 0) => format!("${}", lists[0].len() + 1),
            (Marks::Dollar, _) => format!("$${{{name}.push({})}}", it.value),
        };
        if sink.marks == Marks::Question || piece == 0 {
            lists[piece].push(&it.value);
        } else if !text.is_in_template(it.from) {
            return Err(
                "the number of its parameter depends on the parameters added before it".to_owned()
            );
        }
        edits.extend(marked(text, module, it, &put)?);
    }
    edits.extend(text.plain_quotes(module, &edits));
    edits.extend(home.place_named(module, &name)?);
    let grows = pieces.len() > 1 && new.iter().any(|it| it.from >= pieces[1].at);
    for (at, (piece, list)) in pieces.iter().zip(&lists).enumerate() {
        edits.extend(listed(module, sink.driver, piece, (at, &name), list, grows)?);
    }
    Ok(edits)
}

fn is_mark(sink: &Sink<'_>, text: &SqlText<'_>, token: &Token) -> bool {
    let first = text.flat[token.start..].chars().next();
    match sink.marks {
        Marks::Question => first == Some('?'),
        Marks::Dollar => first == Some('$'),
    }
}

fn marked<'a>(
    text: &SqlText<'a>,
    module: &Module<'a>,
    it: &New,
    mark: &str,
) -> Result<Vec<Edit>, String> {
    let put = match &it.mark {
        Mark::One => mark.to_owned(),
        Mark::Typed(name) => format!("{mark}::{name}"),
        Mark::Any { negated: false } => format!("= ANY({mark})"),
        Mark::Any { negated: true } => format!("<> ALL({mark})"),
        Mark::Many(code) => {
            return text.replace(module, it.from, it.to, &Put::Code(code)).ok_or_else(not_in_place);
        }
    };
    text.replace(module, it.from, it.to, &Put::Text(&put)).ok_or_else(not_in_place)
}

/// The list itself behind the first statement, and what is added to it behind the others.
fn listed(
    module: &Module<'_>,
    driver: Driver,
    piece: &Piece,
    (at, name): (usize, &str),
    list: &[&str],
    grows: bool,
) -> Result<Vec<Edit>, String> {
    if at > 0 && list.is_empty() {
        return Ok(Vec::new());
    }
    let style = module.style();
    let (values, end) = (list.join(", "), style.semicolon());
    let code = if at == 0 {
        let written = if grows && module.is_typescript() { list_type(driver) } else { "" };
        format!("const {name}{written} = [{values}]{end}")
    } else {
        format!("{name}.push({values}){end}")
    };
    let indent = module.indent_at(piece.span.start);
    if piece.has_room {
        return Ok(vec![Edit::insert(piece.span.end, format!("{}{indent}{code}", style.line_end))]);
    }
    if at == 0 {
        return Err("there is no place to declare a list of its values".to_owned());
    }
    Ok(vec![
        Edit::insert(piece.span.start, "{ "),
        Edit::insert(piece.span.end, format!(" {code} }}")),
    ])
}

/// What drivers take for a list of values of several types.
fn list_type(driver: Driver) -> &'static str {
    match driver {
        Driver::Mysql2 | Driver::NodeSqlite | Driver::Knex | Driver::PgPromise => ": any[]",
        Driver::Pg
        | Driver::Mysql
        | Driver::BetterSqlite
        | Driver::Sqlite3
        | Driver::Sequelize
        | Driver::Prisma
        | Driver::PostgresJs => ": unknown[]",
    }
}
