//! Files that a program starts with and nothing can import, by their names. It does not look into a manifest.

/// Whether no test can import it. A test can import `main.py` and `main.js`, so these are not among them.
pub(super) fn is_entry_point(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_main = matches!(
        name,
        "main.rs" | "main.go" | "main.c" | "main.cc" | "main.cpp" | "main.cxx" | "__main__.py"
    );
    is_main || folders.rsplit('/').next() == Some("bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf10_a_file_that_a_program_starts_with_is_told_by_its_name() {
        let check =
            |path: &str, expected: bool| assert_eq!(is_entry_point(path), expected, "{path}");
        check("src/main.rs", true);
        check("main.go", true);
        check("cmd/serve/main.go", true);
        check("shop/__main__.py", true);
        check("src/bin/import.rs", true);
        check("bin/nightly", true);
        check("src/domain.rs", false);
        check("src/main/mod.rs", false);
        check("src/main.py", false);
        check("src/bin/import/read.rs", false);
        check("cabin/a.rs", false);
        check("bin", false);
    }
}
