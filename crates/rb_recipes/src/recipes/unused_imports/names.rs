//! Is a name that an import binds used, in a way that the uses of its symbol do not tell?

use oxc_ast::AstKind;
use oxc_semantic::SymbolId;
use oxc_span::Span;
use rb_ecma::Module;
use rb_rules::{Facts, World};

use crate::cleaning::{Jsx, jsx};

/// What a file says that concerns all of its imports; looked at once.
pub(super) struct FileDoubts {
    /// `eval` or `with`: any name may be used.
    reaches: Option<String>,
    has_jsx: bool,
    jsx: Jsx,
    /// Names that comments give to the compiler: `@jsx h`.
    pragmas: Vec<String>,
    /// What stands in braces in documentation.
    documented: Vec<String>,
    /// `/* eslint-disable no-unused-vars */` over the file.
    is_silenced: bool,
}

/// Names that JSX is commonly compiled to.
const FACTORIES: &[&str] =
    &["React", "Preact", "preact", "h", "Fragment", "jsx", "createElement", "Inferno", "m", "dom"];

impl FileDoubts {
    pub(super) fn of(world: &dyn World, facts: &Facts, module: &Module<'_>) -> Self {
        let mut reaches = None;
        let mut has_jsx = !module.elements().is_empty();
        for node in module.nodes().iter() {
            match node.kind() {
                AstKind::CallExpression(call) if module.is_global_named(&call.callee, "eval") => {
                    reaches =
                        Some(format!("`eval` on line {} may use it", module.line(call.span.start)));
                }
                AstKind::WithStatement(with) => {
                    reaches =
                        Some(format!("`with` on line {} may use it", module.line(with.span.start)));
                }
                AstKind::JSXFragment(_) => has_jsx = true,
                _ => {}
            }
        }
        let mut doubts = FileDoubts {
            reaches,
            has_jsx,
            jsx: jsx(world, &facts.path, facts),
            pragmas: Vec::new(),
            documented: Vec::new(),
            is_silenced: false,
        };
        for comment in module.comments() {
            doubts.read(module.slice(comment.span));
        }
        doubts
    }

    fn read(&mut self, comment: &str) {
        for pragma in ["@jsx ", "@jsxFrag "] {
            if let Some((_, rest)) = comment.split_once(pragma) {
                let name =
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next();
                self.pragmas.extend(name.map(str::to_owned));
            }
        }
        if comment.contains("@jsxRuntime automatic") || comment.contains("@jsxImportSource") {
            self.jsx = Jsx::Automatic;
        }
        if comment.starts_with("/**") {
            self.documented.extend(braced(comment).map(str::to_owned));
        }
        let is_block = comment.contains("eslint-disable")
            && !comment.contains("eslint-disable-next-line")
            && !comment.contains("eslint-disable-line");
        self.is_silenced |= is_block && comment.contains("no-unused-vars");
    }

    /// Does a comment say that JSX of the file becomes calls of it? Then it is used.
    pub(super) fn is_called_by_jsx(&self, name: &str) -> bool {
        self.pragmas.iter().any(|it| it == name)
    }

    /// Why a name may be used though nothing in the text uses it.
    pub(super) fn about(
        &self,
        module: &Module<'_>,
        symbol: SymbolId,
    ) -> Option<(String, &'static str)> {
        const LOOK: &str = "look at that place, and delete the import by hand if it is not needed";
        let name = module.name(symbol);
        if let Some(reaches) = &self.reaches {
            return Some((reaches.clone(), LOOK));
        }
        if !module.scoping().symbol_redeclarations(symbol).is_empty() {
            let what = format!("`{name}` is declared a second time in this file");
            return Some((what, "give one of the two another name"));
        }
        if self.has_jsx && self.jsx == Jsx::Named && FACTORIES.contains(&name) {
            let what = format!("JSX of this file may be compiled to calls of `{name}`");
            let advice = "set every compiler to import the JSX runtime by itself (`jsx: react-jsx`, Babel's `runtime: automatic`), then run this again";
            return Some((what, advice));
        }
        if self.documented.iter().any(|it| has_word(it, name)) {
            let what = format!("a JSDoc comment mentions `{name}`");
            return Some((what, "write `import('…')` in the comment, or keep the import"));
        }
        if self.is_silenced {
            let what =
                "an `eslint-disable` comment for unused names applies to this file".to_owned();
            return Some((what, LOOK));
        }
        None
    }
}

/// What stands between braces.
fn braced(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('{').map(|(at, _)| {
        let rest = &text[at + 1..];
        rest.find('}').map_or(rest, |end| &rest[..end])
    })
}

/// Is the name in the text, and not as a part of a longer one?
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// A comment right above a span or on its lines that speaks to a tool.
pub(crate) fn tool_comment<'m>(module: &'m Module<'_>, span: Span) -> Option<&'m str> {
    const TOOLS: &[&str] =
        &["eslint-disable", "@ts-", "biome-ignore", "oxlint-", "noinspection", "tslint:"];
    let first = module.line(span.start);
    let last = module.line(span.end.saturating_sub(1).max(span.start));
    module.comments().iter().find_map(|comment| {
        let line = module.line(comment.span.start);
        let end = module.line(comment.span.end.saturating_sub(1));
        let is_near = (first..=last).contains(&line) || end + 1 == first;
        let text = module.slice(comment.span);
        (is_near && TOOLS.iter().any(|it| text.contains(it))).then_some(text)
    })
}
