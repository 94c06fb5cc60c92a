//! How each language finds names of other files: what a file offers, what it wants, and where that is looked for.

use std::borrow::Cow;

use rb_lang::{Facts, Language, Reference, Symbol, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Want;

/// How the files of a language see each other without an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sight {
    /// The files of one folder that name the same package.
    Go,
    /// The files of one package, wherever they lie; the languages of one machine see each other.
    Jvm,
    /// The namespace, and those around it.
    CSharp,
    /// The namespace; functions are looked for in the global one too.
    Php,
    /// One module: a folder under `Sources` or `Tests`, or the first folder of the path.
    Swift,
    /// Constants, loaded by their name; looked for from the inside out.
    Ruby,
    /// Modules by their full name.
    Elixir,
    /// What the linker sees: a function declared in a header and defined elsewhere.
    C,
}

impl Sight {
    pub(crate) fn of(language: Language) -> Option<Sight> {
        Some(match language {
            Language::Go => Sight::Go,
            Language::Java | Language::Kotlin | Language::Scala | Language::Groovy => Sight::Jvm,
            Language::CSharp => Sight::CSharp,
            Language::Php => Sight::Php,
            Language::Swift => Sight::Swift,
            Language::Ruby => Sight::Ruby,
            Language::Elixir => Sight::Elixir,
            Language::C | Language::Cpp => Sight::C,
            _ => return None,
        })
    }

    /// The files that see each other have the same.
    pub(crate) fn group(self, path: &str, package: Option<&str>) -> String {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        match (self, package) {
            (Sight::Go, package) => format!("go {folder} {}", package.unwrap_or_default()),
            (Sight::Jvm, Some(package)) => format!("jvm {package}"),
            // The package without a name is one for each program, and programs are folders.
            (Sight::Jvm, None) => format!("jvm /{folder}"),
            (Sight::CSharp, package) => format!("csharp {}", package.unwrap_or_default()),
            (Sight::Php, package) => {
                format!("php {}", package.unwrap_or_default().trim_matches('\\'))
            }
            (Sight::Swift, _) => format!("swift {}", swift_module(path)),
            (Sight::Ruby, _) => "ruby".to_owned(),
            (Sight::Elixir, _) => "elixir".to_owned(),
            (Sight::C, _) => "c".to_owned(),
        }
    }

    /// Where a name is looked for, in order: a group, the file's own where it is none, and the name in it.
    pub(crate) fn places(
        self,
        package: &str,
        want: &Want,
    ) -> impl Iterator<Item = (Option<String>, String)> {
        let name = &*want.name;
        let own = || vec![(None, name.to_owned())];
        let places = match self {
            Sight::Go | Sight::Jvm | Sight::Swift | Sight::Elixir | Sight::C => own(),
            Sight::CSharp => outwards(package, ".")
                .map(|outer| (Some(Sight::CSharp.group("", Some(outer))), name.to_owned()))
                .collect(),
            Sight::Php => php_places(package, name),
            Sight::Ruby => outwards(&want.scope, "::")
                .map(|outer| {
                    (
                        None,
                        if outer.is_empty() { name.to_owned() } else { format!("{outer}::{name}") },
                    )
                })
                .collect(),
        };
        places.into_iter()
    }
}

/// `a.b`, `a`, and the empty one.
fn outwards<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    let mut next = Some(path);
    // A hostile name could have a thousand parts; nobody nests so deep.
    std::iter::from_fn(move || {
        let path = next?;
        next = if path.is_empty() {
            None
        } else {
            Some(path.rsplit_once(separator).map_or("", |(outer, _)| outer))
        };
        Some(path)
    })
    .take(MAX_DEPTH)
}

const MAX_DEPTH: usize = 16;

