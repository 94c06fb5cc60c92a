//! Packages that are too large to load before anybody has asked for them.

use rb_ecma::Imported;

use crate::cx::Cx;
use crate::facts::Facts;
use crate::world::{Target, World};

/// What they are, and whether one component of them is a whole widget.
const HEAVY: &[(&str, &str, bool)] = &[
    ("@codemirror/", "a code editor", false),
    ("@ffmpeg/ffmpeg", "a video encoder", false),
    ("@monaco-editor/react", "a code editor", true),
    ("@react-pdf/renderer", "a PDF writer", false),
    ("@react-three/fiber", "a 3D engine", false),
    ("@tiptap/", "a rich text editor", false),
    ("@uiw/react-codemirror", "a code editor", true),
    ("@uiw/react-md-editor", "a Markdown editor", true),
    ("chart.js", "a chart library", false),
    ("codemirror", "a code editor", false),
    ("draft-js", "a rich text editor", true),
    ("echarts", "a chart library", false),
    ("echarts-for-react", "a chart library", true),
    ("highcharts", "a chart library", false),
    ("jspdf", "a PDF writer", false),
    ("leaflet", "a map library", false),
    ("mapbox-gl", "a map library", false),
    ("maplibre-gl", "a map library", false),
    ("monaco-editor", "a code editor", false),
    ("pdfjs-dist", "a PDF reader", false),
    ("plotly.js", "a chart library", false),
    ("quill", "a rich text editor", false),
    ("react-apexcharts", "a chart library", true),
    ("react-chartjs-2", "a chart library", false),
    ("react-monaco-editor", "a code editor", true),
    ("react-pdf", "a PDF reader", false),
    ("react-plotly.js", "a chart library", true),
    ("react-quill", "a rich text editor", true),
    ("react-quill-new", "a rich text editor", true),
    ("recharts", "a chart library", false),
    ("three", "a 3D engine", false),
    ("xlsx", "a spreadsheet library", false),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heavy {
    /// “a code editor”
    pub what: &'static str,
    pub is_widget: bool,
}

pub(super) fn heavy(source: &str) -> Option<Heavy> {
    let found = HEAVY.iter().find(|(name, _, _)| {
        let is_scope = name.ends_with('/');
        let rest = source.strip_prefix(name);
        rest.is_some_and(|rest| is_scope || rest.is_empty())
    })?;
    Some(Heavy { what: found.1, is_widget: found.2 })
}

/// The heavy package that a file of the project needs as soon as it is loaded.
pub(super) fn heavy_in(world: &dyn World, path: &str) -> Option<(String, Heavy)> {
    world.ask("heavy package", path, "", |module| {
        let mut declarations = module.import_declarations().filter(|it| !it.import_kind.is_type());
        declarations.find_map(|it| {
            let found = heavy(it.source.value.as_str())?;
            let bindings = module.imports().values().filter(|b| b.declaration.span == it.span);
            let is_used = bindings.into_iter().any(|b| {
                !b.is_type
                    && is_for_a_page(it.source.value.as_str(), b.imported)
                    && module.uses(b.symbol).any(|it| !it.is_type() && !it.flags.is_value_as_type())
            });
            is_used.then(|| (it.source.value.to_string(), found))
        })
    })?
}

/// A PDF is drawn by components that no page can show, on a server as a rule: only what shows or saves one is for a page.
fn is_for_a_page(source: &str, imported: Imported<'_>) -> bool {
    const SHOWING: &[&str] = &["BlobProvider", "PDFDownloadLink", "PDFViewer", "pdf", "usePDF"];
    source != "@react-pdf/renderer"
        || matches!(imported, Imported::Named(name) if SHOWING.contains(&name))
}

/// Is the file loaded with the application, and not only when somebody asks for it by `import()`?
///
/// A file that nothing is known to load is not taken for one.
pub(super) fn is_loaded_at_once(cx: &Cx<'_, '_>) -> bool {
    reached(cx.world, cx.facts, &mut Vec::new())
}

fn reached(world: &dyn World, facts: &Facts, seen: &mut Vec<String>) -> bool {
    if facts.is_root || facts.route.is_some() {
        return true;
    }
    // Far enough from the roots to be sure that it is no chunk of its own.
    if seen.len() > 40 {
        return true;
    }
    seen.push(facts.path.to_string());
    let importers = world.importers(&facts.path);
    importers.iter().any(|importer| {
        if seen.contains(importer) || !loads_at_once(world, importer, &facts.path) {
            return false;
        }
        match world.facts(importer) {
            Some(it) if it.kind == crate::facts::FileKind::Source => {
                // The end of what is known counts as the application.
                world.importers(importer).is_empty() || reached(world, &it, seen)
            }
            _ => false,
        }
    })
}

/// Does some file that loads this one at once import such a package itself? Then it is in the bundle anyway.
pub(super) fn is_loaded_above(cx: &Cx<'_, '_>, found: Heavy) -> bool {
    const MOST: usize = 40;
    let mut seen: Vec<String> = Vec::new();
    let mut open = vec![cx.facts.path.to_string()];
    while let Some(file) = open.pop() {
        for importer in cx.world.importers(&file) {
            if seen.len() > MOST || seen.contains(&importer) {
                continue;
            }
            if !loads_at_once(cx.world, &importer, &file) {
                continue;
            }
            let own = static_imports(cx.world, &importer);
            if own.iter().any(|it| heavy(it).is_some_and(|it| it.what == found.what)) {
                return true;
            }
            seen.push(importer.clone());
            open.push(importer);
        }
    }
    false
}

/// Does a file, or what it loads at once, import such a package?
pub(super) fn brings(world: &dyn World, file: &str, found: Heavy) -> bool {
    const MOST: usize = 200;
    let mut seen = vec![file.to_owned()];
    let mut at = 0;
    while let Some(file) = seen.get(at).cloned() {
        at += 1;
        for source in static_imports(world, &file) {
            if heavy(&source).is_some_and(|it| it.what == found.what) {
                return true;
            }
            if let Target::File(next) = world.resolve(&file, &source)
                && seen.len() < MOST
                && !seen.contains(&next)
            {
                seen.push(next);
            }
        }
    }
    false
}

fn loads_at_once(world: &dyn World, from: &str, path: &str) -> bool {
    let target = Target::File(path.to_owned());
    static_imports(world, from).iter().any(|it| world.resolve(from, it) == target)
}

/// What a file imports and gives on, types left out.
fn static_imports(world: &dyn World, from: &str) -> Vec<String> {
    let found = world.ask("static imports", from, "", |module| {
        let mut sources: Vec<String> = module
            .import_declarations()
            .filter(|it| !it.import_kind.is_type())
            .map(|it| it.source.value.to_string())
            .collect();
        sources.extend(module.program().body.iter().filter_map(|it| match it {
            oxc_ast::ast::Statement::ExportFromDeclaration(it) => Some(it.source.value.to_string()),
            oxc_ast::ast::Statement::ExportAllDeclaration(it) => Some(it.source.value.to_string()),
            _ => None,
        }));
        sources
    });
    found.unwrap_or_default()
}
