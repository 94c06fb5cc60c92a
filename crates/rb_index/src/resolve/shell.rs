//! Shell: sourced files by path.
//!
//! A leading `$VARIABLE` or `$(…)` is most often the script's own folder or the top of the tree, and is taken for one
//! of these if the rest of the path leads to a file. Programs that are started are not imports.

use rb_lang::{Import, Language};

use super::paths::{self, Endings};
use super::{Resolution, found};
use crate::tree::{FileId, Tree};

pub(super) struct ShellResolver<'t> {
    tree: &'t Tree,
    files: Endings<'t>,
}

pub(super) fn is_manifest(_name: &str) -> bool {
    false
}

impl<'t> ShellResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        ShellResolver { tree, files: Endings::new(tree, |file| file.language == Some(Language::Bash)) }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = import.specifier.trim_matches(['"', '\'']);
        if path.starts_with(['/', '~']) {
            return Resolution::External(path.into());
        }
        let path = if path.starts_with(['$', '`']) { after_variable(path) } else { path };
        let folder = paths::folder(&self.tree.get(from).path);
        found(self.on_the_way_up(folder, path).or_else(|| self.anywhere(path)))
    }

    fn on_the_way_up(&self, folder: &str, path: &str) -> Option<FileId> {
        let mut candidates = paths::folders_up(folder).filter_map(|folder| paths::join(folder, path));
        candidates.find_map(|path| {
            // Scripts are often installed without their extension, and sourced by that name.
            self.tree.find(&path).or_else(|| self.tree.find(&format!("{path}.sh")))
        })
    }

    /// The one file of the tree that the path fits: the variable may have been any folder.
    fn anywhere(&self, path: &str) -> Option<FileId> {
        let path = path.trim_start_matches("./");
        match self.files.find(path) {
            [file] if !path.starts_with("../") => Some(*file),
            _ => None,
        }
    }
}

/// What follows the variable: `lib/a.sh` of `${BASH_SOURCE%/*}/lib/a.sh`.
fn after_variable(path: &str) -> &str {
    let mut open = 0_usize;
    for (at, c) in path.char_indices() {
        match c {
            '{' | '(' => open += 1,
            '}' | ')' => open = open.saturating_sub(1),
            '/' if open == 0 => return &path[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    #[test]
    fn ix3_shell() {
        check(
            "
//- install.sh
//- lib/common.sh
//- test/run.sh
//- test/helper.bash
//- far/away/unique.sh
//- a/twice.sh
//- b/twice.sh
",
            "
            test/run.sh: Include ./helper.bash
            test/run.sh: Include helper.bash
            test/run.sh: Include ../lib/common.sh
            test/run.sh: Include lib/common.sh
            test/run.sh: Include $ROOT/lib/common.sh
            test/run.sh: Include ${BASH_SOURCE%/*}/helper.bash
            test/run.sh: Include $(dirname/x)/../install.sh
            test/run.sh: Include $FILE
            test/run.sh: Include lib/common
            test/run.sh: Include $DIR/unique.sh
            test/run.sh: Include $DIR/twice.sh
            test/run.sh: Include ./missing.sh
            test/run.sh: Include ../../outside.sh
            test/run.sh: Include /etc/profile
            test/run.sh: Include ~/.bashrc
            ",
            &expect![[r#"
                test/run.sh: Include ./helper.bash -> test/helper.bash
                test/run.sh: Include helper.bash -> test/helper.bash
                test/run.sh: Include ../lib/common.sh -> lib/common.sh
                test/run.sh: Include lib/common.sh -> lib/common.sh
                test/run.sh: Include $ROOT/lib/common.sh -> lib/common.sh
                test/run.sh: Include ${BASH_SOURCE%/*}/helper.bash -> test/helper.bash
                test/run.sh: Include $(dirname/x)/../install.sh -> install.sh
                test/run.sh: Include $FILE -> UNRESOLVED
                test/run.sh: Include lib/common -> lib/common.sh
                test/run.sh: Include $DIR/unique.sh -> far/away/unique.sh
                test/run.sh: Include $DIR/twice.sh -> UNRESOLVED
                test/run.sh: Include ./missing.sh -> UNRESOLVED
                test/run.sh: Include ../../outside.sh -> UNRESOLVED
                test/run.sh: Include /etc/profile -> external /etc/profile
                test/run.sh: Include ~/.bashrc -> external ~/.bashrc
            "#]],
        );
    }
}