fn php_places(package: &str, name: &str) -> Vec<(Option<String>, String)> {
    let absolute = |namespace: &str, name: &str| {
        (Some(Sight::Php.group("", Some(namespace))), name.to_owned())
    };
    match name.rsplit_once('\\') {
        Some((namespace, name)) if namespace.is_empty() || namespace.starts_with('\\') => {
            vec![absolute(namespace, name)]
        }
        Some((namespace, name)) => {
            vec![absolute(&format!("{}\\{namespace}", package.trim_matches('\\')), name)]
        }
        None => vec![(None, name.to_owned()), absolute("", name)],
    }
}

fn swift_module(path: &str) -> &str {
    let parts = || path.match_indices('/').map(|(at, _)| at);
    for folder in ["Sources/", "Tests/"] {
        let start = if path.starts_with(folder) {
            Some(0)
        } else {
            path.find(&format!("/{folder}")).map(|at| at + 1)
        };
        if let Some(start) = start {
            let end = parts().find(|&at| at >= start + folder.len());
            return &path[..end.unwrap_or(start + folder.len() - 1)];
        }
    }
    &path[..parts().next().unwrap_or(0)]
}

/// The names that a file offers, sorted.
pub(super) fn offered(facts: &Facts, sight: Sight) -> Vec<Box<str>> {
    let mut names: Vec<Box<str>> = facts
        .symbols
        .iter()
        .filter_map(|symbol| sight.offered(facts, symbol))
        .map(Into::into)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl Sight {
    /// The name by which other files find a symbol; none where they do not.
    pub(crate) fn offered<'a>(self, facts: &Facts, symbol: &'a Symbol) -> Option<Cow<'a, str>> {
        let visible = match self {
            // A file sees all of its package; `exported` may speak of what goes beyond.
            Sight::Go | Sight::Jvm | Sight::CSharp | Sight::Php => true,
            Sight::Swift => symbol.exported,
            // A namespace is opened in many files and is none of theirs.
            Sight::C => symbol.exported && symbol.kind != SymbolKind::Module,
            Sight::Ruby => symbol.name.starts_with(char::is_uppercase),
            Sight::Elixir => symbol.kind == SymbolKind::Module,
        };
        let found = visible
            && symbol.kind != SymbolKind::Method
            && around(facts, symbol).all(|outer| self.is_open(outer));
        found.then(|| match self {
            Sight::Ruby => path_to(facts, symbol, "::").into(),
            Sight::Elixir => path_to(facts, symbol, ".").into(),
            _ => Cow::Borrowed(&*symbol.name),
        })
    }

    /// Can what is declared in `outer` be named from another file as if it stood at the top?
    fn is_open(self, outer: &Symbol) -> bool {
        match outer.kind {
            SymbolKind::Module => true,
            SymbolKind::Class => self == Sight::Ruby,
            _ => false,
        }
    }

    /// What a reference asks of other files: the first name of its path, or all of it where names are found by that.
    /// Nothing for what hangs on a value: a variable, `this`, a result.
    fn asked(self, reference: &Reference) -> Vec<Cow<'_, str>> {
        let (name, qualifier) = (&*reference.name, &*reference.qualifier);
        if qualifier.is_empty() {
            return vec![name.into()];
        }
        match self {
            Sight::Ruby | Sight::Elixir if !qualifier.starts_with(char::is_uppercase) => Vec::new(),
            Sight::Ruby if name.starts_with(char::is_uppercase) => {
                vec![format!("{qualifier}::{name}").into()]
            }
            Sight::C | Sight::Php
                if qualifier.contains(['.', '>', '$', '?']) || is_self(qualifier) =>
            {
                Vec::new()
            }
            Sight::C if qualifier == "std" || qualifier.starts_with("std::") => Vec::new(),
            // The last part may be a class or a namespace.
            Sight::C => {
                vec![qualifier.rsplit("::").next().unwrap_or(qualifier).into(), name.into()]
            }
            Sight::Ruby | Sight::Elixir | Sight::Php => vec![qualifier.into()],
            Sight::Go | Sight::Jvm | Sight::CSharp | Sight::Swift => {
                let head = qualifier.split(['.', '?', '!']).next().unwrap_or_default();
                if head.is_empty() || is_self(head) { Vec::new() } else { vec![head.into()] }
            }
        }
    }
}

