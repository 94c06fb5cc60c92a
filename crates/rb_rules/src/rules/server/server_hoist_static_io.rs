//! A file that never changes is read again for every request.

mod fixed;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use self::fixed::fixed_path;
use super::entries::{Entry, EntryKind, entries, exports, is_server_source};
use super::names::path_of;
use crate::cx::{Cx, Hit};
use crate::facts::{Facts, Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-hoist-static-io",
    title: "A fixed file is read for every request",
    category: Category::Server,
    impact: Impact::High,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A handler or action reads a file whose path is known when the module is loaded: `readFile`, \
               `readFileSync` or `fetch(new URL(…, import.meta.url))` that uses nothing from the request.",
        why: "Fonts, templates and keys are the same for every request; reading them each time adds disk or network \
              time to every request.",
        wrong: "import { readFile } from 'node:fs/promises';

export async function GET() {
  const font = await readFile('./fonts/a.ttf');
  return draw(font);
}",
        right: "import { readFile } from 'node:fs/promises';

const fontPromise = readFile('./fonts/a.ttf');
fontPromise.catch(() => {});

export async function GET() {
  const font = await fontPromise;
  return draw(font);
}",
        safe: "Always a draft. The file is read when the module is loaded, also at build time; a read that fails \
               stays failed; all requests share one buffer. The empty `catch` keeps a failure from ending the \
               process before anything awaits it.",
        leave: "The file changes while the server runs, is very large, or is on a path that is rarely taken.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/og/route.ts"),
            Given::Realm(Realm::Server),
            Given::Route(Route::Handler),
        ],
    },
    wants: &["readFile", "import.meta.url"],
    applies: is_server_source,
    check,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    Promise,
    Sync,
    Fetch,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let config = config(module);
    if config.is_static || writes_files(module) {
        return;
    }
    let entries = entries(cx.facts, module);
    let helpers = helpers(module, &entries);
    for &call in module.calls() {
        let Some(read) = read_of(module, call) else { continue };
        if config.is_edge && read != Read::Fetch {
            continue;
        }
        let mut all = entries.iter().chain(&helpers);
        let Some(entry) = all.find(|it| it.func.span().contains_inclusive(call.span)) else {
            continue;
        };
        let is_helper = helpers.iter().any(|it| it.at == entry.at);
        if !(is_helper || is_handled(cx.facts, entry))
            || is_kept(module, call, entry)
            || must_be_fresh(module, &config, entry)
        {
            continue;
        }
        let Some(file) = fixed_path(cx, call) else { continue };
        let (name, often) =
            (entry.name, if is_helper { "on every call" } else { "on every request" });
        let message = format!("`{name}` reads `{file}` {often}; read it once at module load");
        let hit = Hit::at(call.span, message);
        let hit = match draft(module, call, read, &file) {
            Some(edits) => hit.assist("read it at module load", edits),
            None => hit,
        };
        cx.report(if is_helper {
            hit.likely(format!("`{name}` may run only once, or the file may change"))
        } else if is_said(module, entry, &["each request", "every request"]) {
            hit.likely("a comment suggests that it is re-read on purpose")
        } else {
            hit
        });
    }
}

/// Functions that the file offers to others, and that no request reaches first.
fn helpers<'a>(module: &Module<'a>, entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let found = exports(module).into_iter().filter_map(|export| {
        let super::entries::Exported::Function(func) = export.value else { return None };
        let is_entry = entries.iter().any(|it| func.span().contains_inclusive(it.func.span()));
        let helper = Entry { kind: EntryKind::Handler, name: export.name, func, at: export.at };
        (!is_entry && func.is_async() && !func.params().items.is_empty()).then_some(helper)
    });
    found.collect()
}

/// What the file tells the router about itself.
struct Config {
    is_edge: bool,
    /// Made once, when the project is built.
    is_static: bool,
    /// Made for each request, by word.
    is_dynamic: bool,
}

