//! What cargo prints of a build, the same each time.
//!
//! The library and its tests are built side by side, and each reports the same errors, as far as it gets. Where the sources of the
//! standard library are installed, errors quote them; that helps nobody with a kata, so that no error does.

use std::collections::BTreeSet;

/// Without a diagnostic that stood there before, and without the lines that tell which target failed first, or in which folder.
pub(super) fn diagnostics_once(printed: &str) -> String {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    let printed = without_library(&without_progress(printed));
    for block in printed.split("\n\n").map(|block| block.trim_matches('\n')) {
        let is_diagnostic = block.starts_with("error") || block.starts_with("warning");
        if !block.trim().is_empty() && (!is_diagnostic || seen.insert(block)) {
            kept.push(block);
        }
    }
    kept.join("\n\n")
}

fn without_progress(printed: &str) -> String {
    let is_progress = |line: &str| {
        let line = line.trim_start();
        line.starts_with("Compiling ")
            || line.starts_with("error: could not compile")
            || line.starts_with("warning: build failed")
    };
    printed.lines().filter(|line| !is_progress(line)).collect::<Vec<_>>().join("\n")
}

/// Without what is quoted of the standard library, and with a margin that does not depend on its line numbers.
fn without_library(printed: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut is_library = false;
    let mut margin = MARGIN;
    for line in printed.lines() {
        let Some(part) = Part::of(line) else {
            is_library = false;
            // What a remark goes on with is indented like it.
            let rest = line.strip_prefix(margin).filter(|it| it.starts_with(' '));
            kept.push(rest.map_or_else(|| line.to_owned(), |rest| format!("{MARGIN}{rest}")));
            continue;
        };
        margin = &line[..line.len() - line.trim_start().len()];
        match part {
            Part::Place(_, place) => {
                is_library = place.contains("/library/")
                    && (place.starts_with("/rustc/") || place.contains("/rustlib/src/"));
                // "note: required by a bound in `split`", and then the place of it.
                let is_about_it = |it: &String| it.starts_with("note: ");
                if is_library && kept.last().is_some_and(is_about_it) {
                    kept.pop();
                }
            }
            Part::Remark(text) if is_library => {
                is_library = text.starts_with("note: doesn't satisfy");
            }
            Part::Remark(_) | Part::Code(..) => {}
        }
        if !is_library {
            kept.push(part.written());
        }
    }
    kept.join("\n")
}

const MARGIN: &str = "     ";

/// A line below the first one of a diagnostic.
enum Part<'l> {
    /// `--> src/lib.rs:10:33`, or with `:::`.
    Place(&'l str, &'l str),
    /// `10 | let a = 1;`, or without the number.
    Code(&'l str, &'l str),
    /// `= note: …`
    Remark(&'l str),
}

impl<'l> Part<'l> {
    fn of(line: &'l str) -> Option<Self> {
        let text = line.trim_start();
        for arrow in ["--> ", "::: "] {
            if let Some(place) = text.strip_prefix(arrow) {
                return Some(Part::Place(arrow, place));
            }
        }
        if let Some(remark) = text.strip_prefix("= ").filter(|_| line.starts_with(' ')) {
            return Some(Part::Remark(remark));
        }
        let (number, code) = text.split_once('|')?;
        let number = number.trim_end();
        number.bytes().all(|it| it.is_ascii_digit()).then_some(Part::Code(number, code))
    }

