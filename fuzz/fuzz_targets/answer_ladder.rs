//! Any answer is placed or refused; what is placed applies, and gives what the ladder computed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rb_core::RepoPath;
use rb_workspace::answer::resolve;
use rb_workspace::patch::{File, MemoryTree, apply, parse, write};

const TEXT: &str = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n    two();\n}\n";

fuzz_target!(|answer: &[u8]| {
    let path = |name: &str| RepoPath::new(name).expect("the name is plain");
    let tree = MemoryTree::new([
        (path("a.rs"), File::regular(TEXT)),
        (path("src/crlf.rs"), File::regular("\u{feff}x\r\n\r\n  y\r\nz")),
        (path("src/empty"), File::regular("")),
    ]);
    if let Ok(resolved) = resolve(answer, &tree) {
        assert_eq!(parse(&write(&resolved.patch)).as_ref(), Ok(&resolved.patch));
        apply(&resolved.patch, &tree).expect("a resolved answer applies");
    }
});
