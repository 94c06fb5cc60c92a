//! Globs of workspace lists: `*` within a name, `**` across folders, `{a,b}` and `?`.

/// A longer one is not written by hand.
const MAX_GLOB: usize = 512;

/// Does the glob (of a workspace list, or of `ReportLocation::Pattern`) name the path, both relative to the same place?
pub fn matches(glob: &str, path: &str) -> bool {
    if glob.len() > MAX_GLOB {
        return false;
    }
    alternatives(glob).iter().any(|glob| {
        let glob: Vec<&str> =
            glob.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let path: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        parts(&glob, &path)
    })
}

/// One glob for each alternative of the first braces; further braces are taken literally.
fn alternatives(glob: &str) -> Vec<String> {
    let Some((before, rest)) = glob.split_once('{') else { return vec![glob.to_owned()] };
    let Some((inner, after)) = rest.split_once('}') else { return vec![glob.to_owned()] };
    inner.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
}

/// Row by row instead of by recursion, so that many `**` cost no more than one.
fn parts(glob: &[&str], path: &[&str]) -> bool {
    let mut row = vec![false; path.len() + 1];
    row[0] = true;
    for part in glob {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            next[at] = if *part == "**" {
                row[at] || (at > 0 && next[at - 1])
            } else {
                at > 0 && row[at - 1] && name(part.as_bytes(), path[at - 1].as_bytes())
            };
        }
        row = next;
    }
    row[path.len()]
}

fn name(glob: &[u8], text: &[u8]) -> bool {
    let mut row = vec![false; text.len() + 1];
    row[0] = true;
    for &sign in glob {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            next[at] = match sign {
                b'*' => row[at] || (at > 0 && next[at - 1]),
                b'?' => at > 0 && row[at - 1],
                sign => at > 0 && row[at - 1] && text[at - 1] == sign,
            };
        }
        row = next;
    }
    row[text.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve1_workspace_globs() {
        let yes = [
            ("packages/*", "packages/a"),
            ("packages/**", "packages/a/b"),
            ("packages/**", "packages"),
            ("packages/**/__tests__/**", "packages/a/__tests__/b/c"),
            ("./apps/{web,api}", "apps/api"),
            ("crates/rb_*", "crates/rb_core"),
            ("a?c", "abc"),
        ];
        let no = [
            ("packages/*", "packages/a/b"),
            ("packages/*", "other/a"),
            ("crates/rb_*", "crates/core"),
            ("a", "ab"),
            ("", "a"),
        ];
        for (glob, path) in yes {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in no {
            assert!(!matches(glob, path), "{glob} {path}");
        }
        assert!(!matches(&"**/".repeat(200), &"a/".repeat(2000)));
    }
}
