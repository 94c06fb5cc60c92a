//! What a build emitted: files with their sizes, and the pages that load them where a manifest says so.
//!
//! Names are compared without the hashes that bundlers put into them. Only scripts and styles count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rb_core::RepoPath;
use rb_core::fs;
use rb_verify::{BuiltFile, unhashed};
use serde::Serialize;
use serde_json::Value;

/// Where bundlers write what browsers load, the surest first.
pub(super) const FOLDERS: &[&str] = &[".next", "build/client", "dist", "build", "out"];
/// No manifest is larger.
const LARGEST: u64 = 64 << 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Bytes {
    pub(super) raw: u64,
    pub(super) gzip: u64,
}

impl std::ops::AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        self.raw += other.raw;
        self.gzip += other.gzip;
    }
}

/// Of one package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Output {
    /// The folder that it was found in, from that of the package.
    pub(super) folder: String,
    /// By path without hashes.
    pub(super) files: BTreeMap<String, Bytes>,
    /// What each page or entry loads at first, by the bundler's own manifest; empty where it wrote none.
    pub(super) pages: BTreeMap<String, Bytes>,
}

impl Output {
    pub(super) fn total(&self, of: Emitted) -> Bytes {
        let mut total = Bytes::default();
        for (_, &bytes) in self.files.iter().filter(|(path, _)| Emitted::of(path) == Some(of)) {
            total += bytes;
        }
        total
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emitted {
    Scripts,
    Styles,
}

impl Emitted {
    fn of(name: &str) -> Option<Emitted> {
        match name.rsplit_once('.')?.1 {
            "js" | "mjs" => Some(Emitted::Scripts),
            "css" => Some(Emitted::Styles),
            _ => None,
        }
    }
}

/// `None` where nothing was emitted at any of the known places.
pub(super) fn measure(package: &Path, built: &[BuiltFile]) -> Option<Output> {
    let inside = |folder: &str, path: &str| {
        let inner = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some(inner.to_owned())
    };
    let is_used = |folder: &&&str| built.iter().any(|file| inside(folder, &file.path).is_some());
    let folder = FOLDERS.iter().find(is_used)?;
    let size = |file: &BuiltFile| {
        let inner = inside(folder, &file.path).filter(|path| Emitted::of(path).is_some())?;
        Some((inner, Bytes { raw: file.bytes, gzip: file.gzipped }))
    };
    let sizes = built.iter().filter_map(size).collect();
    // A build may leave links behind, even instead of the folder itself.
    let read = |name: &str| {
        let path = RepoPath::new(format!("{folder}/{name}")).ok()?;
        fs::read_plain(package, &path, LARGEST).ok()?
    };
    let read = |name: &str| serde_json::from_slice::<Value>(&read(name)?).ok();
    let pages = if *folder == ".next" {
        let all = read("build-manifest.json").unwrap_or_default();
        pages_of_next(&all, &read("app-build-manifest.json").unwrap_or_default())
    } else {
        let manifest = read(".vite/manifest.json").or_else(|| read("manifest.json"));
        manifest.as_ref().map(pages_of_vite).unwrap_or_default()
    };
    Some(summed((*folder).to_owned(), &sizes, pages))
}

type Pages = BTreeMap<String, BTreeSet<String>>;

/// Sizes of files under names that stay the same from build to build.
fn summed(folder: String, sizes: &BTreeMap<String, Bytes>, pages: Pages) -> Output {
    let mut output = Output { folder, ..Output::default() };
    for (path, &bytes) in sizes {
        *output.files.entry(unhashed(path)).or_default() += bytes;
    }
    for (page, files) in pages {
        let total = output.pages.entry(page).or_default();
        for &bytes in files.iter().filter_map(|file| sizes.get(file)) {
            *total += bytes;
        }
    }
    output
}

fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Each route with what its layouts and the framework load, too.
fn pages_of_next(all: &Value, app: &Value) -> Pages {
    let table = |doc: &Value| {
        let pages = doc.get("pages").and_then(Value::as_object).cloned().unwrap_or_default();
        let files = |it: &Value| texts(Some(it)).map(str::to_owned).collect::<BTreeSet<String>>();
        pages.iter().map(|(name, it)| (name.clone(), files(it))).collect::<Pages>()
    };
    let (in_pages, in_app) = (table(all), table(app));
    let common: BTreeSet<String> = texts(all.get("rootMainFiles")).map(str::to_owned).collect();
    let mut pages = Pages::new();
    for (name, files) in &in_pages {
        if name.starts_with("/_") {
            continue;
        }
        let own = in_pages.get("/_app").into_iter().flatten().chain(files);
        pages.insert(name.clone(), own.cloned().collect());
    }
    for (name, files) in &in_app {
        let Some(route) = name.strip_suffix("/page") else { continue };
        let mut loaded: BTreeSet<String> = common.union(files).cloned().collect();
        let ends = route.match_indices('/').map(|(at, _)| at).chain([route.len()]);
        for end in ends {
            let layout = in_app.get(&format!("{}/layout", &route[..end]));
            loaded.extend(layout.into_iter().flatten().cloned());
        }
        let shown = if route.is_empty() { "/" } else { route };
        pages.insert(format!("{shown} (app)"), loaded);
    }
    pages
}

/// Each entry with the chunks that it imports.
fn pages_of_vite(manifest: &Value) -> Pages {
    let chunk = |key: &str| manifest.get(key);
    let entries = manifest.as_object().into_iter().flatten();
    let is_entry = |it: &Value| it.get("isEntry").and_then(Value::as_bool) == Some(true);
    let mut pages = Pages::new();
    for (name, _) in entries.filter(|(_, it)| is_entry(it)) {
        let (mut open, mut seen) = (vec![name.as_str()], BTreeSet::new());
        let files = pages.entry(name.clone()).or_default();
        while let Some(key) = open.pop() {
            let Some(it) = chunk(key).filter(|_| seen.insert(key)) else { continue };
            files.extend(it.get("file").and_then(Value::as_str).map(str::to_owned));
            files.extend(texts(it.get("css")).map(str::to_owned));
            open.extend(texts(it.get("imports")));
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use expect_test::{Expect, expect};
    use rb_core::fs::Durability;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(files: &[(&str, &str)], expected: Expect) {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
            fs::write(&path, text.as_bytes(), Durability::Relaxed).expect("write");
        }
        let mut shown = String::new();
        let built = rb_verify::built_files(folder.path(), SystemTime::UNIX_EPOCH, &[]);
        if let Some(output) = measure(folder.path(), &built.expect("they can be read")) {
            let bytes = |it: Bytes| {
                format!("{} ({})", it.raw, if it.gzip > 0 { "packed" } else { "empty" })
            };
            let mut line = |text: String| shown.extend([text, "\n".to_owned()]);
            line(output.folder.clone());
            for (path, it) in &output.files {
                line(format!("  {path}: {}", bytes(*it)));
            }
            for (page, it) in &output.pages {
                line(format!("  page {page}: {}", bytes(*it)));
            }
            let total = |of| output.total(of).raw;
            line(format!("  js {} css {}", total(Emitted::Scripts), total(Emitted::Styles)));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn ru6_pages_of_next_come_with_layouts_and_the_framework() {
        let app = r#"{"pages":{"/layout":["static/chunks/a-1111111111111abc.js","static/css/0c7bd0c27b05e34a.css"],
            "/shop/page":["static/chunks/b-2222222f.js"],"/shop/layout":["static/chunks/c.js"],"/api/route":["static/chunks/c.js"]}}"#;
        let all = r#"{"rootMainFiles":["static/chunks/main-33333333aaaaaaaa.js"],
            "pages":{"/_app":["static/chunks/app.js"],"/old":["static/chunks/app.js","static/chunks/old.js"]}}"#;
        check(
            &[
                (".next/app-build-manifest.json", app),
                (".next/build-manifest.json", all),
                (".next/static/chunks/a-1111111111111aaa.js", "never named"),
                (".next/static/chunks/a-1111111111111abc.js", "1"),
                (".next/static/chunks/b-2222222f.js", "22"),
                (".next/static/chunks/c.js", "333"),
                (".next/static/chunks/app.js", "4444"),
                (".next/static/chunks/old.js", "55555"),
                (".next/static/chunks/main-33333333aaaaaaaa.js", "666666"),
                (".next/static/css/0c7bd0c27b05e34a.css", "7777777"),
                (".next/static/9aBcDeFgHiJkLmNoPqRsT/_buildManifest.js", "{}"),
                (".next/server/app/page.js", "never shipped"),
                ("dist/other.js", "older"),
            ],
            expect![[r#"
                .next
                  static/*/_buildManifest.js: 2 (packed)
                  static/chunks/a-*.js: 12 (packed)
                  static/chunks/app.js: 4 (packed)
                  static/chunks/b-*.js: 2 (packed)
                  static/chunks/c.js: 3 (packed)
                  static/chunks/main-*.js: 6 (packed)
                  static/chunks/old.js: 5 (packed)
                  static/css/*.css: 7 (packed)
                  page /old: 9 (packed)
                  page /shop (app): 19 (packed)
                  js 34 css 7
            "#]],
        );
    }

    #[test]
    fn ru6_entries_of_vite_come_with_the_chunks_that_they_import() {
        let manifest = r#"{"index.html":{"file":"assets/index-B2x_9fQ1.js","isEntry":true,"imports":["_shared"],
            "dynamicImports":["src/later.ts"],"css":["assets/index-C-x12345.css"]},
            "_shared":{"file":"assets/shared-abcdefg1.js","imports":["index.html"]},
            "src/later.ts":{"file":"assets/later.js","isDynamicEntry":true}}"#;
        check(
            &[
                ("dist/.vite/manifest.json", manifest),
                ("dist/assets/index-B2x_9fQ1.js", "1"),
                ("dist/assets/index-C-x12345.css", "22"),
                ("dist/assets/shared-abcdefg1.js", "333"),
                ("dist/assets/later.js", "4444"),
                ("dist/assets/runtime.0a1b2c3d.chunk.js", "55555"),
                ("dist/assets/logo.svg", "<svg/>"),
            ],
            expect![[r#"
                dist
                  assets/index-*.css: 2 (packed)
                  assets/index-*.js: 1 (packed)
                  assets/later.js: 4 (packed)
                  assets/runtime.*.chunk.js: 5 (packed)
                  assets/shared-*.js: 3 (packed)
                  page index.html: 6 (packed)
                  js 13 css 2
            "#]],
        );
    }

    #[test]
    fn ru6_a_build_without_a_manifest_is_measured_by_its_files() {
        check(
            &[("build/a.js", "1"), ("build/sub/b.mjs", "22"), ("build/manifest.json", "not json")],
            expect![[r#"
                build
                  a.js: 1 (packed)
                  sub/b.mjs: 2 (packed)
                  js 3 css 0
            "#]],
        );
        check(&[("src/a.js", "1")], expect![[r#""#]]);
    }
}
