//! Files in their folders, with sums, and which rectangles stand for them.

use std::collections::BTreeMap;

use super::layout::{Rect, squarified};

/// A file that is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leaf<'a> {
    pub(super) path: &'a str,
    pub(super) lines: u64,
    /// What its colour shows.
    pub(super) value: f64,
}

/// A folder with everything in it.
#[derive(Debug, Default)]
pub(super) struct Branch<'a> {
    folders: BTreeMap<&'a str, Branch<'a>>,
    files: Vec<Leaf<'a>>,
    /// The whole path; empty for the root.
    path: &'a str,
    lines: u64,
    count: usize,
    highest: f64,
}

/// What a rectangle stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A frame around what is in it.
    Folder,
    File,
    /// So many small files of a folder together.
    Rest(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block<'a> {
    pub(super) kind: Kind,
    pub(super) rect: Rect,
    /// Of the file, or of the folder that holds the files.
    pub(super) path: &'a str,
    pub(super) label: &'a str,
    pub(super) lines: u64,
    pub(super) value: f64,
}

/// A smaller rectangle can neither be read nor hit. It also bounds how many there are.
const LEAST_FILE: f64 = 300.0;
/// A folder in a smaller rectangle is not opened.
const LEAST_FOLDER: f64 = 1500.0;
const MARGIN: f64 = 2.0;
pub(super) const HEADER: f64 = 17.0;
/// A rectangle that is smaller has no header.
const HEADER_WIDTH: f64 = 44.0;
const HEADER_HEIGHT: f64 = 44.0;

impl<'a> Branch<'a> {
    /// `folder` is the path that is looked at; the leaves lie in it.
    pub(super) fn of(folder: &'a str, leaves: &[Leaf<'a>]) -> Branch<'a> {
        let mut root = Branch { path: folder, ..Branch::default() };
        for leaf in leaves {
            root.add(leaf);
        }
        root
    }

    fn add(&mut self, leaf: &Leaf<'a>) {
        let mut branch = self;
        loop {
            branch.lines += leaf.lines;
            branch.count += 1;
            branch.highest = branch.highest.max(leaf.value);
            let begin = if branch.path.is_empty() { 0 } else { branch.path.len() + 1 };
            let Some(length) = leaf.path[begin..].find('/') else { break };
            let path = &leaf.path[..begin + length];
            let inner = branch.folders.entry(&path[begin..]);
            branch = inner.or_insert_with(|| Branch { path, ..Branch::default() });
        }
        branch.files.push(*leaf);
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// The rectangles of all that is in this folder: frames before what they hold.
    pub(super) fn blocks(&self, within: Rect) -> Vec<Block<'a>> {
        let mut blocks = Vec::new();
        self.lay(within, &mut blocks);
        blocks
    }

    fn lay(&self, within: Rect, into: &mut Vec<Block<'a>>) {
        let parts = self.parts(within.area());
        #[expect(clippy::cast_precision_loss, reason = "lines are fewer than 2^52")]
        let sizes: Vec<f64> = parts.iter().map(|part| part.lines() as f64).collect();
        for (part, rect) in parts.iter().zip(squarified(&sizes, within)) {
            match part {
                Part::File(leaf) => into.push(file(leaf, rect)),
                Part::Rest { count, lines, highest } => into.push(Block {
                    kind: Kind::Rest(*count),
                    rect,
                    path: self.path,
                    label: "",
                    lines: *lines,
                    value: *highest,
                }),
                Part::Folder(name, branch) => branch.frame(name.len(), rect, into),
            }
        }
    }

    /// A folder that holds nothing but a folder is shown as one: `src/main/java`.
    fn frame(&self, label: usize, rect: Rect, into: &mut Vec<Block<'a>>) {
        if self.files.is_empty()
            && self.folders.len() == 1
            && let Some((name, inner)) = self.folders.first_key_value()
        {
            return inner.frame(label + 1 + name.len(), rect, into);
        }
        let label = &self.path[self.path.len() - label..];
        let is_open = rect.area() >= LEAST_FOLDER;
        let kind = if is_open { Kind::Folder } else { Kind::Rest(self.count) };
        let (path, lines, value) = (self.path, self.lines, self.highest);
        into.push(Block { kind, rect, path, label, lines, value });
        if is_open {
            let has_header = rect.width >= HEADER_WIDTH && rect.height >= HEADER_HEIGHT;
            self.lay(rect.inside(MARGIN, if has_header { HEADER } else { 0.0 }), into);
        }
    }

    /// What stands side by side in `area`, the largest first. What would be too small stands together.
    fn parts(&self, area: f64) -> Vec<Part<'_, 'a>> {
        #[expect(clippy::cast_precision_loss, reason = "lines are fewer than 2^52")]
        let is_small = |lines: u64| area * lines as f64 / (self.lines.max(1) as f64) < LEAST_FILE;
        let mut parts = Vec::new();
        let (mut count, mut lines, mut highest) = (0, 0, 0.0_f64);
        let mut rest = |files: usize, of_lines: u64, value: f64| {
            count += files;
            lines += of_lines;
            highest = highest.max(value);
        };
        for leaf in &self.files {
            if is_small(leaf.lines) {
                rest(1, leaf.lines, leaf.value);
            } else {
                parts.push(Part::File(leaf));
            }
        }
        for (name, branch) in &self.folders {
            if is_small(branch.lines) {
                rest(branch.count, branch.lines, branch.highest);
            } else {
                parts.push(Part::Folder(name, branch));
            }
        }
        if count > 0 {
            parts.push(Part::Rest { count, lines, highest });
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.lines()));
        parts
    }
}

