//! Does a workspace member satisfy the range that is asked for? If not, the package comes from elsewhere.
//!
//! Ranges as they are written between members: carets, tildes, comparisons, `x`, and any of them joined. Tags,
//! addresses and catalogs are never a member.

pub(super) fn fits(range: &str, version: &str) -> bool {
    let Some(version) = numbers(version) else { return true };
    range.split("||").any(|all| {
        // A blank may stand between the sign and its number: `>= 1.2`.
        let all = all.replace("> ", ">").replace("< ", "<").replace("= ", "=");
        match all.split_once(" - ") {
            Some((low, high)) => {
                compares(&format!(">={low}"), version) && compares(&format!("<={high}"), version)
            }
            None => all.split_whitespace().all(|comparator| compares(comparator, version)),
        }
    })
}

/// `latest`, `canary` and their like: names that the registry gives to versions.
pub(super) fn is_tag(range: &str) -> bool {
    range.starts_with(|first: char| first.is_ascii_lowercase() && first != 'v' && first != 'x')
        && range.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

type Version = [u64; 3];

fn compares(comparator: &str, version: Version) -> bool {
    let at = comparator.find(|c: char| !"^~<>=v".contains(c)).unwrap_or(comparator.len());
    let (sign, rest) = comparator.split_at(at);
    let parts: Vec<Option<u64>> = rest
        .split(['-', '+'])
        .next()
        .unwrap_or_default()
        .split('.')
        .map(|part| part.parse().ok())
        .collect();
    if !matches!(rest, "" | "*" | "x" | "X") && parts[0].is_none() {
        return false;
    }
    let given = parts.iter().take(3).take_while(|part| part.is_some()).count();
    let low: Version = std::array::from_fn(|at| parts.get(at).copied().flatten().unwrap_or(0));
    let same = |count: usize| version[..count] == low[..count];
    match sign.trim_end_matches('v') {
        "^" => {
            let first = low.iter().position(|&part| part != 0).unwrap_or(2);
            version >= low && same((first + 1).min(given))
        }
        "~" => version >= low && same(given.min(2)),
        ">=" => version >= low,
        ">" => version > low,
        "<=" => version <= low || same(given),
        "<" => version < low,
        _ => same(given),
    }
}

fn numbers(version: &str) -> Option<Version> {
    let plain = version.trim_start_matches('v').split(['-', '+']).next()?;
    let mut parts = plain.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn ix3_member_versions_against_ranges() {
        for (range, version, expected) in [
            ("*", "1.2.3", true),
            ("", "1.2.3", true),
            ("^1.0.0", "1.2.3", true),
            ("^1.3.0", "1.2.3", false),
            ("^2", "1.2.3", false),
            ("^0.2.0", "0.3.0", false),
            ("^0.0.0", "0.0.0", true),
            ("~1.2.0", "1.2.9", true),
            ("~1.1", "1.2.0", false),
            ("1.x", "1.9.0", true),
            ("1.2.3", "1.2.3", true),
            ("=1.2.3", "1.2.4", false),
            (">= 1.2 <2", "1.9.0", true),
            (">=1.2 <2", "2.0.0", false),
            ("1.0.0 - 2.0.0", "1.5.0", true),
            ("^3 || ^4", "4.1.0", true),
            ("^1.0.0-beta.1", "1.0.0-beta.2", true),
            ("latest", "1.2.3", false),
            ("npm:other@1", "1.2.3", false),
            ("catalog:", "1.2.3", false),
            ("^1.0.0", "not a version", true),
            ("^^^é..", "1.2.3", false),
        ] {
            assert_eq!(fits(range, version), expected, "{range} {version}");
        }
    }
}
