//! The import declarations of one file, and what becomes of each.

use std::collections::BTreeSet;

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::{Facts, FileKind, Target, World};

use super::names::{FileDoubts, tool_comment};
use crate::cleaning::compiler::is_laid_out_by_prettier;
use crate::cleaning::deletion::{self, Comments};
use crate::cleaning::{drops_unused_imports, loud_package, loud_when_loaded};
use crate::plan::{Left, Site, one_line};

/// What is done to one file.
#[derive(Debug, Default)]
pub struct Cleaned {
    pub sites: Vec<Site>,
    pub edits: Vec<Edit>,
    pub left: Vec<Left>,
    pub notes: Vec<String>,
    /// Why the code that makes these imports unused had better stay: its import would be dropped, and is missed.
    pub blocked: Vec<(Span, String)>,
}

/// What loading the other file means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Loading {
    Quiet,
    /// It surely does something.
    Loud(String),
    Unknown(String),
}

pub(super) struct File<'f, 'a> {
    pub world: &'f dyn World,
    pub facts: &'f Facts,
    pub module: &'f Module<'a>,
    /// Pieces of the text that go: uses there are none.
    pub dead: &'f [Span],
    /// The only names that are looked at, where it is not all.
    pub among: Option<&'f BTreeSet<String>>,
    pub doubts: FileDoubts,
    pub out: Cleaned,
}

/// Takes away what nothing uses; where `dead` is given, only what was used there and nowhere else.
pub fn clean(world: &dyn World, facts: &Facts, module: &Module<'_>, dead: &[Span]) -> Cleaned {
    let doubts = FileDoubts::of(world, facts, module);
    let out = Cleaned::default();
    cleaned(File { world, facts, module, dead, among: None, doubts, out })
}

/// Takes away those of some names that nothing uses.
pub(super) fn clean_names(
    world: &dyn World,
    facts: &Facts,
    module: &Module<'_>,
    names: &BTreeSet<String>,
) -> Cleaned {
    let doubts = FileDoubts::of(world, facts, module);
    let out = Cleaned::default();
    cleaned(File { world, facts, module, dead: &[], among: Some(names), doubts, out })
}

fn cleaned(mut file: File<'_, '_>) -> Cleaned {
    let module = file.module;
    let mut deleted = Vec::new();
    for (at, statement) in module.program().body.iter().enumerate() {
        match statement {
            Statement::ImportDeclaration(it) => file.declaration(it, at, &mut deleted),
            Statement::VariableDeclaration(it) => file.requires(it, at, &mut deleted),
            _ => {}
        }
    }
    file.delete(deleted);
    let mut out = file.out;
    out.edits = deletion::tidied(module.text(), out.edits);
    out
}

