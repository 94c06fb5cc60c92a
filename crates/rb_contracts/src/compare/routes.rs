//! Changes of HTTP routes. Which function answers, and where it stands, is nobody's business outside.

use super::groups::differing;
use super::{Change, ContractChange, What};
use crate::model::Route;

pub(super) fn compare(before: &[Route], after: &[Route]) -> Vec<ContractChange> {
    let key = |route: &'_ Route| (route.path.clone(), route.method.clone());
    // One route that is registered twice is still one.
    let groups = differing(before, after, key, |_, _| true);
    let answers_any = |routes: &[Route], path: &str| {
        routes.iter().any(|one| one.path == path && one.method == "ANY")
    };
    let mut out = Vec::new();
    for group in groups.into_values().filter(|group| !group.is_kept) {
        if let Some(route) = group.before.first() {
            if !answers_any(after, &route.path) {
                out.push(change(route, Change::Removed, true, "was removed"));
            }
        } else if let Some(route) = group.after.first() {
            out.push(change(route, Change::Added, false, "was added"));
        }
    }
    out
}

fn change(route: &Route, change: Change, breaking: bool, words: &str) -> ContractChange {
    let name = format!("{} {}", route.method, route.path);
    ContractChange {
        what: What::Route,
        change,
        breaking,
        words: format!("the route `{name}` {words}"),
        name,
        file: route.file.clone(),
        line: route.line,
    }
}
