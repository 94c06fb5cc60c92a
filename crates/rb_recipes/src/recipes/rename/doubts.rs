//! Places that may mean the renamed, and that the text does not tell for sure.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};
use rb_rules::Target;

use super::file::{File, has_word};
use super::spread::{Spread, whole_file};
use super::target::stem;
use super::users::Changed;
use crate::links::{self, ImportKind};
use crate::plan::Left;
use crate::recipe::PlanError;

/// Languages that hold scripts, and that are not read.
const UNREAD: &[&str] = &[".vue", ".svelte", ".astro", ".mdx"];
/// Exports that the code of compiled JSX imports.
const COMPILED: &[&str] =
    &["Fragment", "jsx", "jsxAttr", "jsxDEV", "jsxEscape", "jsxTemplate", "jsxs"];
/// Exports that a framework calls by their names.
const CALLED: &[&str] = &[
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "action",
    "config",
    "dynamic",
    "dynamicParams",
    "fetchCache",
    "generateImageMetadata",
    "generateMetadata",
    "generateSitemaps",
    "generateStaticParams",
    "generateViewport",
    "getInitialProps",
    "getServerSideProps",
    "getStaticPaths",
    "getStaticProps",
    "loader",
    "maxDuration",
    "metadata",
    "middleware",
    "proxy",
    "register",
    "revalidate",
    "runtime",
    "preferredRegion",
    "viewport",
];

