//! Any bytes are read as a patch or refused; what is read, written and read again is the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rb_core::RepoPath;
use rb_workspace::patch::{File, MemoryTree, apply, parse, reverse, write};

fuzz_target!(|bytes: &[u8]| {
    let Ok(patch) = parse(bytes) else { return };
    let written = write(&patch);
    assert_eq!(parse(&written).as_ref(), Ok(&patch), "{}", written.escape_ascii());

    let path = |name: &str| RepoPath::new(name).expect("the name is plain");
    let mut tree =
        MemoryTree::new([(path("a"), File::regular("a\nb\n")), (path("b/c"), File::regular("x"))]);
    let before = tree.clone();
    let Ok(changes) = apply(&patch, &tree) else { return };
    tree.land(&changes);
    if let Ok(back) = apply(&reverse(&patch), &tree) {
        tree.land(&back);
        // A deletion in a plain diff does not know the mode; all files here are plain.
        assert_eq!(tree, before);
    }
});
