//! The modules that tests replace by name: `jest.mock('lodash')`. An import that is rewritten to another path is no longer
//! replaced, so whoever rewrites has to ask here.
//!
//! Texts are searched, not parsed. To find too much costs a finding its fix; to find too little breaks a test.

use std::collections::BTreeSet;

use rb_index::Texts;

use super::paths::{file_name, join, parent, source_stem};

#[derive(Debug, Default)]
pub struct Mocked {
    /// As they are written.
    names: BTreeSet<String>,
    /// Relative ones, from the root of the repository and without extension.
    places: BTreeSet<String>,
}

impl Mocked {
    /// Is a module of this specifier replaced anywhere, `lodash` or `@/lib/api`?
    pub fn has(&self, specifier: &str) -> bool {
        self.names.contains(specifier)
    }

    /// Is the file at this path of the repository replaced by a relative specifier?
    pub fn has_file(&self, path: &str) -> bool {
        self.places.contains(place(path))
    }

    /// All specifiers, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// `files` are those that may replace something: tests and what prepares them.
    pub(super) fn read(files: &[String], texts: &dyn Texts) -> Mocked {
        let mut mocked = Mocked::default();
        for path in files {
            mocked.names.extend(by_folder(path));
            let Some(text) = texts.text(path) else { continue };
            for name in replaced(&String::from_utf8_lossy(&text)) {
                if name.starts_with('.') {
                    let found = join(parent(path), name);
                    mocked.places.extend(found.map(|found| place(&found).to_owned()));
                }
                mocked.names.insert(name.to_owned());
            }
        }
        mocked
    }
}

/// Without extension and without the name of an index.
fn place(path: &str) -> &str {
    let bare = match source_stem(file_name(path)) {
        Some((_, extension)) => &path[..path.len() - extension.len() - 1],
        None => path,
    };
    bare.strip_suffix("/index").unwrap_or(bare)
}

/// `__mocks__/lodash.js` beside `node_modules` replaces the package without a word.
fn by_folder(path: &str) -> Option<String> {
    let (_, inner) = path.rsplit_once("__mocks__/")?;
    source_stem(file_name(inner))?;
    Some(place(inner).to_owned())
}

/// The first string after each call of something with `mock` in its name.
fn replaced(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("ock").filter_map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let open = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_')?;
        // `jest.mock<typeof import('a')>('a')`, `vi.mock(import('a'))`.
        if !rest[open..].starts_with(['(', '<']) {
            return None;
        }
        let before = rest[open..].find(['\'', '"', '`']).filter(|&before| before < 60)?;
        let between = &rest[open..open + before];
        if between.contains([',', ';', '{', '=']) {
            return None;
        }
        let string = &rest[open + before..];
        let quote = string.chars().next()?;
        string[1..].split(quote).next().filter(|name| !name.is_empty() && name.len() < 300)
    })
}

#[cfg(test)]
mod tests {
    use super::{Mocked, place, replaced};

    #[test]
    fn ru1_calls_that_replace_a_module() {
        let text = "jest.mock('a');\nvi.mock(\"@b/c\", () => ({}))\njest.doMock(`d`)\n\
            jest.unstable_mockModule('e', f)\nvi.mock(import('g'), x)\n\
            jest.mock<typeof import('h')>('h', () => 1)\nmock.module('i', () => {})\n\
            jest.mock(\n  'j',\n)\nconst stock = 'k'; block(x, 'l'); mockFn('m'); clock = ('n')\n";
        let found: Vec<_> = replaced(text).collect();
        assert_eq!(found, ["a", "@b/c", "d", "e", "g", "h", "i", "j", "m"]);
    }

    #[test]
    fn ru1_files_that_are_replaced() {
        struct One;
        impl rb_index::Texts for One {
            fn text(&self, path: &str) -> Option<Vec<u8>> {
                (path == "src/a/x.test.ts")
                    .then(|| b"vi.mock('../lib/api'); vi.mock('./b/index.js')".to_vec())
            }
        }
        let files = ["src/a/x.test.ts", "__mocks__/@s/p.ts", "gone.test.ts"].map(str::to_owned);
        let mocked = Mocked::read(&files, &One);
        assert!(mocked.has_file("src/lib/api.ts") && mocked.has_file("src/a/b/index.tsx"));
        assert!(!mocked.has_file("src/api.ts") && mocked.has("@s/p") && !mocked.has("p"));
        assert_eq!(mocked.names().collect::<Vec<_>>(), ["../lib/api", "./b/index.js", "@s/p"]);
        assert_eq!(
            [place("a/index.ts"), place("a/b.test.tsx"), place("a")],
            ["a", "a/b.test", "a"]
        );
    }
}
