//! What happens when a file is loaded: which other files it loads, in which order, and whether anything is done meanwhile.
//!
//! Packages that are imported for a name are taken to be loaded for what they give; one that is only run is not.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{ImportDeclaration, Statement, TSModuleReference};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_rules::{Target, World};

use super::compiler::drops_unused_imports;
use super::manifest_of;
use super::quiet::first_effect;
use crate::links::ByteRange;
use crate::plan::one_line;

/// What one file loads is looked through so far.
const MAX_FILES: usize = 3000;

/// What one file does when it is loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loads {
    /// In the order in which they are loaded.
    pub edges: Vec<Edge>,
    /// The first statement that does something.
    pub effect: Option<(u32, String)>,
    /// Something imported is read while it is loaded, so that it has to be there by then.
    pub reads_imports: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub specifier: String,
    pub target: Target,
    /// The declaration or the call.
    pub place: ByteRange,
    /// It is only run: `import 'x'`.
    pub is_bare: bool,
}

/// Something that is done when a file is loaded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loud {
    pub path: String,
    pub line: u32,
    pub what: String,
}

impl Loud {
    fn new(path: &str, line: u32, what: impl Into<String>) -> Self {
        Loud { path: path.to_owned(), line, what: what.into() }
    }

    /// "`src/a.ts` does something when it is loaded: `go()`"
    pub fn words(&self) -> String {
        self.what.clone()
    }
}

/// `None` where the file does not parse.
pub fn loads(world: &dyn World, path: &str) -> Option<Arc<Loads>> {
    let drops = drops_unused_imports(world, path);
    world.ask("what loading does", path, "", |module| {
        let mut found = read(module, drops);
        for edge in &mut found.edges {
            edge.target = world.resolve(path, &edge.specifier);
        }
        Arc::new(found)
    })
}

fn read(module: &Module<'_>, drops: bool) -> Loads {
    let mut edges = Vec::new();
    let edge = |specifier: &str, span: Span, is_bare: bool| Edge {
        specifier: specifier.to_owned(),
        target: Target::Unknown,
        place: span.into(),
        is_bare,
    };
    for statement in &module.program().body {
        match statement {
            Statement::ImportDeclaration(it) if loads_it(module, it, drops) => {
                let is_bare = it.specifiers.as_ref().is_none_or(|it| it.is_empty());
                edges.push(edge(&it.source.value, it.span, is_bare));
            }
            Statement::ExportFromDeclaration(it) if !it.export_kind.is_type() => {
                let all_types = it.specifiers.iter().all(|it| it.export_kind.is_type());
                if !all_types || it.specifiers.is_empty() {
                    edges.push(edge(&it.source.value, it.span, false));
                }
            }
            Statement::ExportAllDeclaration(it) if !it.export_kind.is_type() => {
                edges.push(edge(&it.source.value, it.span, false));
            }
            Statement::TSImportEqualsDeclaration(it) if !it.import_kind.is_type() => {
                if let TSModuleReference::ExternalModuleReference(from) = &it.module_reference {
                    edges.push(edge(&from.expression.value, it.span, false));
                }
            }
            _ => {}
        }
    }
    for call in module.calls() {
        let node = call.node_id.get();
        let AstKind::CallExpression(_) = module.nodes().kind(node) else { continue };
        if module.is_global_named(&call.callee, "require")
            && module.function_around(node).is_none()
            && let Some(oxc_ast::ast::Expression::StringLiteral(specifier)) =
                call.arguments.first().and_then(|it| it.as_expression())
        {
            let is_bare = matches!(module.parent(node), AstKind::ExpressionStatement(_));
            edges.push(edge(&specifier.value, call.span, is_bare));
        }
    }
    let effect = first_effect(module).map(|span| {
        (module.line(span.start), one_line(module.slice(span).lines().next().unwrap_or("")))
    });
    let reads_imports = module
        .imports()
        .keys()
        .any(|&symbol| module.value_uses(symbol).any(|used| is_run_at_load(module, used.node)));
    Loads { edges, effect, reads_imports }
}

/// Compilers of TypeScript drop an import of which no name is used as a value.
fn loads_it(module: &Module<'_>, it: &ImportDeclaration<'_>, drops: bool) -> bool {
    if it.import_kind.is_type() {
        return false;
    }
    let Some(specifiers) = it.specifiers.as_ref().filter(|it| !it.is_empty()) else { return true };
    let mut own = module.imports().values().filter(|import| import.declaration.span == it.span);
    if !drops {
        // `import { type A }` alone still runs the file where nothing is dropped, and not otherwise.
        return true;
    }
    let _ = specifiers;
    own.any(|import| !import.is_type && module.value_uses(import.symbol).next().is_some())
}