impl Spread<'_> {
    /// Adds every doubt to what is left.
    pub(super) fn doubt(&mut self) -> Result<(), PlanError> {
        let mut left = Vec::new();
        let files = self.speaking()?.to_vec();
        let packages = self.packages();
        let world = self.planning.world;
        let doubts = self.planning.over(&files, |path| {
            world.with_module(path, |module| {
                let file = File { module, path, names: &self.names, world };
                let mut left = unresolved(&file, &packages);
                left.extend(self.computed(&file));
                left.extend(self.augmented(&file));
                left
            })
        })?;
        left.extend(doubts.into_iter().flat_map(|(_, it)| it));
        left.extend(self.other_languages()?);
        left.extend(self.framework());
        self.left.extend(left);
        Ok(())
    }

    /// Names of the project's own packages that have changed.
    fn packages(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (path, _) in &self.changed {
            let dir = self.planning.world.facts(path).map(|it| it.package.dir.to_string());
            let Some(dir) = dir else { continue };
            let manifest = if dir.is_empty() {
                "package.json".to_owned()
            } else {
                format!("{dir}/package.json")
            };
            let text = self.planning.world.text(&manifest);
            let json = text.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
            found.extend(json.and_then(|it| Some(it.get("name")?.as_str()?.to_owned())));
        }
        found
    }

    /// In a file that loads something computed, any member of the name may be meant.
    fn computed(&self, file: &File<'_, '_>) -> Vec<Left> {
        let is_exported = self.changed.iter().any(|(_, it)| *it == Changed::Name);
        let links = links::links(file.world, file.path);
        let doubts = links.iter().flat_map(|it| &it.doubts);
        let Some(doubt) = doubts.into_iter().find(|it| it.what.contains("computed")) else {
            return Vec::new();
        };
        if !is_exported {
            return Vec::new();
        }
        let edits = self.chain.edits.get(file.path).map_or(&[][..], Vec::as_slice);
        let is_edited =
            |span: Span| edits.iter().any(|it| it.start <= span.start && span.start < it.end);
        let mut left = Vec::new();
        for node in file.module.nodes().iter() {
            let span = match node.kind() {
                AstKind::StaticMemberExpression(it) if it.property.name == file.old() => {
                    it.property.span
                }
                AstKind::BindingProperty(it)
                    if it.key.static_name().as_deref() == Some(file.old()) =>
                {
                    it.key.span()
                }
                _ => continue,
            };
            if !is_edited(span) {
                let reason = format!(
                    "{} on line {} may have produced this `{}`",
                    doubt.what,
                    doubt.line,
                    file.old()
                );
                left.push(file.left(span, &reason, "load the module by its name"));
            }
        }
        left
    }

    /// `declare module './a' { … }` may add to what is renamed.
    fn augmented(&self, file: &File<'_, '_>) -> Vec<Left> {
        let mut left = Vec::new();
        for node in file.module.nodes().iter() {
            let AstKind::TSExternalModuleDeclaration(it) = node.kind() else { continue };
            let leads = self.changed.iter().any(|(path, _)| file.leads_to(&it.id.value, path));
            if leads && has_word(file.module.slice(it.span), file.old()) {
                let reason = format!("`{}` is extended here, in another file", file.old());
                left.push(file.left(it.span, &reason, "declare it in one place first"));
            }
        }
        left
    }

    fn other_languages(&self) -> Result<Vec<Left>, PlanError> {
        let stems: Vec<&str> = self.changed.iter().map(|(path, _)| name_of(path)).collect();
        if stems.is_empty() {
            return Ok(Vec::new());
        }
        let world = self.planning.world;
        let mut files = world.all_paths();
        files.retain(|path| UNREAD.iter().any(|it| path.ends_with(it)));
        let found = self.planning.over(&files, |path| {
            let text = world.text(path)?;
            let is_near = stems.iter().any(|it| text.contains(it));
            (is_near && text.contains("import") && has_word(&text, &self.names.old)).then_some(())
        })?;
        let old = &self.names.old;
        let left = found.into_iter().map(|(path, ())| {
            let reason = format!("the file may import `{old}`, but its language is not supported");
            whole_file(&path, old, &reason, "rename it there by hand")
        });
        Ok(left.collect())
    }

    fn framework(&self) -> Vec<Left> {
        let old = self.names.old.as_str();
        let mut left = Vec::new();
        for (path, changed) in &self.changed {
            let is_route = self.planning.world.facts(path).is_some_and(|it| it.route.is_some());
            let is_runtime = matches!(name_of(path), "jsx-runtime" | "jsx-dev-runtime");
            let reader = if is_route && CALLED.contains(&old) {
                "the framework looks up"
            } else if is_runtime && COMPILED.contains(&old) {
                "compilers import"
            } else {
                continue;
            };
            if *changed == Changed::Name {
                let reason = format!("{reader} `{old}` of this file by name");
                left.push(whole_file(path, old, &reason, "keep the name"));
            }
        }
        left
    }
}

/// The last part of a path by which it could be imported.
fn name_of(path: &str) -> &str {
    let stem = stem(path);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    stem.rsplit('/').next().unwrap_or(stem)
}

/// Imports of the name from where nobody can follow.
fn unresolved(file: &File<'_, '_>, packages: &BTreeSet<String>) -> Vec<Left> {
    let links = links::links(file.world, file.path);
    let mut left = Vec::new();
    for import in links.iter().flat_map(|it| &it.imports) {
        let is_named = match &import.taken {
            ImportKind::Name(name) | ImportKind::GivenOn { name, .. } => name == file.old(),
            ImportKind::Whole => {
                import.uses.iter().any(|it| it.member.as_deref() == Some(file.old()))
            }
            ImportKind::AllGivenOn | ImportKind::WholeGivenOn { .. } | ImportKind::Nothing => false,
        };
        let why = match &import.target {
            Target::Unknown => "resolves to a file that does not exist",
            Target::Package(name) if packages.contains(name) => {
                "resolves to a build of this package"
            }
            Target::File(_) | Target::Package(_) | Target::Builtin => continue,
        };
        if is_named {
            let reason =
                format!("`{}` is imported from `{}`, which {why}", file.old(), import.specifier);
            let span = Span::new(import.place.start, import.place.end);
            left.push(file.left(span, &reason, "import it from the file itself first"));
        }
    }
    left
}
