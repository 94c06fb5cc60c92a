//! `outline`: what a file declares, with signatures, lines and the first sentence of each doc comment.
//!
//! Of a large file, the end matters as much as the beginning: doc comments and then signatures are left out before symbols are.

use rb_core::plural;
use rb_index::test_links;
use rb_lang::{Facts, Language, Symbol, SymbolKind};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::symbols::{self, line_range};
use super::{Tool, paths, source, words};
use crate::file_text::has_word;
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const LONGEST_DOC: usize = 160;
const DEEPEST: usize = 8;

/// How much is said of each symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Docs,
    Signatures,
    ShortSignatures,
    Names,
}

impl Detail {
    /// From the most to the least.
    const ALL: [Detail; 4] =
        [Detail::Docs, Detail::Signatures, Detail::ShortSignatures, Detail::Names];

    fn longest_signature(self) -> usize {
        match self {
            Detail::Docs | Detail::Signatures => 200,
            Detail::ShortSignatures => 80,
            Detail::Names => 0,
        }
    }
}

fn spec() -> ToolSpec {
    let properties = json!({
        "path": {
            "type": "string",
            "description": "The path of the file, relative to the root of the repository."
        },
        "name": {
            "type": "string",
            "description": "List the symbols whose name has this in it, such as \"parse\", and what they hold."
        },
        "first_line": {
            "type": "integer",
            "minimum": 1,
            "description": "List the symbols from this line on."
        },
        "last_line": {
            "type": "integer",
            "minimum": 1,
            "description": "List the symbols up to this line."
        }
    });
    ToolSpec {
        name: "outline",
        title: "Outline of a file",
        description: "Lists the symbols of a file in the order of the text: lines, signature and the first sentence of the doc \
                      comment. For a part of a large file, give `name` or lines. It shows no code that can be cited; use `read_file` \
                      for that.",
        input: schema(&properties, &["path"]),
    }
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let id = paths::find(on, &view, arguments.required("path"))?;
    let file = view.file(id);
    let shown = words::path(file.path);
    // What must not be shown is not shown in the form of signatures either.
    source::read(on, cache, &file).map_err(|why| why.error(file.path))?;
    let Some(facts) = view.read_facts(id)? else {
        let language = file.language.map_or("of an unknown kind", Language::name);
        return Err(ToolError::Call(format!(
            "`{shown}` is {language} and has no outline. Read it with `read_file`."
        )));
    };
    let mut page = Page::new();
    page.file(file.path);
    let mut notes = vec![plural(facts.lines as usize, "line")];
    if !facts.symbols.is_empty() {
        notes.push(plural(facts.symbols.len(), "symbol"));
    }
    if facts.syntax_errors > 0 {
        notes.push(plural(facts.syntax_errors as usize, "syntax error"));
    }
    let notes = notes.join(", ");
    if facts.symbols.is_empty() {
        page.line(&format!(
            "{shown} ({notes}) declares nothing by name. Read it with `read_file`."
        ));
        return Ok(page.finish());
    }
    let wanted = Wanted::new(arguments)?;
    let entries = entries(&facts, &wanted, test_links::is_test_path(file.path));
    let which = wanted.words();
    if entries.is_empty() {
        page.line(&format!(
            "{shown} ({notes}) declares nothing {which}. Leave out `name` and the lines to see all of it."
        ));
        return Ok(page.finish());
    }
    let which = if which.is_empty() { which } else { format!(", those {which}") };
    page.line(&format!("{shown} ({notes}{which}):"));
    let chars =
        |detail: Detail| -> usize { entries.iter().map(|entry| entry.block(detail).chars()).sum() };
    let fitting = Detail::ALL.into_iter().find(|detail| page.has_room(chars(*detail)));
    let detail = fitting.unwrap_or(Detail::Names);
    let left = page.each(&entries, entries.len(), |entry| Ok(entry.block(detail)))?;
    if left > 0 {
        let next = entries[entries.len() - left].symbol.span.first_line;
        let left = plural(left, "symbol");
        page.line(&format!(
            "({left} left out, from line {next} on. Go on with {{\"path\": \"{shown}\", \"first_line\": {next}}}.)"
        ));
    } else if detail != Detail::Docs {
        page.line("(Shortened. `name` or `first_line` and `last_line` show a part of it in full.)");
    }
    Ok(page.finish())
}

/// The symbols that are asked for.
struct Wanted {
    /// In lower case; empty for all names.
    name: String,
    first: u32,
    last: u32,
}

impl Wanted {
    fn new(arguments: &Arguments) -> Result<Wanted, ToolError> {
        let name = arguments.text("name").unwrap_or_default();
        let name = name.trim_matches('`').replace("::", ".").to_lowercase();
        let first = arguments.number("first_line").unwrap_or(1);
        let last = arguments.number("last_line").unwrap_or(u32::MAX);
        if last < first {
            return Err(ToolError::Call(format!(
                "`last_line` ({last}) is before `first_line` ({first})."
            )));
        }
        Ok(Wanted { name, first, last })
    }

    fn takes(&self, symbols: &[Symbol], index: u32, symbol: &Symbol) -> bool {
        let is_in_lines =
            symbol.span.first_line <= self.last && symbol.span.last_line >= self.first;
        let has_name = || {
            self.name.is_empty()
                || symbols::qualified(symbols, index).to_lowercase().contains(&self.name)
        };
        is_in_lines && has_name()
    }

