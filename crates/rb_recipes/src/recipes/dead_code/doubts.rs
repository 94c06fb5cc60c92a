//! What speaks against the removal of something that nothing in its file uses.

use oxc_ast::AstKind;
use oxc_span::Span;
use rb_ecma::Module;
use rb_rules::{Facts, FileKind};

use super::candidates::Candidate;
use crate::cleaning::deletion::above;
use crate::recipe::{PlanError, Planning};
use crate::recipes::unused_imports::tool_comment;

/// Names that tests reach into modules for: `rewire('./a').__get__('name')`.
pub(super) struct Rewired(String);

impl Rewired {
    pub(super) fn of(planning: &Planning<'_>) -> Result<Self, PlanError> {
        let words = ["rewire", "__get__", "__set__", "__RewireAPI__"];
        let tests = planning.files(&[FileKind::Test], &words)?;
        let found: Vec<String> = tests
            .iter()
            .filter_map(|it| planning.world.text(it).map(|it| it.to_string()))
            .collect();
        Ok(Rewired(found.join("\n")))
    }

    fn has(&self, name: &str) -> bool {
        ['\'', '"', '`'].iter().any(|quote| self.0.contains(&format!("{quote}{name}{quote}")))
    }
}

/// What concerns every name of a file.
pub(super) struct FileDoubts {
    reaches: Option<String>,
    /// Its names are its own.
    is_module: bool,
    kind: FileKind,
    /// What stands in braces in documentation, and where.
    documented: Vec<(Span, String)>,
    exported: Vec<String>,
}

impl FileDoubts {
    pub(super) fn of(facts: &Facts, module: &Module<'_>, is_module: bool) -> Self {
        let mut doubts = FileDoubts {
            reaches: None,
            is_module,
            kind: facts.kind,
            documented: Vec::new(),
            exported: Vec::new(),
        };
        for node in module.nodes().iter() {
            let (what, at) = match node.kind() {
                AstKind::CallExpression(it) if module.is_global_named(&it.callee, "eval") => {
                    ("eval", it.span)
                }
                AstKind::WithStatement(it) => ("with", it.span),
                _ => continue,
            };
            doubts.reaches = Some(format!("`{what}` on line {} may use it", module.line(at.start)));
        }
        for comment in module.comments() {
            let text = module.slice(comment.span);
            if text.starts_with("/**") {
                let braces = text.match_indices('{').map(|(at, _)| {
                    let rest = &text[at + 1..];
                    rest.find('}').map_or(rest, |end| &rest[..end])
                });
                doubts.documented.extend(braces.map(|it| (comment.span, it.to_owned())));
            }
            // `/* exported name */` tells ESLint that a page uses it.
            if let Some((_, names)) = text.split_once("/* exported ") {
                doubts.exported.extend(names.split([',', ' ', '*']).map(|it| it.trim().to_owned()));
            }
        }
        doubts
    }

    /// Why it stays, and what could be done.
    pub(super) fn about(
        &self,
        module: &Module<'_>,
        it: &Candidate<'_>,
        rewired: &Rewired,
    ) -> Option<(String, &'static str)> {
        const LOOK: &str = "check that place, and delete it by hand if it is not needed";
        let name = it.name.as_str();
        if let Some(reaches) = self.reaches.as_ref().filter(|_| it.symbol.is_some()) {
            return Some((reaches.clone(), LOOK));
        }
        if it.place.is_top() && !self.is_module {
            let why = "the file has no import or export, so it is a script and shares its names with other scripts";
            return Some((
                why.to_owned(),
                "make it a module, or look for uses in other scripts and pages",
            ));
        }
        if it.symbol.is_some_and(|it| !module.scoping().symbol_redeclarations(it).is_empty()) {
            return Some((
                format!("`{name}` is declared more than once"),
                "delete all of them together",
            ));
        }
        if it.symbol.is_some()
            && module.identifiers().iter().any(|it| it.name == name && module.is_global(it))
        {
            let why = format!("an undeclared `{name}` is used in this file and may refer to it");
            return Some((why, LOOK));
        }
        if self.exported.iter().any(|it| it == name) {
            return Some((format!("a comment marks `{name}` as used from elsewhere"), LOOK));
        }
        if rewired.has(name) {
            return Some((
                format!("a test accesses `{name}` inside the module"),
                "change the test first",
            ));
        }
        self.said(module, it).or_else(|| self.for_types(it))
    }

    /// Comments that speak of it.
    fn said(&self, module: &Module<'_>, it: &Candidate<'_>) -> Option<(String, &'static str)> {
        const TAGS: &[&str] = &["@public", "@api", "@export", "@used", "@expose", "@preserve"];
        if let Some(comment) = tool_comment(module, head(module, it.span)) {
            let why = format!("the comment `{}` applies to it", crate::plan::one_line(comment));
            return Some((why, "delete both if neither is needed"));
        }
        let from = above(module, it.span.start);
        let tag = module.comments().iter().find_map(|comment| {
            let is_own = comment.span.start >= from && comment.span.end <= it.span.start;
            let text = module.slice(comment.span);
            is_own.then(|| TAGS.iter().find(|tag| text.contains(**tag))).flatten()
        });
        if let Some(tag) = tag {
            return Some((
                format!("its comment contains `{tag}`"),
                "delete it if that is no longer true",
            ));
        }
        let is_named = self.documented.iter().any(|(span, text)| {
            !(span.start >= from && span.end <= it.span.end) && has_word(text, &it.name)
        });
        is_named.then(|| {
            (format!("a JSDoc comment mentions `{}`", it.name), "change the comment first")
        })
    }

    /// Types in tests may be there for the type check alone.
    fn for_types(&self, it: &Candidate<'_>) -> Option<(String, &'static str)> {
        let is_type = matches!(it.what, "type" | "interface");
        (is_type && self.kind == FileKind::Test).then(|| {
            let why = "a type in a test may only be there for the type check";
            (why.to_owned(), "delete it if it is not")
        })
    }
}

/// The first line of a declaration.
fn head(module: &Module<'_>, span: Span) -> Span {
    let line = module.slice(span).split('\n').next().map_or(0, str::len);
    Span::new(span.start, span.start + u32::try_from(line).unwrap_or(0))
}

fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}