fn is_self(name: &str) -> bool {
    matches!(name, "this" | "self" | "super" | "base" | "parent" | "static" | "Self")
}

/// The names around a symbol and its own.
fn path_to(facts: &Facts, symbol: &Symbol, separator: &str) -> String {
    let mut parts: Vec<&str> = around(facts, symbol).map(|outer| &*outer.name).collect();
    parts.reverse();
    parts.push(&symbol.name);
    parts.join(separator)
}

/// The symbols around one, from the inside out.
fn around<'a>(facts: &'a Facts, symbol: &Symbol) -> impl Iterator<Item = &'a Symbol> {
    let parent =
        |symbol: &Symbol| symbol.parent.and_then(|parent| facts.symbols.get(parent as usize));
    std::iter::successors(parent(symbol), move |outer| parent(outer)).take(MAX_DEPTH)
}

/// More different names than this are not looked for: the file is data.
const MAX_WANTS: usize = 4000;

type OfImports = Vec<(u32, Vec<Want>)>;

/// What a file uses and does not declare: free names, and what it uses of the packages that it imports.
pub(super) fn wanted(facts: &Facts, sight: Sight) -> (Vec<Want>, OfImports) {
    let declared: FxHashSet<&str> = facts.symbols.iter().map(|symbol| &*symbol.name).collect();
    let mut packages: FxHashMap<&str, Option<u32>> = FxHashMap::default();
    for (at, import) in (0..).zip(&facts.imports) {
        for name in import.names.iter().filter(|name| !name.local.is_empty()) {
            packages.insert(&name.local, (&*name.name == "*").then_some(at));
        }
    }
    let mut free: FxHashMap<(Cow<'_, str>, Box<str>), u32> = FxHashMap::default();
    let mut members: FxHashMap<(u32, &str), u32> = FxHashMap::default();
    let asked = facts.references.iter().flat_map(|reference| {
        sight.asked(reference).into_iter().map(move |asked| (reference, asked))
    });
    for (reference, asked) in asked {
        let head = asked.split(['.', '\\', ':']).next().unwrap_or(&asked);
        let count = match packages.get(head) {
            Some(Some(import)) if !reference.qualifier.is_empty() => {
                members.entry((*import, &reference.name)).or_default()
            }
            Some(_) => continue,
            None if declared.contains(&*asked) => continue,
            None => free.entry((asked, scope_of(facts, reference, sight))).or_default(),
        };
        *count = count.saturating_add(reference.count);
    }
    let mut names: Vec<Want> = free
        .into_iter()
        .map(|((name, scope), count)| Want { name: name.into(), scope, count })
        .collect();
    names.sort_unstable();
    names.truncate(MAX_WANTS);
    (names, by_import(members))
}

fn by_import(members: FxHashMap<(u32, &str), u32>) -> OfImports {
    let mut members: Vec<(u32, Want)> = members
        .into_iter()
        .map(|((import, name), count)| {
            (import, Want { name: name.into(), scope: "".into(), count })
        })
        .collect();
    members.sort_unstable();
    members.truncate(MAX_WANTS);
    members
        .chunk_by(|a, b| a.0 == b.0)
        .map(|chunk| (chunk[0].0, chunk.iter().map(|(_, want)| want.clone()).collect()))
        .collect()
}

/// Where a reference stands, for languages that look from the inside out.
fn scope_of(facts: &Facts, reference: &Reference, sight: Sight) -> Box<str> {
    let from = reference.from.and_then(|from| facts.symbols.get(from as usize));
    match (sight, from) {
        (Sight::Ruby, Some(from)) => {
            let open =
                std::iter::once(from).chain(around(facts, from)).find(|outer| sight.is_open(outer));
            open.map_or("".into(), |outer| path_to(facts, outer, "::").into())
        }
        _ => "".into(),
    }
}
