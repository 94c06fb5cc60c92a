//! Paths as a file system without case would keep them.

use std::collections::HashMap;

use rb_core::RepoPath;

/// A tree of components. One node for each folder and file, so that deep paths cost what they are long.
#[derive(Default)]
pub(super) struct Folded {
    /// From a node and a component without case to the node below and the component as first seen.
    children: HashMap<(usize, Vec<u8>), (usize, Vec<u8>)>,
}

impl Folded {
    /// Adds a path. Gives the file or folder with another spelling that has its place, if there is one.
    pub(super) fn insert(&mut self, path: &RepoPath) -> Option<RepoPath> {
        let mut node = 0;
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut twin = None;
        for component in path.as_bytes().split(|&byte| byte == b'/') {
            let next = self.children.len() + 1;
            let child = self.children.entry((node, fold(component)));
            let (below, spelling) = child.or_insert_with(|| (next, component.to_vec()));
            node = *below;
            if twin.is_none() {
                seen.push(spelling.clone());
                if spelling.as_slice() != component {
                    twin = RepoPath::new(seen.join(&b'/')).ok();
                }
            }
        }
        twin
    }
}

fn fold(component: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(component) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => component.to_ascii_lowercase(),
    }
}
