//! The texts behind an index, for those who have to look again at what facts do not hold.

/// The texts of the state that is indexed: of a worktree, a commit, or files in memory.
pub trait Texts {
    /// `None` for a file that is not there or cannot be read.
    fn text(&self, path: &str) -> Option<Vec<u8>>;
}
