//! Trees for tests, written as words: `path`, `path:marks` with marks and a number of lines divided by commas.

use rb_lang::Language;

use crate::tree::{FileId, Tree, TreeFile};

/// `words` are files without text, `texts` are manifests.
pub(crate) fn tree(words: &str, texts: &[(&str, &str)]) -> Tree {
    let mut files: Vec<TreeFile> = words.split_whitespace().map(file).collect();
    for (path, text) in texts {
        let mut file = file(path);
        file.manifest = Some((*text).into());
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Tree { files }
}

fn file(word: &str) -> TreeFile {
    let (path, marks) = word.split_once(':').unwrap_or((word, ""));
    let language = Language::of_path(path.as_bytes());
    let mut file = TreeFile { path: path.into(), language, lines: 10, ..TreeFile::default() };
    for mark in marks.split(',').filter(|mark| !mark.is_empty()) {
        match mark {
            "client" => file.marks.use_client = true,
            "server" => file.marks.use_server = true,
            "main" => file.marks.main = true,
            "jsx" => file.marks.jsx = true,
            "tests" => file.marks.tests = true,
            lines => file.lines = lines.parse().expect("a mark or a number of lines"),
        }
    }
    file
}

/// `a>b` for each import.
pub(crate) fn edges(tree: &Tree, words: &str) -> Vec<(FileId, FileId)> {
    let find = |path: &str| tree.find(path).unwrap_or_else(|| panic!("{path} is not in the tree"));
    words
        .split_whitespace()
        .map(|word| {
            let (from, to) = word.split_once('>').expect("from>to");
            (find(from), find(to))
        })
        .collect()
}

/// `file>package` for each import of a package from elsewhere.
pub(crate) fn externals<'a>(tree: &Tree, words: &'a str) -> Vec<(FileId, &'a str)> {
    words
        .split_whitespace()
        .map(|word| {
            let (from, package) = word.split_once('>').expect("file>package");
            (tree.find(from).unwrap_or_else(|| panic!("{from} is not in the tree")), package)
        })
        .collect()
}
