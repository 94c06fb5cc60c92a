//! One import of an index, written as imports of the files behind it: new lines in its place, or names added to imports that
//! are there.

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier};
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::{Facts, Target, World};

use super::origin::Origin;
use crate::cleaning::compiler::print_width;
use crate::cleaning::deletion::{self, Comments};

/// A line that is longer is broken up, where it has several names; more where the file has a longer one, up to `WIDEST`.
const WIDTH: usize = 80;
const WIDEST: usize = 120;

/// A name that the import takes, and where it really is.
pub(super) struct Name<'a> {
    pub specifier: &'a ImportDeclarationSpecifier<'a>,
    pub origin: Origin,
    /// How this file names the other one.
    pub direct: String,
}

/// What one file is asked for.
struct Line<'a> {
    path: String,
    specifier: String,
    is_type: bool,
    default: Option<String>,
    whole: Option<String>,
    named: Vec<String>,
    /// The import of it that is there already.
    existing: Option<&'a ImportDeclaration<'a>>,
}

pub(super) struct Rewriting<'r, 'a> {
    module: &'r Module<'a>,
    declaration: &'a ImportDeclaration<'a>,
    lines: Vec<Line<'a>>,
    /// How long a line may be, where the project says so.
    width: Option<usize>,
}

impl<'r, 'a> Rewriting<'r, 'a> {
    pub(super) fn of(
        world: &dyn World,
        facts: &Facts,
        module: &'r Module<'a>,
        declaration: &'a ImportDeclaration<'a>,
        names: Vec<Name<'a>>,
    ) -> Self {
        let mut lines: Vec<Line<'a>> = Vec::new();
        for name in names {
            add(&mut lines, declaration, &name);
        }
        if is_sorted_around(module, declaration) {
            lines.sort_by_cached_key(|it| it.specifier.to_lowercase());
        }
        for line in &mut lines {
            let target = Target::File(line.path.clone());
            line.existing = module.import_declarations().find(|it| {
                it.span != declaration.span
                    && it.import_kind.is_type() == line.is_type
                    && takes(line, it)
                    && world.resolve(&facts.path, &it.source.value) == target
            });
        }
        let width = print_width(world, &facts.path);
        Rewriting { module, declaration, lines, width }
    }

    /// The files that are loaded in the place of the index.
    pub(super) fn loaded(&self) -> Vec<String> {
        let new = self.lines.iter().filter(|it| it.existing.is_none() && !it.is_type);
        new.map(|it| it.path.clone()).collect()
    }

    pub(super) fn edits(&self, at: usize) -> Result<Vec<Edit>, String> {
        let mut edits = Vec::new();
        let mut written = Vec::new();
        for line in &self.lines {
            match line.existing {
                Some(existing) => edits.extend(self.added_to(line, existing)),
                None => written.push(self.written(line)),
            }
        }
        if written.is_empty() {
            let body = &self.module.program().body;
            edits.push(deletion::statements(self.module, body, (at, at), Comments::Keep, &[])?);
            return Ok(deletion::tidied(self.module.text(), edits));
        }
        let indent = self.module.indent_at(self.declaration.span.start);
        let lines = written.iter().map(String::as_str);
        let code = rb_ecma::join_lines(lines, indent, self.module.style().line_end);
        edits.push(Edit::replace(self.declaration.span.start, self.declaration.span.end, code));
        Ok(edits)
    }

    fn written(&self, line: &Line<'a>) -> String {
        let quote = &self.module.slice(self.declaration.source.span)[..1];
        let semicolon =
            if self.module.slice(self.declaration.span).ends_with(';') { ";" } else { "" };
        let keyword = if line.is_type { "import type" } else { "import" };
        let mut parts: Vec<String> = line.default.iter().cloned().collect();
        parts.extend(line.whole.iter().map(|it| format!("* as {it}")));
        let style = self.module.style();
        let tail = format!("from {quote}{}{quote}{semicolon}", line.specifier);
        let flat = |parts: &[String]| format!("{keyword} {} {tail}", parts.join(", "));
        if line.named.is_empty() {
            return flat(&parts);
        }
        let mut short = parts.clone();
        short.push(style.braced(&line.named.join(", ")));
        let one = flat(&short);
        if one.chars().count() <= self.width() || line.named.len() == 1 {
            return one;
        }
        let eol = style.line_end;
        let comma = if self.has_trailing_comma() { "," } else { "" };
        let names = line.named.join(&format!(",{eol}{}", style.indent));
        parts.push(format!("{{{eol}{}{names}{comma}{eol}}}", style.indent));
        flat(&parts)
    }

    fn width(&self) -> usize {
        if let Some(width) = self.width {
            return width;
        }
        let codes = self
            .module
            .import_declarations()
            .filter(|it| it.specifiers.as_ref().is_some_and(|it| it.len() > 1));
        let widths = codes.map(|it| self.module.slice(it.span)).filter(|it| !it.contains('\n'));
        widths.map(|it| it.chars().count()).max().unwrap_or(WIDTH).clamp(WIDTH, WIDEST)
    }

