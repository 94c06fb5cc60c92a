//! Who a command is inside its namespace when the superuser runs it: programs behave differently for the superuser, and some refuse.
//!
//! Files of the superuser belong to this user inside, so that the worktree stays the command's own.

use std::path::Path;

use rb_core::fs;

/// User and group by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlainUser {
    pub(crate) user: u32,
    pub(crate) group: u32,
}

/// Numbers that systems give to people.
const PEOPLE: std::ops::Range<u32> = 1000..60000;

const UNKNOWN: PlainUser = PlainUser { user: 1000, group: 1000 };

/// None for whoever is no superuser: they stay who they are.
pub(crate) fn plain_user() -> Option<PlainUser> {
    rustix::process::getuid().is_root().then(|| {
        let text = fs::read_head(Path::new("/etc/passwd"), 1 << 20).unwrap_or_default();
        of_passwd(&String::from_utf8_lossy(&text))
    })
}

/// One that has a name: programs ask for it, and some fail without.
fn of_passwd(text: &str) -> PlainUser {
    let users = || {
        text.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            let user = fields.get(2)?.parse().ok()?;
            let group = fields.get(3)?.parse().ok()?;
            Some((fields[0], PlainUser { user, group }))
        })
    };
    let person = users().find(|(_, found)| PEOPLE.contains(&found.user) && found.group != 0);
    let nobody = || users().find(|(name, found)| *name == "nobody" && found.user != 0);
    person.or_else(nobody).map_or(UNKNOWN, |(_, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa7_a_person_of_this_machine_is_taken_else_nobody() {
        let check = |text: &str, user, group| {
            assert_eq!(of_passwd(text), PlainUser { user, group }, "{text}");
        };
        let system = "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\n";
        let nobody = "nobody:x:65534:65533::/:/bin/false\n";
        check(&format!("{system}{nobody}node:x:1000:1001::/home/node:/bin/sh"), 1000, 1001);
        check(&format!("{system}{nobody}"), 65534, 65533);
        check(&format!("{system}toor:x:1000:0::/:/bin/sh\nbroken:x:y\n"), 1000, 1000);
        check("", 1000, 1000);
    }
}