impl<'a> File<'_, 'a> {
    /// Nothing that stays uses it; in code that goes it is used, where that is asked for.
    pub(super) fn is_unused(&self, symbol: SymbolId) -> bool {
        if self.among.is_some_and(|names| !names.contains(self.module.name(symbol))) {
            return false;
        }
        let mut uses = self.module.uses(symbol).peekable();
        let is_used_in_dead = uses.peek().is_some();
        is_used_in_dead != self.dead.is_empty()
            && uses.all(|it| self.dead.iter().any(|dead| (*dead).contains_inclusive(it.span)))
    }

    pub(super) fn leave(&mut self, span: Span, code: &str, reason: String, suggestion: &str) {
        if !self.dead.is_empty() {
            return;
        }
        let place = self.module.place(span.start);
        self.out.left.push(Left {
            path: self.facts.path.to_string(),
            line: place.line,
            column: place.column,
            code: one_line(code),
            reason,
            suggestion: suggestion.to_owned(),
            through: Vec::new(),
        });
    }

    pub(super) fn site(&mut self, span: Span, what: String) {
        let line = self.module.line(span.start);
        self.out.sites.push(Site { path: self.facts.path.to_string(), line, what });
    }

    fn declaration(&mut self, it: &'a ImportDeclaration<'a>, at: usize, deleted: &mut Vec<Whole>) {
        let Some(specifiers) = it.specifiers.as_ref().filter(|it| !it.is_empty()) else { return };
        let gone: Vec<bool> = specifiers
            .iter()
            .map(|specifier| {
                let symbol = specifier.local().symbol_id.get();
                symbol
                    .is_some_and(|it| self.is_unused(it) && !self.is_doubted(it, specifier.span()))
            })
            .collect();
        if !gone.contains(&true) {
            return;
        }
        if let Some(comment) = tool_comment(self.module, it.span) {
            let reason = format!("the comment `{}` applies to it", one_line(comment));
            self.leave(
                it.span,
                self.module.slice(it.span),
                reason,
                "delete both if neither is needed",
            );
            return;
        }
        if let Some(reason) = self.is_missed(it, specifiers, &gone) {
            self.out.blocked.push((it.span, reason));
            return;
        }
        if gone.contains(&false) {
            self.part(it, specifiers, &gone);
        } else {
            self.whole(it, specifiers, at, deleted);
        }
    }

    /// Is there a word against the removal of one name? Says so, unless the name is simply used.
    pub(super) fn is_doubted(&mut self, symbol: SymbolId, span: Span) -> bool {
        if self.doubts.is_called_by_jsx(self.module.name(symbol)) {
            return true;
        }
        let Some((reason, suggestion)) = self.doubts.about(self.module, symbol) else {
            return false;
        };
        self.leave(span, self.module.slice(span), reason, suggestion);
        true
    }

    /// An import of which the code that goes makes the only use as a value: the compiler will drop it, needed or not.
    fn is_missed(
        &self,
        it: &ImportDeclaration<'a>,
        specifiers: &[ImportDeclarationSpecifier<'a>],
        gone: &[bool],
    ) -> Option<String> {
        if self.dead.is_empty()
            || it.import_kind.is_type()
            || !drops_unused_imports(self.world, &self.facts.path)
        {
            return None;
        }
        let has_values = |is_gone: bool| {
            specifiers.iter().zip(gone).any(|(specifier, gone)| {
                *gone == is_gone
                    && specifier.local().symbol_id.get().is_some_and(|it| {
                        self.module.value_uses(it).any(|it| {
                            !self.dead.iter().any(|dead| (*dead).contains_inclusive(it.span))
                                || is_gone
                        })
                    })
            })
        };
        if !has_values(true) || has_values(false) {
            return None;
        }
        match self.loading(&it.source.value) {
            Loading::Quiet => None,
            Loading::Loud(why) | Loading::Unknown(why) => Some(why),
        }
    }

    /// What loading `specifier` does.
    pub(super) fn loading(&self, specifier: &str) -> Loading {
        let path = &*self.facts.path;
        if self.facts.kind == FileKind::Test && self.world.is_mocked(specifier) {
            return Loading::Unknown(format!("a test mocks `{specifier}`"));
        }
        match self.world.resolve(path, specifier) {
            Target::Builtin => Loading::Quiet,
            Target::Package(name) if !loud_package(self.world, path, specifier, &name) => {
                Loading::Quiet
            }
            Target::Package(name) => Loading::Unknown(format!(
                "it is not known whether `{name}` has side effects when it is loaded"
            )),
            Target::Unknown => Loading::Unknown(format!("`{specifier}` cannot be resolved")),
            Target::File(file) => match loud_when_loaded(self.world, &file) {
                None => Loading::Quiet,
                Some(loud) if loud.line > 0 => Loading::Loud(loud.words()),
                Some(loud) => Loading::Unknown(loud.words()),
            },
        }
    }

    /// Some names go, others stay.
    fn part(
        &mut self,
        it: &'a ImportDeclaration<'a>,
        specifiers: &'a [ImportDeclarationSpecifier<'a>],
        gone: &[bool],
    ) {
        let edits = without(self.module, it, specifiers, gone);
        let says = |edit: &Edit| self.module.has_comment(lines(self.module, edit));
        if edits.iter().any(says) {
            let reason = "there is a comment among the names".to_owned();
            self.leave(
                it.span,
                self.module.slice(it.span),
                reason,
                "delete the unused names by hand",
            );
            return;
        }
        let whole = rb_core::edit::apply(self.module.slice(it.span), &moved(&edits, it.span.start));
        match whole.ok().and_then(|it| self.on_one_line(&it)) {
            Some(line) => self.out.edits.push(Edit::replace(it.span.start, it.span.end, line)),
            None => self.out.edits.extend(edits),
        }
        self.note_names(it, specifiers, gone);
    }

    /// As Prettier would lay it out.
    fn on_one_line(&self, code: &str) -> Option<String> {
        const WIDTH: usize = 80;
        if !code.contains('\n') || !is_laid_out_by_prettier(self.world) {
            return None;
        }
        let (head, rest) = code.split_once('{')?;
        let (names, tail) = rest.rsplit_once('}')?;
        if names.contains("//") || names.contains("/*") {
            return None;
        }
        let names: Vec<&str> =
            names.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let line = format!("{head}{}{tail}", self.module.style().braced(&names.join(", ")));
        (line.chars().count() <= WIDTH && !line.contains('\n')).then_some(line)
    }

    fn note_names(
        &mut self,
        it: &ImportDeclaration<'a>,
        specifiers: &[ImportDeclarationSpecifier<'a>],
        gone: &[bool],
    ) {
        for (specifier, _) in specifiers.iter().zip(gone).filter(|(_, gone)| **gone) {
            let what = format!("`{}` of `{}`", specifier.local().name, it.source.value);
            self.site(specifier.span(), what);
        }
    }

    /// All names go.
    fn whole(
        &mut self,
        it: &'a ImportDeclaration<'a>,
        specifiers: &'a [ImportDeclarationSpecifier<'a>],
        at: usize,
        deleted: &mut Vec<Whole>,
    ) {
        let is_loaded = !it.import_kind.is_type()
            && (!drops_unused_imports(self.world, &self.facts.path)
                || specifiers.iter().any(|it| {
                    let symbol = it.local().symbol_id.get();
                    symbol.is_some_and(|it| self.module.value_uses(it).next().is_some())
                }));
        let is_missed = is_loaded && !self.is_loaded_before(it);
        let loading = if is_missed { self.loading(&it.source.value) } else { Loading::Quiet };
        let code = self.module.slice(it.span);
        match loading {
            Loading::Quiet => {
                let names = specifiers.iter();
                let sites = names
                    .map(|name| {
                        (name.span(), format!("`{}` of `{}`", name.local().name, it.source.value))
                    })
                    .collect();
                deleted.push(Whole { at, span: it.span, is_import: true, sites });
            }
            Loading::Loud(why) if !self.module.has_comment(it.span) => {
                let edit = Edit::replace(it.span.start, it.source.span.start, "import ");
                self.out.edits.push(edit);
                self.out.notes.push(format!("`{}` is still run: {why}", it.source.value));
                self.note_names(it, specifiers, &vec![true; specifiers.len()]);
            }
            Loading::Loud(why) | Loading::Unknown(why) => {
                let advice = format!(
                    "delete it if its side effects are not needed, or write `import {}`",
                    self.module.slice(it.source.span)
                );
                self.leave(it.span, code, why, &advice);
            }
        }
    }

    /// Does `import 'x'` further up load it in any case?
    fn is_loaded_before(&self, it: &ImportDeclaration<'a>) -> bool {
        self.module.import_declarations().take_while(|other| other.span.start < it.span.start).any(
            |other| {
                other.source.value == it.source.value
                    && other.specifiers.as_ref().is_none_or(|it| it.is_empty())
            },
        )
    }

    /// Deletes whole statements, unless something stands against it.
    fn delete(&mut self, mut deleted: Vec<Whole>) {
        let is_import = |it: &Statement<'_>| it.is_module_declaration();
        let body = &self.module.program().body;
        let marks = body.iter().filter(|it| is_import(it)).count();
        let imports = deleted.iter().filter(|it| it.is_import).count();
        let is_always = [".mjs", ".mts"].iter().any(|end| self.facts.path.ends_with(end));
        // The last import or export is what makes a file a module, with names of its own.
        if marks == imports && marks > 0 && !is_always {
            for it in deleted.extract_if(.., |it| it.is_import) {
                let reason =
                    "without it, the file has no import or export and is no longer a module"
                        .to_owned();
                self.leave(
                    it.span,
                    self.module.slice(it.span),
                    reason,
                    "write `export {}` instead",
                );
            }
        }
        loop {
            let gone: Vec<Span> = deleted.iter().map(|it| it.span).collect();
            let mut edits = Vec::new();
            let kept: Vec<(Whole, String)> = {
                let mut kept = Vec::new();
                for it in std::mem::take(&mut deleted) {
                    let place = (it.at, it.at);
                    match deletion::statements(self.module, body, place, Comments::Keep, &gone) {
                        Ok(edit) => {
                            edits.push(edit);
                            deleted.push(it);
                        }
                        Err(reason) => kept.push((it, reason)),
                    }
                }
                kept
            };
            if kept.is_empty() {
                self.out.edits.extend(edits);
                break;
            }
            for (it, reason) in kept {
                self.leave(it.span, self.module.slice(it.span), reason, "delete it by hand");
            }
        }
        for (span, what) in deleted.into_iter().flat_map(|it| it.sites) {
            self.site(span, what);
        }
    }
}

