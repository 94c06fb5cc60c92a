//! Statements that go: with their lines and comments, without a trace in the empty lines around, and never so that what stands
//! before and behind them is read as one.

use oxc_ast::ast::{Statement, VariableDeclaration};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

/// What becomes of the comments at a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comments {
    /// Those above stay; one behind it, or in it, forbids the deletion.
    Keep,
    /// They go with it.
    Take,
}

/// Deletes the statements from `first` through `until` of a list, of which `gone` go, too, sorted. `Err` says why not.
pub fn statements<'a>(
    module: &Module<'a>,
    all: &'a [Statement<'a>],
    (first, until): (usize, usize),
    comments: Comments,
    gone: &[Span],
) -> Result<Edit, String> {
    let mut span = Span::new(all[first].span().start, all[until].span().end);
    if comments == Comments::Keep && module.has_comment(span) {
        return Err("it contains a comment".to_owned());
    }
    // A semicolon that leads the next line parts it from whatever stands above.
    if let Some(end) = led_by_semicolon(module, span) {
        span.end = end;
        return piece(module, span, comments);
    }
    let is_gone =
        |it: &Statement<'a>| gone.binary_search_by_key(&it.span().start, |it| it.start).is_ok();
    let mut after = all[until + 1..]
        .iter()
        .skip_while(|it| is_gone(it) && led_by_semicolon(module, it.span()).is_none());
    if let Some(after) = after.next().filter(|it| !is_gone(it)) {
        let before = all[..first].iter().rev().find(|it| !is_gone(it));
        let next = module.slice(after.span());
        let is_joined = next.starts_with(['(', '[', '`', '+', '-', '/', '*'])
            && before.is_some_and(|it| !ends_itself(module, it));
        if is_joined {
            return Err("without it, the lines around it would parse as one statement".to_owned());
        }
        let is_text = matches!(after, Statement::ExpressionStatement(it)
            if matches!(it.expression, oxc_ast::ast::Expression::StringLiteral(_)));
        if is_text && before.is_none() {
            return Err("without it, the string after it would become a directive".to_owned());
        }
    }
    piece(module, span, comments)
}

/// Where the code of a statement ends whose semicolon stands on a line further down.
fn led_by_semicolon(module: &Module<'_>, span: Span) -> Option<u32> {
    let bare = module.slice(span).strip_suffix(';')?;
    let code = bare.trim_end();
    bare[code.len()..].contains('\n').then(|| span.start + offset(code.len()))
}

/// Does the next line begin a statement of its own, whatever stands there?
fn ends_itself(module: &Module<'_>, statement: &Statement<'_>) -> bool {
    match statement {
        Statement::FunctionDeclaration(it) => it.body.is_some(),
        Statement::ClassDeclaration(_)
        | Statement::BlockStatement(_)
        | Statement::TryStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::ImportDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSEnumDeclaration(_) => true,
        other => module.slice(other.span()).ends_with(';'),
    }
}

/// Deletes a piece of the text that stands by itself, with its lines where nothing else is on them.
pub fn piece(module: &Module<'_>, span: Span, comments: Comments) -> Result<Edit, String> {
    let text = module.text();
    let mut start = span.start;
    let mut end = span.end;
    let tail = &text[end as usize..];
    let line = tail.split('\n').next().unwrap_or(tail);
    let trailing = module
        .comments()
        .iter()
        .filter(|it| it.span.start >= end && it.span.start < end + offset(line.len()))
        .collect::<Vec<_>>();
    match comments {
        Comments::Keep if !trailing.is_empty() => {
            return Err("a comment follows it on the same line".to_owned());
        }
        Comments::Keep => {}
        Comments::Take => {
            for it in trailing {
                let gap = &text[end as usize..it.span.start as usize];
                if gap.trim().is_empty() && it.span.end <= span.end + offset(line.len()) {
                    end = it.span.end;
                }
            }
            start = above(module, span.start);
        }
    }
    let line_start = module.line_start(start);
    let before = &text[line_start as usize..start as usize];
    let tail = &text[end as usize..];
    let line = tail.split('\n').next().unwrap_or(tail);
    if before.trim().is_empty() && line.trim().is_empty() {
        let whole = end as usize + line.len();
        let whole = if whole < text.len() { whole + 1 } else { whole };
        return Ok(Edit::delete(line_start, offset(whole)));
    }
    let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
    Ok(Edit::delete(start, end + offset(spaces)))
}

/// Takes some variables out of a declaration that keeps others: `gone` by their order.
pub fn declarators(
    module: &Module<'_>,
    declaration: &VariableDeclaration<'_>,
    gone: &[bool],
) -> Result<Vec<Edit>, String> {
    let spans: Vec<Span> = declaration.declarations.iter().map(|it| it.span).collect();
    let edits = of_list(&spans, gone);
    let is_said = |edit: &Edit| module.has_comment(Span::new(edit.start, edit.end));
    if edits.iter().any(is_said) {
        return Err("there is a comment among the variables".to_owned());
    }
    Ok(edits)
}