fn config(module: &Module<'_>) -> Config {
    let mut config = Config { is_edge: false, is_static: false, is_dynamic: false };
    for export in exports(module) {
        let super::entries::Exported::Value(value) = export.value else {
            config.is_static |= export.name == "generateStaticParams";
            continue;
        };
        let Expression::StringLiteral(text) = value.get_inner_expression() else { continue };
        match (export.name, text.value.as_str()) {
            ("runtime", "edge" | "experimental-edge") => config.is_edge = true,
            ("dynamic", "force-static" | "error") => config.is_static = true,
            ("dynamic", "force-dynamic") => config.is_dynamic = true,
            _ => {}
        }
    }
    config
}

/// What is written here may well be what is read here.
fn writes_files(module: &Module<'_>) -> bool {
    const WRITES: &[&str] =
        &["writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream"];
    module
        .calls()
        .iter()
        .any(|call| path_of(&call.callee).last().is_some_and(|name| WRITES.contains(name)))
}

fn is_handled(facts: &Facts, entry: &Entry<'_>) -> bool {
    let has_params = !entry.func.params().items.is_empty();
    match entry.kind {
        // Before Next 15, and for images still, what asks nothing of the request is made once.
        EntryKind::Handler if entry.name == "GET" && facts.package.uses_next => {
            has_params || facts.package.next_at_least(15, 0)
        }
        EntryKind::Handler | EntryKind::Action => true,
        EntryKind::Component => has_params && is_image(&facts.path),
        EntryKind::Metadata => false,
    }
}

/// `opengraph-image.tsx`: drawn by a handler, though it looks like a component.
fn is_image(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    ["opengraph-image", "twitter-image", "apple-icon", "icon"]
        .iter()
        .any(|it| file.strip_prefix(it).is_some_and(|rest| rest.starts_with('.')))
}

fn read_of<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<Read> {
    if module.is_global_named(&call.callee, "fetch") {
        let [Argument::NewExpression(_)] = call.arguments.as_slice() else { return None };
        return Some(Read::Fetch);
    }
    let callee = call.callee.get_inner_expression();
    let promises = ["fs/promises", "node:fs/promises"];
    let callbacks = ["fs", "node:fs"];
    let from = |sources: &[&str], name: &str| {
        sources.iter().any(|source| module.export_name(callee, source) == Some(name))
    };
    if from(&callbacks, "readFileSync") {
        return Some(Read::Sync);
    }
    if from(&promises, "readFile") {
        return Some(Read::Promise);
    }
    // `fs.promises.readFile`, and `promises as fs` of `fs`.
    let Expression::StaticMemberExpression(member) = callee else { return None };
    let is_promises =
        callbacks.iter().any(|it| module.export_name(&member.object, it) == Some("promises"));
    (is_promises && member.property.name == "readFile").then_some(Read::Promise)
}

/// Is it kept in a variable of the module already, or read while developing only?
fn is_kept<'a>(module: &Module<'a>, call: &CallExpression<'a>, entry: &Entry<'a>) -> bool {
    let around = module.ancestors(call.node_id.get());
    let mut around = around.take_while(|kind| kind.span() != entry.func.span());
    around.any(|kind| match kind {
        AstKind::AssignmentExpression(_) => true,
        AstKind::IfStatement(it) => {
            let test = module.slice(it.test.span());
            test.contains("NODE_ENV")
                || module.identifiers_in(it.test.span()).iter().any(|name| {
                    module.symbol(name).is_some_and(|it| {
                        module.is_top_level(it)
                            && module.import(it).is_none()
                            && !module.is_const(it)
                    })
                })
        }
        _ => false,
    })
}

/// Is the file to be read anew? Where nothing is asked of the request and yet the answer must not be kept, nothing but the file
/// can make it another one; or a comment says so.
fn must_be_fresh(module: &Module<'_>, config: &Config, entry: &Entry<'_>) -> bool {
    const WORDS: &[&str] = &["stale", "fresh", "up to date", "up-to-date", "without restart"];
    let asks_nothing = entry.func.params().items.is_empty();
    let is_not_kept = config.is_dynamic || module.slice(entry.func.span()).contains("no-store");
    asks_nothing && is_not_kept || is_said(module, entry, WORDS)
}

