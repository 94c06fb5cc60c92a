//! Where a symbol is named for sure, for whoever changes names without an operation.

use crate::files::Files;
use crate::operation::SymbolPath;
use crate::project::Project;
use crate::references::ReferenceKind;
use crate::source_cache::CachedFiles;

/// A place in a Python file that names a symbol: exactly the bytes of the name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamePlace {
    pub path: String,
    pub start: u32,
    pub end: u32,
    /// It declares the symbol, or one that overrides it.
    pub is_definition: bool,
}

/// Every place in code that names a symbol for sure, `__all__` included, other strings not. Sorted.
pub fn name_places(files: &dyn Files, symbol: &SymbolPath) -> Vec<NamePlace> {
    let files = CachedFiles::new(files);
    let found = Project::new(&files).references(symbol);
    let places = found.references.into_iter().filter(|it| it.kind != ReferenceKind::String);
    let place = |it: crate::references::Reference| NamePlace {
        path: it.path,
        start: it.range.start().to_u32(),
        end: it.range.end().to_u32(),
        is_definition: it.kind == ReferenceKind::Definition,
    };
    let mut places: Vec<NamePlace> = places.map(place).collect();
    places.sort();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryFiles;

    #[test]
    fn st5_places_are_code_and_lists_of_exports() {
        let files = MemoryFiles::new(
            "//- a.py\n__all__ = [\"load\"]\n\n\ndef load():\n    \"\"\"Load.\"\"\"\n//- b.py\nfrom a import load\n\nload()\npatch(\"a.load\")\n",
        );
        let symbol = "a.py#load".parse().unwrap();
        let shown: Vec<String> = name_places(&files, &symbol)
            .iter()
            .map(|it| {
                let text = files.text(&it.path).unwrap();
                let line = text[..it.start as usize].matches('\n').count() + 1;
                let name = &text[it.start as usize..it.end as usize];
                let what = if it.is_definition { " declared" } else { "" };
                format!("{}:{line} {name}{what}", it.path)
            })
            .collect();
        assert_eq!(shown, ["a.py:1 load", "a.py:4 load declared", "b.py:1 load", "b.py:3 load"]);
    }
}
