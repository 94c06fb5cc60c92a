//! Who takes what from whom, across the files of a `World`; what is read of one file is `rb_ecma::links`' part.
//!
//! `links` is asked but once of each file.

use std::sync::Arc;

use rb_ecma::Module;
pub use rb_ecma::links::{
    ByteRange, Doubt, Export, Exporting, Import, ImportKind, Links, Reference, References, Use,
    UseKind, WHOLE, line_of,
};
use rb_ecma::links::{LinkedFiles, references as follow};
use rb_rules::World;

/// The links of a file; `None` where it does not parse.
pub fn links(world: &dyn World, path: &str) -> Option<Arc<Links>> {
    world.ask("links", path, "", |module| Arc::new(read(world, path, module)))
}

/// The links of a file that is parsed already.
pub fn read(world: &dyn World, path: &str, module: &Module<'_>) -> Links {
    rb_ecma::links::read(module, path, |specifier| world.resolve(path, specifier))
}

/// Follows a name from the file that exports it.
pub fn references(world: &dyn World, path: &str, name: &str) -> References {
    follow(&WorldLinks(world), path, name)
}

struct WorldLinks<'w>(&'w dyn World);

impl LinkedFiles for WorldLinks<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.0.text(path)
    }

    fn links(&self, path: &str) -> Option<Arc<Links>> {
        links(self.0, path)
    }

    fn users(&self, path: &str) -> Vec<String> {
        self.0.users(path)
    }
}