/// Takes elements out of a list that keeps at least one, with a comma each.
pub fn of_list(spans: &[Span], gone: &[bool]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = 0;
    while at < spans.len() {
        if !gone[at] {
            at += 1;
            continue;
        }
        let first = at;
        while at < spans.len() && gone[at] {
            at += 1;
        }
        match (spans.get(at), first.checked_sub(1)) {
            (Some(next), _) => edits.push(Edit::delete(spans[first].start, next.start)),
            (None, Some(before)) => {
                edits.push(Edit::delete(spans[before].end, spans[at - 1].end));
            }
            (None, None) => {}
        }
    }
    edits
}

/// Where the comments begin that belong to what begins at `start`: those right above it, but for headings of the file or of
/// a section.
pub fn above(module: &Module<'_>, start: u32) -> u32 {
    let text = module.text();
    let mut from = start;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= start) {
        let gap = &text[comment.span.end as usize..from as usize];
        let line = module.line_start(comment.span.start);
        let is_alone = text[line as usize..comment.span.start as usize].trim().is_empty();
        let is_near = gap.trim().is_empty() && gap.matches('\n').count() <= 1;
        let said = module.slice(comment.span);
        let is_heading =
            text[..comment.span.start as usize].trim().is_empty() && !said.starts_with("/**");
        if !is_alone || !is_near || is_heading || stays(said) {
            break;
        }
        from = comment.span.start;
    }
    from
}

/// A licence, a word to a tool, the heading of a section.
fn stays(comment: &str) -> bool {
    const WORDS: &[&str] = &[
        "license",
        "licence",
        "copyright",
        "@preserve",
        "@file",
        "@overview",
        "@module",
        "@flow",
        "@jsx",
        "@ts-",
        "eslint-",
        "prettier-",
        "istanbul",
        "c8 ",
        "v8 ",
        "webpack",
        "#region",
        "#endregion",
        "-----",
        "=====",
        "*****",
        "#####",
        "/////",
        "sourcemappingurl",
        "global ",
        "jshint",
        "biome-",
        "<reference",
    ];
    let lower = comment.to_lowercase();
    WORDS.iter().any(|it| lower.contains(it))
}

/// Joins deletions that follow each other, and takes the empty lines away that would be doubled or stand at an end.
pub fn tidied(text: &str, edits: Vec<Edit>) -> Vec<Edit> {
    let mut edits = edits;
    edits.sort_by_key(|it| (it.start, it.end));
    edits.dedup();
    // Each with a word on whether an empty line is lost in it.
    let mut joined: Vec<(Edit, bool)> = Vec::new();
    for edit in edits {
        if let Some((last, is_parted)) = joined.last_mut()
            && last.text.is_empty()
            && edit.text.is_empty()
        {
            if last.end >= edit.start {
                last.end = last.end.max(edit.end);
                continue;
            }
            let gap = &text[last.end as usize..edit.start as usize];
            if is_line(text, last) && is_line(text, &edit) && gap.trim().is_empty() {
                *is_parted = true;
                last.end = edit.end;
                continue;
            }
        }
        joined.push((edit, false));
    }
    joined.into_iter().map(|(edit, is_parted)| without_gaps(text, edit, is_parted)).collect()
}

/// Whole lines.
fn is_line(text: &str, edit: &Edit) -> bool {
    let starts = edit.start == 0 || text.as_bytes()[edit.start as usize - 1] == b'\n';
    let end = edit.end as usize;
    starts && edit.text.is_empty() && (end == text.len() || text.as_bytes()[end - 1] == b'\n')
}

fn without_gaps(text: &str, mut edit: Edit, is_parted: bool) -> Edit {
    if !is_line(text, &edit) || edit.start == edit.end {
        return edit;
    }
    let head = &text[..edit.start as usize];
    let tail = &text[edit.end as usize..];
    let next = tail.split('\n').next().unwrap_or("");
    let is_empty_above = head.is_empty() || head.ends_with("\n\n") || head.ends_with("\n\r\n");
    let is_empty_below = !tail.is_empty() && next.trim().is_empty();
    let opens = head.trim_end().ends_with(['{', '(', '[']);
    let rest = tail.trim_start();
    let closes = rest.is_empty() || rest.starts_with(['}', ')', ']']);
    if (is_empty_above || opens) && is_empty_below {
        edit.end += offset((next.len() + 1).min(tail.len()));
    } else if is_empty_above && !head.is_empty() && closes {
        edit.start -= if head.ends_with("\r\n") { 2 } else { 1 };
    } else if is_parted && !is_empty_above && !is_empty_below && !opens && !closes {
        let end = if head.ends_with("\r\n") { "\r\n" } else { "\n" };
        end.clone_into(&mut edit.text);
    }
    edit
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
