//! Sentences about symbols and files, each with the lines that show it.

use rb_index::FileId;
use rb_lang::{Facts, Symbol, SymbolKind};
use rb_tools::ToolError;

use crate::citation::Citation;
use crate::extract::header;
use crate::extract::sources::{Sources, has_word};
use crate::extract::topic::{SymbolAt, TopicFile};
use crate::extract::words::{article, first_sentence, listed};

/// How far above or below a declaration its comment may begin.
const COMMENT_ABOVE: u32 = 80;
const COMMENT_BELOW: u32 = 12;
/// The most lines that are cited of a declaration where several are cited together.
const SHORT: u32 = 30;

/// A sentence, and the lines that show it.
pub(crate) type Cited = (String, Vec<Citation>);

/// The symbol itself. `None` if its file holds no such symbol.
pub(crate) fn symbol_at(
    sources: &mut Sources<'_, '_>,
    at: SymbolAt,
) -> Result<Option<(std::sync::Arc<Facts>, Symbol)>, ToolError> {
    let facts = sources.facts(at.file)?;
    Ok(facts.and_then(|facts| {
        let symbol = facts.symbols.get(at.symbol as usize)?.clone();
        Some((facts, symbol))
    }))
}

/// Cites a declaration from its first line on, so many lines at most, and quotes the line that has the name.
pub(crate) fn cite_symbol(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    symbol: &Symbol,
    most: u32,
) -> Option<Citation> {
    let span = symbol.span;
    let last = span.last_line.min(span.first_line.saturating_add(most - 1));
    sources.cite_naming(file, span.first_line, last, &symbol.name)
}

/// Cites the one line of a declaration that has the name.
pub(crate) fn cite_name(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    symbol: &Symbol,
) -> Option<Citation> {
    let text = sources.text(file)?;
    let span = symbol.span;
    let line = (span.first_line..=span.last_line).find(|&line| {
        let line = text.lines.get((line as usize).saturating_sub(1));
        line.is_some_and(|line| has_word(line, &symbol.name))
    })?;
    sources.cite(file, line, line)
}

/// "`get` is a method of `Store` in `app/store.py`."
pub(crate) fn definition(
    sources: &mut Sources<'_, '_>,
    at: SymbolAt,
) -> Result<Option<Cited>, ToolError> {
    let Some((facts, symbol)) = symbol_at(sources, at)? else { return Ok(None) };
    let Some(declared) = cite_symbol(sources, at.file, &symbol, u32::MAX) else { return Ok(None) };
    let mut citations = vec![declared];
    let outer = symbol.parent.and_then(|outer| facts.symbols.get(outer as usize));
    let mut of = String::new();
    if let Some(outer) = outer
        && let Some(citation) = cite_name(sources, at.file, outer)
    {
        of = format!(" of `{}`", outer.name);
        citations.push(citation);
    }
    let (name, kind, path) = (&symbol.name, symbol.kind.name(), sources.path(at.file));
    let text = format!("`{name}` is {} {kind}{of} in `{path}`.", article(kind));
    Ok(Some((text, citations)))
}

/// What the comment on a symbol says, in its words.
pub(crate) fn comment(
    sources: &mut Sources<'_, '_>,
    at: SymbolAt,
) -> Result<Option<Cited>, ToolError> {
    let Some((_, symbol)) = symbol_at(sources, at)? else { return Ok(None) };
    let said = comment_lines(sources, at.file, &symbol).and_then(|(sentence, citation)| {
        let name = cite_name(sources, at.file, &symbol)?;
        let text = format!("The comment on `{}` says: \"{sentence}\"", symbol.name);
        Some((text, vec![citation, name]))
    });
    Ok(said)
}

fn comment_lines(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    symbol: &Symbol,
) -> Option<(String, Citation)> {
    let doc: Vec<&str> = symbol.doc.lines().skip_while(|line| line.trim().is_empty()).collect();
    let begin = doc.first()?.trim();
    let sentence = first_sentence(doc.iter().copied())?;
    let text = sources.text(file)?;
    let at = symbol.span.first_line;
    let has = |line: &u32| {
        let line = text.lines.get((*line as usize).saturating_sub(1));
        line.is_some_and(|line| line.contains(begin))
    };
    let above = (at.saturating_sub(COMMENT_ABOVE).max(1)..at).rev();
    let below = at..at.saturating_add(COMMENT_BELOW);
    let first = above.clone().find(has).or_else(|| below.clone().find(has))?;
    let last = first + u32::try_from(sentence.lines).ok()?.saturating_sub(1);
    Some((sentence.text, sources.cite(file, first, last)?))
}

/// "Line 540 of `lib/application.js` is `view = cache[name];`."
pub(crate) fn matching_line(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    line: u32,
) -> Option<(String, Citation)> {
    let text = sources.text(file)?.lines.get((line as usize).checked_sub(1)?)?.trim().to_owned();
    let code = in_code(&text)?;
    let citation = sources.cite(file, line, line)?;
    Some((format!("Line {line} of `{}` is {code}.", sources.path(file)), citation))
}