/// Does a comment in the function or right above it have one of these words?
fn is_said(module: &Module<'_>, entry: &Entry<'_>, words: &[&str]) -> bool {
    let span = entry.func.span();
    let above = module.comments().iter().filter(|it| {
        let before = Span::new(it.span.end, span.start);
        span.contains_inclusive(it.span)
            || (it.span.end <= span.start
                && module.line(span.start) - module.line(before.start) <= 1)
    });
    let mut said = above.map(|it| module.slice(it.span).to_lowercase());
    said.any(|it| words.iter().any(|word| it.contains(word)))
}

fn draft<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    read: Read,
    file: &str,
) -> Option<Vec<Edit>> {
    let (whole, node) = whole(module, call);
    // What a response holds can be taken out of it but once.
    if read == Read::Fetch && whole == call.span {
        return None;
    }
    let captured = module.captures(whole);
    if captured.iter().any(|&it| !module.is_top_level(it)) || module.has_comment(whole) {
        return None;
    }
    let style = module.style();
    let (end, semi) = (style.line_end, style.semicolon());
    let base = declared_name(module, node).map_or_else(|| file_name(file), str::to_owned);
    let code = moved_out(module, whole);
    let (name, text) = if read == Read::Sync {
        let base = if base == "file" { "text".to_owned() } else { format!("{base}File") };
        let name = module.fresh_name(&base);
        let text = format!("const {name} = {code}{semi}");
        (name, text)
    } else {
        let name = module.fresh_name(&format!("{base}Promise"));
        let text = format!("const {name} = {code}{semi}{end}{name}.catch(() => {{}}){semi}");
        (name, text)
    };
    let before = module.program().body.iter().filter(|statement| {
        captured.iter().any(|&it| {
            module.import(it).is_none()
                && statement.span().contains_inclusive(module.scoping().symbol_span(it))
        })
    });
    let place = match before.last() {
        // Behind the constants that it is made of.
        Some(last) if !last.span().contains_inclusive(whole) => {
            Edit::insert(last.span().end, format!("{end}{text}"))
        }
        Some(_) => return None,
        None => module.insert_at_top(&text),
    };
    Some(vec![place, Edit::replace(whole.start, whole.end, name)])
}

/// The code as it stands at the margin. A text of several lines keeps its own.
fn moved_out(module: &Module<'_>, span: Span) -> String {
    let code = module.slice(span);
    let indent = module.indent_at(span.start);
    if indent.is_empty() || code.contains('`') {
        return code.to_owned();
    }
    code.replace(&format!("\n{indent}"), "\n")
}

/// The call with what is chained to it: `fetch(…).then((it) => it.arrayBuffer())`.
fn whole<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> (Span, NodeId) {
    let (mut span, mut node) = (call.span, call.node_id.get());
    let mut around = module.ancestors(node);
    while let (
        Some(AstKind::StaticMemberExpression(member)),
        Some(AstKind::CallExpression(outer)),
    ) = (around.next(), around.next())
    {
        if member.property.name != "then" || outer.callee.span() != member.span {
            break;
        }
        (span, node) = (outer.span, outer.node_id.get());
    }
    (span, node)
}

/// `robotoBold` of `fonts/Roboto-Bold.ttf`.
fn file_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').find(|it| !it.is_empty()).unwrap_or_default();
    let mut name = String::new();
    for word in stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()) {
        let (first, rest) = word.split_at(1);
        let first = if name.is_empty() { first.to_lowercase() } else { first.to_uppercase() };
        name.push_str(&first);
        name.push_str(rest);
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { "file".to_owned() }
}

/// `font` of `const font = await …`.
fn declared_name<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a str> {
    let mut around = module.ancestors(node);
    let declarator = match around.next()? {
        AstKind::VariableDeclarator(it) => it,
        AstKind::AwaitExpression(_) => match around.next()? {
            AstKind::VariableDeclarator(it) => it,
            _ => return None,
        },
        _ => return None,
    };
    declarator.id.get_binding_identifier().map(|it| it.name.as_str())
}

#[cfg(test)]
mod tests;