    fn written(&self) -> String {
        match self {
            Part::Place(arrow, place) => format!("  {arrow}{place}"),
            Part::Code(number, code) => format!("{number:>4} |{code}"),
            Part::Remark(text) => format!("{MARGIN}= {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same error with and without the sources of the standard library.
    #[test]
    fn ka2_errors_do_not_depend_on_the_sources_of_the_library() {
        let quoted = "\
error[E0277]: the trait bound `Option<char>: Pattern` is not satisfied
    --> src/lib.rs:10:33
     |
  10 |         numbers.split(separator).sum();
     |                 ----- ^^^^^^^^^ the trait is not implemented
     |
     = help: the following other types implement trait `Pattern`:
               &'b String
     = note: required for `Option<char>` to implement `Pattern`
note: required by a bound in `core::str::<impl str>::split`
    --> /home/me/toolchains/stable/lib/rustlib/src/rust/library/core/src/str/mod.rs:1655:21
     |
1655 |     pub fn split<P: Pattern>(&self, pat: P) -> Split<'_, P> {
     |                     ^^^^^^^ required by this bound in `core::str::<impl str>::split`

error[E0599]: the method `map` exists for struct `Split<'_, Option<char>>`
   --> src/lib.rs:10:44
    |
 10 |         numbers.split(separator).map(number);
    |                                  ^^^ method cannot be called
    |
   ::: /home/me/toolchains/stable/lib/rustlib/src/rust/library/core/src/option.rs:600:1
    |
600 | pub enum Option<T> {
    | ------------------ doesn't satisfy `Option<char>: Pattern`
    |
    = note: the following trait bounds were not satisfied:
            `Option<char>: Pattern`";
        let named = "\
error[E0277]: the trait bound `Option<char>: Pattern` is not satisfied
  --> src/lib.rs:10:33
   |
10 |         numbers.split(separator).sum();
   |                 ----- ^^^^^^^^^ the trait is not implemented
   |
   = help: the following other types implement trait `Pattern`:
             &'b String
   = note: required for `Option<char>` to implement `Pattern`
note: required by a bound in `core::str::<impl str>::split`
  --> /rustc/59807616/library/core/src/str/mod.rs:1655:4

error[E0599]: the method `map` exists for struct `Split<'_, Option<char>>`
  --> src/lib.rs:10:44
   |
10 |         numbers.split(separator).map(number);
   |                                  ^^^ method cannot be called
   |
  ::: /rustc/59807616/library/core/src/option.rs:600:1
   |
   = note: doesn't satisfy `Option<char>: Pattern`
   |
   = note: the following trait bounds were not satisfied:
           `Option<char>: Pattern`";
        let once = diagnostics_once(quoted);
        assert_eq!(once, diagnostics_once(named));
        expect_test::expect![[r#"
            error[E0277]: the trait bound `Option<char>: Pattern` is not satisfied
              --> src/lib.rs:10:33
                 |
              10 |         numbers.split(separator).sum();
                 |                 ----- ^^^^^^^^^ the trait is not implemented
                 |
                 = help: the following other types implement trait `Pattern`:
                           &'b String
                 = note: required for `Option<char>` to implement `Pattern`

            error[E0599]: the method `map` exists for struct `Split<'_, Option<char>>`
              --> src/lib.rs:10:44
                 |
              10 |         numbers.split(separator).map(number);
                 |                                  ^^^ method cannot be called
                 |
                 = note: the following trait bounds were not satisfied:
                         `Option<char>: Pattern`"#]]
        .assert_eq(&once);
    }

    #[test]
    fn ka2_a_diagnostic_of_two_targets_is_shown_once() {
        let library = "   Compiling sum v0.1.0 (/home/me/sum)\nerror: no\n --> src/lib.rs:1:1\n\n";
        let tests = "error: no\n --> src/lib.rs:1:1\n\nerror: could not compile `sum` (lib test) due to 1 previous error\n\n";
        let end = "error: could not compile `sum` (lib) due to 1 previous error\nwarning: build failed, waiting for other jobs to finish...\n";
        let expected = "error: no\n  --> src/lib.rs:1:1";
        assert_eq!(diagnostics_once(&[library, tests, end].concat()), expected);
        assert_eq!(diagnostics_once(&[library, end].concat()), expected);
        assert_eq!(diagnostics_once("ok\n\nok"), "ok\n\nok");
    }
}