    /// Whether the tests in this module are listed: whoever asks for something in it wants to see it.
    fn opens(&self, module: &Symbol) -> bool {
        !self.name.is_empty() || self.first > module.span.first_line
    }

    /// "in lines 8-10, named like `get`"; empty for all.
    fn words(&self) -> String {
        let mut words = Vec::new();
        match (self.first, self.last) {
            (1, u32::MAX) => {}
            (first, u32::MAX) => words.push(format!("from line {first} on")),
            (first, last) => words.push(format!("in lines {}", line_range(first, last))),
        }
        if !self.name.is_empty() {
            words.push(format!("named like `{}`", words::one_line(&self.name, 100)));
        }
        words.join(", ")
    }
}

/// A symbol as it is listed.
struct Entry<'f> {
    symbol: &'f Symbol,
    depth: usize,
    /// What it is declared in, where that is not what it stands below.
    owner: Option<String>,
    /// The lines of further declarations that read the same, such as one for each system.
    again: Vec<(u32, u32)>,
    /// Symbols in it that are not listed, because it is a module of tests.
    hidden: usize,
}

fn entries<'f>(facts: &'f Facts, wanted: &Wanted, is_test_file: bool) -> Vec<Entry<'f>> {
    let symbols = &facts.symbols;
    let mut entries: Vec<Entry<'f>> = Vec::new();
    // The last listed symbol and those that it is declared in, and the module of tests whose symbols are not listed.
    let mut above: Vec<u32> = Vec::new();
    let mut closed: Option<&Symbol> = None;
    for ((index, symbol), depth) in (0..).zip(symbols).zip(depths(facts)) {
        if !wanted.takes(symbols, index, symbol) {
            continue;
        }
        let is_closed = |module: &Symbol| symbol.span.first_line <= module.span.last_line;
        if closed.is_some_and(is_closed) && depth > 0 {
            if let Some(module) = entries.last_mut() {
                module.hidden += 1;
            }
            continue;
        }
        let is_tests = !is_test_file && symbols::is_test_module(symbol);
        closed = (is_tests && !wanted.opens(symbol)).then_some(symbol);
        if let Some(last) = entries.last_mut().filter(|last| last.reads_like(symbol)) {
            last.again.push((symbol.span.first_line, symbol.span.last_line));
        } else {
            let parent = symbol.parent.filter(|parent| !above.contains(parent));
            let owner = parent.map(|parent| symbols::qualified(symbols, parent));
            entries.push(Entry { symbol, depth, owner, again: Vec::new(), hidden: 0 });
        }
        above = chain(symbols, index);
    }
    entries
}

/// A symbol and those that it is declared in.
fn chain(symbols: &[Symbol], index: u32) -> Vec<u32> {
    let mut chain = Vec::new();
    let mut at = Some(index);
    while let Some(index) = at {
        chain.push(index);
        // A parent always comes before what is in it.
        at = symbols.get(index as usize).and_then(|symbol| symbol.parent);
    }
    chain
}

/// How many symbols each is declared in.
fn depths(facts: &Facts) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(facts.symbols.len());
    for symbol in &facts.symbols {
        let parent = symbol.parent.and_then(|parent| depths.get(parent as usize));
        depths.push(parent.map_or(0, |depth| depth + 1));
    }
    depths
}

impl Entry<'_> {
    fn reads_like(&self, symbol: &Symbol) -> bool {
        let own = self.symbol;
        own.parent == symbol.parent
            && own.kind == symbol.kind
            && own.name == symbol.name
            && own.signature == symbol.signature
    }

    fn block(&self, detail: Detail) -> Block {
        let mut block = Block::default();
        let outer = "  ".repeat(self.depth.min(DEEPEST));
        if let Some(owner) = &self.owner {
            block.line(&format!("{outer}of `{}`:", words::one_line(owner, 120)));
        }
        let span = self.symbol.span;
        let first = [(span.first_line, span.last_line)];
        let ranges = first.iter().chain(&self.again).map(|(first, last)| line_range(*first, *last));
        let ranges = ranges.collect::<Vec<_>>().join(", ");
        block.line(&format!("{outer}  {ranges} {}", self.words(detail)));
        let doc = words::first_sentence(&self.symbol.doc, LONGEST_DOC);
        if !doc.is_empty() && detail == Detail::Docs && self.hidden == 0 {
            block.line(&format!("{outer}    {doc}"));
        }
        block
    }

    /// The signature, if it has the name; otherwise the kind and the name before it.
    fn words(&self, detail: Detail) -> String {
        let symbol = self.symbol;
        let kind = symbol.kind.name();
        let named = format!("{kind} `{}`", words::one_line(&symbol.name, 120));
        if self.hidden > 0 {
            return format!("{named} with {}", plural(self.hidden, "symbol"));
        }
        // Bounds say little of what a function does.
        let signature = symbol.signature.split(" where ").next().unwrap_or_default();
        let longest = detail.longest_signature();
        if signature.is_empty() || longest == 0 {
            return named;
        }
        let signature = words::one_line(signature, longest);
        match (has_word(&signature, &symbol.name), symbol.kind) {
            (true, SymbolKind::Component) => format!("{signature} (component)"),
            (true, _) => signature,
            (false, _) => format!("{named}: {signature}"),
        }
    }
}