/// A statement that goes as a whole.
pub(super) struct Whole {
    /// Its place among the statements of the file.
    pub at: usize,
    pub span: Span,
    pub is_import: bool,
    /// The names that go with it.
    pub sites: Vec<(Span, String)>,
}

/// The edits that take some names out of a declaration.
fn without<'a>(
    module: &Module<'a>,
    it: &ImportDeclaration<'a>,
    specifiers: &[ImportDeclarationSpecifier<'a>],
    gone: &[bool],
) -> Vec<Edit> {
    let is_named = |it: &ImportDeclarationSpecifier<'a>| {
        matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_))
    };
    let mut edits = Vec::new();
    let first = usize::from(!is_named(&specifiers[0]));
    let (others, named) = specifiers.split_at(first);
    let named_gone = &gone[first..];
    let text = module.text();
    // `import a, * as b`: the namespace is neither.
    let rest_is_namespace = named.first().is_some_and(|it| !is_named(it));
    if let Some(default) = others.first()
        && !named.is_empty()
    {
        if gone[0] {
            let next = named[0].span().start;
            let from = default.span().end as usize;
            let brace = text[from..next as usize].find('{').map_or(next, |at| offset(from + at));
            edits.push(Edit::delete(default.span().start, brace));
        } else if named_gone.iter().all(|it| *it) {
            let last = named[named.len() - 1].span().end;
            let close = if rest_is_namespace {
                last
            } else {
                text[last as usize..it.source.span.start as usize]
                    .find('}')
                    .map_or(last, |at| last + offset(at) + 1)
            };
            edits.push(Edit::delete(default.span().end, close));
            return edits;
        }
    }
    let spans: Vec<Span> = named.iter().map(GetSpan::span).collect();
    edits.extend(deletion::of_list(&spans, named_gone));
    edits
}

/// The whole lines of an edit, where a comment would be about what goes.
fn lines(module: &Module<'_>, edit: &Edit) -> Span {
    let tail = &module.text()[edit.end as usize..];
    let line = tail.split('\n').next().unwrap_or(tail);
    let head = &module.text()[module.line_start(edit.start) as usize..edit.start as usize];
    let start = if head.trim().is_empty() { module.line_start(edit.start) } else { edit.start };
    // On a line of its own, what stands behind it speaks of it; else the line speaks of all.
    let end = edit.end + offset(line.len());
    Span::new(start, end)
}

fn moved(edits: &[Edit], by: u32) -> Vec<Edit> {
    edits.iter().map(|it| Edit::replace(it.start - by, it.end - by, it.text.clone())).collect()
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
