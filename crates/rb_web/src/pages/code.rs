//! Parts that the pages about the code share.

pub(super) mod address;
pub(super) mod findings;
pub(super) mod folder;
pub(super) mod links;
pub(super) mod navigation;
pub(super) mod numbers;
pub(super) mod paging;
pub(super) mod prose;
#[cfg(test)]
pub(super) mod testing;