    fn has_trailing_comma(&self) -> bool {
        let code = self.module.slice(self.declaration.span);
        let inner = code.split('}').next().unwrap_or(code);
        if inner.contains('\n') {
            inner.trim_end().ends_with(',')
        } else {
            self.module.style().trailing_commas
        }
    }

    fn added_to(&self, line: &Line<'a>, existing: &'a ImportDeclaration<'a>) -> Vec<Edit> {
        let mut edits = Vec::new();
        let specifiers = existing.specifiers.as_ref().map_or(&[][..], |it| it.as_slice());
        let is_named = |it: &&ImportDeclarationSpecifier<'a>| {
            matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_))
        };
        if let (Some(default), Some(first)) = (&line.default, specifiers.first()) {
            let head =
                &self.module.text()[existing.span.start as usize..first.span().start as usize];
            let brace =
                head.rfind('{').map_or(first.span().start, |at| existing.span.start + offset(at));
            edits.push(Edit::insert(brace, format!("{default}, ")));
        }
        if line.named.is_empty() {
            return edits;
        }
        let names = line.named.join(", ");
        match specifiers.iter().rev().find(is_named) {
            Some(last) => {
                let text = self.module.text();
                let start = self.module.line_start(last.span().start);
                let is_alone = text[start as usize..last.span().start as usize].trim().is_empty();
                let glue = if is_alone {
                    let indent = self.module.indent_at(last.span().start);
                    let eol = self.module.style().line_end;
                    format!(",{eol}{indent}{}", line.named.join(&format!(",{eol}{indent}")))
                } else {
                    format!(", {names}")
                };
                edits.push(Edit::insert(last.span().end, glue));
            }
            None => {
                if let Some(last) = specifiers.last() {
                    let braced = self.module.style().braced(&names);
                    edits.push(Edit::insert(last.span().end, format!(", {braced}")));
                }
            }
        }
        edits
    }
}

fn add<'a>(lines: &mut Vec<Line<'a>>, declaration: &ImportDeclaration<'a>, name: &Name<'a>) {
    let local = name.specifier.local().name.as_str();
    let is_marked = matches!(name.specifier, ImportDeclarationSpecifier::ImportSpecifier(it) if it.import_kind.is_type());
    let path = name.origin.path().to_owned();
    let inner = match &name.origin {
        Origin::Name { name, .. } => Some(name.as_str()),
        Origin::Whole { .. } => None,
    };
    let is_plain = inner.is_some_and(|it| it != "default");
    let is_type = declaration.import_kind.is_type() || (is_marked && !is_plain);
    let fits = |it: &Line<'a>| {
        it.path == path
            && it.is_type == is_type
            && it.whole.is_none()
            && match inner {
                None => false,
                // `import type a, { b }` is not allowed.
                Some("default") => it.default.is_none() && (!is_type || it.named.is_empty()),
                Some(_) => !is_type || it.default.is_none(),
            }
    };
    let at = lines.iter().position(fits).unwrap_or_else(|| {
        lines.push(Line {
            path: path.clone(),
            specifier: name.direct.clone(),
            is_type,
            default: None,
            whole: None,
            named: Vec::new(),
            existing: None,
        });
        lines.len() - 1
    });
    let line = &mut lines[at];
    let mark =
        if is_marked && is_plain && !declaration.import_kind.is_type() { "type " } else { "" };
    match inner {
        None => line.whole = Some(local.to_owned()),
        Some("default") => line.default = Some(local.to_owned()),
        Some(name) if name == local => line.named.push(format!("{mark}{local}")),
        Some(name) => line.named.push(format!("{mark}{name} as {local}")),
    }
}

/// Are the imports that stand together with this one in the order of what they name?
fn is_sorted_around(module: &Module<'_>, declaration: &ImportDeclaration<'_>) -> bool {
    let all: Vec<&ImportDeclaration<'_>> = module.import_declarations().collect();
    let is_next = |a: &ImportDeclaration<'_>, b: &ImportDeclaration<'_>| {
        module.line(b.span.start) == module.line(a.span.end) + 1
    };
    let mut blocks = all.chunk_by(|a, b| is_next(a, b));
    let own = blocks.find(|it| it.iter().any(|it| it.span == declaration.span));
    own.is_some_and(|it| it.is_sorted_by_key(|it| it.source.value.to_lowercase()))
}

/// May the names of a line stand in an import that is there?
fn takes(line: &Line<'_>, existing: &ImportDeclaration<'_>) -> bool {
    let specifiers = existing.specifiers.as_ref().map_or(&[][..], |it| it.as_slice());
    let has_default = specifiers
        .iter()
        .any(|it| matches!(it, ImportDeclarationSpecifier::ImportDefaultSpecifier(_)));
    let has_whole = specifiers
        .iter()
        .any(|it| matches!(it, ImportDeclarationSpecifier::ImportNamespaceSpecifier(_)));
    !specifiers.is_empty()
        && !has_whole
        && line.whole.is_none()
        && existing.with_clause.is_none()
        && (line.default.is_none() || !has_default)
        && (!line.is_type || (line.default.is_none() && !has_default))
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