/// Is the code at this node run while the file is loaded?
pub fn is_run_at_load(module: &Module<'_>, node: oxc_semantic::NodeId) -> bool {
    let span = module.nodes().kind(node).span();
    module.ancestors(node).all(|kind| match kind {
        AstKind::Function(_)
        | AstKind::ArrowFunctionExpression(_)
        | AstKind::ExportSpecifier(_)
        | AstKind::TSTypeAnnotation(_) => false,
        AstKind::PropertyDefinition(it) => {
            it.r#static || it.value.as_ref().is_none_or(|it| it.span().end < span.start)
        }
        _ => true,
    })
}

/// The first thing that is done when this file and all that it loads is loaded; `None` where nothing is.
pub fn loud_when_loaded(world: &dyn World, path: &str) -> Option<Loud> {
    const QUESTION: &str = "loud when loaded";
    if let Some(known) = world.recall(QUESTION, path, "")
        && let Ok(known) = known.downcast::<Option<Loud>>()
    {
        return (*known).clone();
    }
    let found = search(world, path);
    world.remember(QUESTION, path, "", Arc::new(found.clone()));
    found
}

fn search(world: &dyn World, path: &str) -> Option<Loud> {
    let mut seen = BTreeSet::new();
    let mut open = vec![path.to_owned()];
    while let Some(file) = open.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        if seen.len() > MAX_FILES {
            return Some(Loud::new(path, 0, format!("`{path}` loads too many files to check")));
        }
        if let Some(loud) = own_effect(world, &file) {
            return Some(loud);
        }
        for edge in loads(world, &file).iter().flat_map(|it| it.edges.iter()).rev() {
            if let Target::File(next) = &edge.target {
                open.push(next.clone());
            }
        }
    }
    None
}

/// What a file does by itself, the packages that it runs counted in.
pub fn own_effect(world: &dyn World, file: &str) -> Option<Loud> {
    const QUESTION: &str = "own effect";
    if let Some(known) = world.recall(QUESTION, file, "")
        && let Ok(known) = known.downcast::<Option<Loud>>()
    {
        return (*known).clone();
    }
    let found = effect_of(world, file);
    world.remember(QUESTION, file, "", Arc::new(found.clone()));
    found
}

fn effect_of(world: &dyn World, file: &str) -> Option<Loud> {
    if !is_script(file) {
        return is_loud_data(file)
            .then(|| Loud::new(file, 1, format!("`{file}` is loaded for its side effects")));
    }
    let Some(loads) = loads(world, file) else {
        return Some(Loud::new(file, 1, format!("`{file}` cannot be read")));
    };
    if says_quiet(world, file) {
        return None;
    }
    if let Some((line, code)) = &loads.effect {
        let what = format!("`{file}` has a side effect when it is loaded: `{code}` on line {line}");
        return Some(Loud::new(file, *line, what));
    }
    loads.edges.iter().find_map(|edge| match &edge.target {
        Target::Package(name)
            if edge.is_bare && loud_package(world, file, &edge.specifier, name) =>
        {
            Some(Loud::new(file, 0, format!("`{file}` runs `{}`", edge.specifier)))
        }
        Target::Unknown => {
            let what = format!("`{}` in `{file}` cannot be resolved", edge.specifier);
            Some(Loud::new(file, 0, what))
        }
        _ => None,
    })
}

/// The package that a file belongs to says that none of its files does anything when it is loaded.
fn says_quiet(world: &dyn World, file: &str) -> bool {
    manifest_of(world, file)
        .is_some_and(|(_, it)| it.get("sideEffects") == Some(&serde_json::Value::Bool(false)))
}

/// May loading the package do something that is missed?
pub fn loud_package(world: &dyn World, from: &str, specifier: &str, name: &str) -> bool {
    // They make functions and nothing else, and do not say so.
    const QUIET: &[&str] = &[
        "classnames",
        "clsx",
        "date-fns",
        "lodash",
        "lodash-es",
        "prop-types",
        "ramda",
        "react",
        "underscore",
        "uuid",
        "zod",
    ];
    if is_loud_data(specifier) {
        return true;
    }
    if QUIET.contains(&name) || name.starts_with("lodash.") {
        return false;
    }
    let Some(manifest) = world.manifest(from, name) else { return true };
    let is_style = |it: &serde_json::Value| it.as_str().is_some_and(is_loud_data);
    match manifest.get("sideEffects") {
        Some(serde_json::Value::Bool(it)) => *it,
        Some(serde_json::Value::Array(list)) => !list.iter().all(is_style),
        _ => true,
    }
}

pub fn is_script(path: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or("");
    matches!(end, "ts" | "tsx" | "js" | "jsx" | "mjs" | "cjs" | "mts" | "cts")
}

/// Data has no effects, pictures and texts neither; a stylesheet has, and a component that is not read here may have.
fn is_loud_data(path: &str) -> bool {
    const LOUD: &[&str] =
        &["css", "scss", "sass", "less", "styl", "pcss", "vue", "svelte", "astro", "wasm", "node"];
    let end = path.rsplit('.').next().unwrap_or("");
    LOUD.contains(&end)
}
