//! The ECMAScript library that code may count on, as a year: 2023 has `toSorted`, 2022 has `at` and `hasOwn`.
//!
//! It must be there for the compiler and where the code runs, and both must be known: `lib: ["esnext"]` is what templates
//! say and tells nothing of browsers. Browsers are those that are named with a version; a query such as `defaults` names
//! none.

use super::ts::TsFacts;
use crate::version::Version;

/// The first version with the whole library of a year: Chrome and Edge, Firefox, Safari, Node.
const FIRST: &[(u32, [(u32, u32); 4])] = &[
    (2025, [(136, 0), (134, 0), (18, 4), (24, 0)]),
    (2024, [(119, 0), (119, 0), (17, 4), (22, 0)]),
    (2023, [(110, 0), (115, 0), (16, 0), (20, 0)]),
    (2022, [(93, 0), (92, 0), (15, 4), (16, 11)]),
    (2021, [(85, 0), (79, 0), (14, 1), (15, 0)]),
    (2020, [(80, 0), (74, 0), (13, 1), (14, 0)]),
    (2019, [(73, 0), (64, 0), (12, 1), (12, 0)]),
    (2018, [(64, 0), (59, 0), (11, 1), (10, 0)]),
    (2017, [(58, 0), (53, 0), (10, 1), (8, 0)]),
];
/// What all that is not named there has.
const OLD: u32 = 2015;
/// Who compiles the code and what runs it.
#[derive(Debug, Default)]
pub(super) struct Targets<'a> {
    pub(super) ts: Option<&'a TsFacts>,
    pub(super) node: Option<Version>,
    pub(super) browsers: Option<&'a [String]>,
    /// It runs in browsers.
    pub(super) is_web: bool,
    /// The browsers that the framework builds for unless told otherwise.
    pub(super) by_framework: Option<u32>,
}

/// What Next.js builds for: since version 16 browsers of 2023, before that of 2019.
pub(super) fn year_of_next(next: Option<Version>) -> u32 {
    if next.is_some_and(|version| version.at_least(16, 0)) { 2022 } else { 2018 }
}

/// `None` where nothing says.
pub(super) fn year(targets: &Targets<'_>) -> Option<u32> {
    let declared = targets.ts.and_then(TsFacts::lib_year);
    let node = targets.node.map(|node| first_with(3, (node.major, node.minor)));
    let queries = targets.browsers.into_iter().flatten();
    let browsers = queries.filter_map(|query| of_query(query)).min();
    let runs = if targets.is_web { browsers.or(targets.by_framework) } else { node };
    let known = match (declared, runs) {
        (Some(declared), Some(runs)) => declared.min(runs),
        (Some(declared), None) => Some(declared).filter(|&year| year != u32::MAX)?,
        (None, Some(runs)) if targets.ts.is_none() => runs,
        (None, _) => return None,
    };
    // Code of a web application runs in its build and on its server too.
    Some(node.map_or(known, |node| node.min(known)))
}

fn first_with(column: usize, version: (u32, u32)) -> u32 {
    FIRST.iter().find(|(_, first)| version >= first[column]).map_or(OLD, |(year, _)| *year)
}

/// `chrome >= 87`, `safari 14.1`, `ie 11`.
fn of_query(query: &str) -> Option<u32> {
    let query = query.trim().to_ascii_lowercase();
    let (name, rest) = query.split_once(|c: char| c.is_whitespace() || c == '>' || c == '=')?;
    let number = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '>' || c == '=');
    let version = Version::parse(number.split_whitespace().next()?)?;
    let column = match name {
        "chrome" | "edge" | "and_chr" | "chromeandroid" | "android" => 0,
        "firefox" | "ff" | "and_ff" => 1,
        "safari" | "ios" | "ios_saf" => 2,
        "node" => 3,
        "ie" | "explorer" => return Some(2009),
        _ => return None,
    };
    Some(first_with(column, (version.major, version.minor)))
}

#[cfg(test)]
mod tests {
    use super::{Targets, year};
    use crate::project::ts::TsFacts;
    use crate::version::Version;

    #[test]
    fn ru1_the_library_that_is_there_everywhere() {
        #[track_caller]
        fn check(lib: &str, node: &str, browsers: &[&str], expected: [Option<u32>; 2]) {
            let lib = lib.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let ts = TsFacts { lib: Some(lib.clone()), ..TsFacts::default() };
            let ts = (!lib.is_empty()).then_some(ts);
            let browsers: Vec<String> = browsers.iter().map(|&it| it.to_owned()).collect();
            let found = [true, false].map(|is_web| {
                year(&Targets {
                    ts: ts.as_ref(),
                    node: Version::parse(node),
                    browsers: (!browsers.is_empty()).then_some(&*browsers),
                    is_web,
                    by_framework: None,
                })
            });
            assert_eq!(found, expected, "{lib:?} {node} {browsers:?}: in browsers, elsewhere");
        }
        check("", "", &[], [None, None]);
        check("dom esnext", "", &[], [None, None]);
        check("dom es2023", "", &[], [Some(2023), Some(2023)]);
        check("dom es2022 es2023.array", "", &[], [Some(2022), Some(2022)]);
        check("dom", "", &[], [Some(2009), Some(2009)]);
        check("esnext", "18.0.0", &[], [None, Some(2022)]);
        check("es2024", "20.0.0", &["defaults", "> 1%"], [Some(2023), Some(2023)]);
        check("esnext", "", &["chrome >= 87", "safari >= 16"], [Some(2021), None]);
        check("esnext", "", &["Safari 15.4", "not dead"], [Some(2022), None]);
        check("", "14.0.0", &["ie 11", "edge >= 120"], [Some(2009), Some(2020)]);
        check("", "22.0.0", &["edge >= 120"], [Some(2024), Some(2024)]);
    }
}
