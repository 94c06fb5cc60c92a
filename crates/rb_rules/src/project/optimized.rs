//! The packages whose barrels Next.js sees through without being told.
//!
//! From 13.5 on; the list grew in 15. `lodash` is on it because Next.js rewrites its imports in another way
//! (`modularizeImports`) that has the same effect. A star stands for all that begins so.

use crate::version::Version;

const SINCE_13_5: &[&str] = &[
    "lucide-react",
    "date-fns",
    "lodash",
    "lodash-es",
    "ramda",
    "antd",
    "react-bootstrap",
    "ahooks",
    "@ant-design/icons",
    "@headlessui/react",
    "@headlessui-float/react",
    "@heroicons/react/20/solid",
    "@heroicons/react/24/solid",
    "@heroicons/react/24/outline",
    "@visx/visx",
    "@tremor/react",
    "rxjs",
    "@mui/material",
    "@mui/icons-material",
    "recharts",
    "react-use",
    "@material-ui/core",
    "@material-ui/icons",
    "@tabler/icons-react",
    "mui-core",
    "react-icons/*",
];
const SINCE_15: &[&str] = &["effect", "@effect/*"];

/// `next` is the version of Next.js; `None` for one that is not known, which is taken to be a new one.
pub(super) fn by_default(next: Option<Version>) -> impl Iterator<Item = &'static str> {
    let at_least = |major, minor| next.is_none_or(|version| version.at_least(major, minor));
    let first = if at_least(13, 5) { SINCE_13_5 } else { &[] };
    let later = if at_least(15, 0) { SINCE_15 } else { &[] };
    first.iter().chain(later).copied()
}

pub(super) fn fits(pattern: &str, specifier: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => specifier.strip_prefix(start).is_some_and(|rest| !rest.is_empty()),
        None => pattern == specifier,
    }
}