enum Part<'b, 'a> {
    File(&'b Leaf<'a>),
    Folder(&'a str, &'b Branch<'a>),
    Rest { count: usize, lines: u64, highest: f64 },
}

impl Part<'_, '_> {
    fn lines(&self) -> u64 {
        match self {
            Part::File(leaf) => leaf.lines,
            Part::Folder(_, branch) => branch.lines,
            Part::Rest { lines, .. } => *lines,
        }
    }
}

fn file<'a>(leaf: &Leaf<'a>, rect: Rect) -> Block<'a> {
    let label = leaf.path.rsplit('/').next().unwrap_or_default();
    Block { kind: Kind::File, rect, path: leaf.path, label, lines: leaf.lines, value: leaf.value }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;

    const WITHIN: Rect = Rect { x: 0.0, y: 0.0, width: 1200.0, height: 640.0 };

    fn shown(folder: &str, files: &[(&str, u64, f64)]) -> String {
        let leaves: Vec<Leaf<'_>> =
            files.iter().map(|&(path, lines, value)| Leaf { path, lines, value }).collect();
        let mut text = String::new();
        for block in Branch::of(folder, &leaves).blocks(WITHIN) {
            let Rect { x, y, width, height } = block.rect;
            let _ = writeln!(
                text,
                "{:?} {} [{}] {} lines, {} at {x:.0},{y:.0} {width:.0}x{height:.0}",
                block.kind, block.path, block.label, block.lines, block.value
            );
        }
        text
    }

    #[test]
    fn ux4_files_lie_in_their_folders_and_small_ones_together() {
        let files = [
            ("a.js", 500, 0.5),
            ("src/main/deep/b.js", 900, 0.2),
            ("src/main/deep/c.js", 300, 0.9),
            ("src/main/deep/d.js", 1, 0.1),
            ("tiny/e.js", 1, 0.0),
        ];
        expect![[r#"
            Folder src/main/deep [src/main/deep] 1201 lines, 0.9 at 0,0 847x640
            File src/main/deep/b.js [b.js] 900 lines, 0.2 at 2,19 632x619
            File src/main/deep/c.js [c.js] 300 lines, 0.9 at 634,19 211x617
            File src/main/deep/d.js [d.js] 1 lines, 0.1 at 634,636 211x2
            File a.js [a.js] 500 lines, 0.5 at 847,0 353x639
            Rest(1) tiny [tiny] 1 lines, 0 at 847,639 353x1
        "#]]
        .assert_eq(&shown("", &files));
        expect![[r#"
            Folder src/main/deep [deep] 1201 lines, 0.9 at 0,0 1200x640
            File src/main/deep/b.js [b.js] 900 lines, 0.2 at 2,19 896x619
            File src/main/deep/c.js [c.js] 300 lines, 0.9 at 898,19 300x617
            File src/main/deep/d.js [d.js] 1 lines, 0.1 at 898,636 300x2
        "#]]
        .assert_eq(&shown("src/main", &files[1..4]));
    }

    proptest! {
        #[test]
        fn ux4_a_map_has_few_rectangles_and_every_file_is_in_one_of_them(
            sizes in proptest::collection::vec((0..40_usize, 0..30_usize, 1..200_u64), 1..4000)
        ) {
            let files: Vec<(String, u64)> = sizes.iter().enumerate()
                .map(|(at, (outer, inner, lines))| (format!("f{outer}/g{inner}/{at}.js"), *lines)).collect();
            let leaves: Vec<Leaf<'_>> =
                files.iter().map(|(path, lines)| Leaf { path, lines: *lines, value: 0.0 }).collect();
            let blocks = Branch::of("", &leaves).blocks(WITHIN);
            prop_assert!(blocks.len() <= 3000, "{}", blocks.len());
            let held: usize = blocks.iter().map(|block| match block.kind {
                Kind::Folder => 0,
                Kind::File => 1,
                Kind::Rest(count) => count,
            }).sum();
            prop_assert_eq!(held, files.len());
        }
    }
}