/// A line of code as a sentence can have it; `None` for one that is too long, says nothing, or would break out.
pub(crate) fn in_code(text: &str) -> Option<String> {
    const LONGEST: usize = 120;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = text.chars().filter(|c| c.is_alphanumeric()).count() > 3;
    let fits = text.chars().count() <= LONGEST && !text.contains('`');
    (says && fits).then(|| format!("`{text}`"))
}

/// What of a file answers: its best symbols, else how it begins, else a line with a word of the question.
pub(crate) fn answering(
    sources: &mut Sources<'_, '_>,
    file: &TopicFile,
) -> Result<Option<Cited>, ToolError> {
    /// The most symbols that are named.
    const MOST: usize = 3;
    let mut symbols = Vec::new();
    for at in &file.symbols {
        if let Some((_, symbol)) = symbol_at(sources, *at)?
            && symbols.len() < MOST
        {
            symbols.push(symbol);
        }
    }
    if let Some(said) = declares(sources, file.file, &symbols) {
        return Ok(Some(said));
    }
    if let Some(said) = mention(sources, file) {
        return Ok(Some(said));
    }
    let keys = key_symbols(sources, file.file, MOST)?;
    let said = declares(sources, file.file, &keys);
    Ok(said.or_else(|| header::begins(sources, file.file)))
}

/// "`lib/view.js` declares the function `View` and the method `render`."
pub(crate) fn declares(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    symbols: &[Symbol],
) -> Option<Cited> {
    let (mut items, mut citations) = (Vec::new(), Vec::new());
    for symbol in symbols {
        let item = format!("the {} `{}`", symbol.kind.name(), symbol.name);
        if let Some(citation) = cite_symbol(sources, file, symbol, SHORT)
            && !items.contains(&item)
        {
            citations.push(citation);
            items.push(item);
        }
    }
    let path = sources.path(file);
    (!items.is_empty()).then(|| (format!("`{path}` declares {}.", listed(&items)), citations))
}

/// "`package.json` mentions `router`."
fn mention(sources: &mut Sources<'_, '_>, file: &TopicFile) -> Option<Cited> {
    let text = sources.text(file.file)?;
    for &line in &file.lines {
        let shown = text.lines.get((line as usize).checked_sub(1)?)?;
        let lower = shown.to_lowercase();
        // The longest word says most. Lower case may have another length, so the place is not taken over.
        let mut words: Vec<&String> =
            file.matched.iter().filter(|word| has_word(&lower, word)).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        for word in words {
            let as_written = shown
                .split(|c: char| !crate::extract::sources::is_of_name(c))
                .find(|part| part.to_lowercase() == **word);
            if let Some(as_written) = as_written {
                let citation = sources.cite_naming(file.file, line, line, as_written)?;
                let path = sources.path(file.file);
                return Some((format!("`{path}` mentions `{as_written}`."), vec![citation]));
            }
        }
    }
    None
}

/// The symbols that tell most about a file, in the order of the text: what others can use, types and functions before values.
pub(crate) fn key_symbols(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    most: usize,
) -> Result<Vec<Symbol>, ToolError> {
    let Some(facts) = sources.facts(file)? else { return Ok(Vec::new()) };
    let mut order: Vec<usize> = (0..facts.symbols.len()).collect();
    order.sort_by_key(|&at| {
        let symbol = &facts.symbols[at];
        let lines = symbol.span.last_line - symbol.span.first_line;
        let is_nested = symbol.parent.is_some();
        let is_value =
            matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Module);
        (is_value, !symbol.exported, is_nested, std::cmp::Reverse(lines), at)
    });
    order.truncate(most);
    order.sort_unstable();
    Ok(order.into_iter().map(|at| facts.symbols[at].clone()).collect())
}

/// "`Store` declares `get` and `put`." for what has members.
pub(crate) fn members(
    sources: &mut Sources<'_, '_>,
    at: SymbolAt,
) -> Result<Option<Cited>, ToolError> {
    /// The most members that are named.
    const MOST: usize = 8;
    let Some((facts, symbol)) = symbol_at(sources, at)? else { return Ok(None) };
    let is_member =
        |member: &&Symbol| member.parent == Some(at.symbol) && member.kind == SymbolKind::Method;
    let mut items = Vec::new();
    let mut citations: Vec<Citation> = cite_name(sources, at.file, &symbol).into_iter().collect();
    for member in facts.symbols.iter().filter(is_member).take(MOST) {
        if let Some(citation) = cite_name(sources, at.file, member) {
            items.push(format!("`{}`", member.name));
            citations.push(citation);
        }
    }
    let said = || (format!("`{}` has the methods {}.", symbol.name, listed(&items)), citations);
    Ok((items.len() > 1).then(said))
}
