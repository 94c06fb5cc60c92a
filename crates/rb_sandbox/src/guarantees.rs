//! What a sandbox really holds on this machine, as data and as one sentence.

use crate::filter;
use serde::{Deserialize, Serialize};

/// No namespace separates keyrings.
const KEYRING: &str =
    "keys in the session keyring and sockets between virtual machines stay reachable";

/// Seen in a trial run, not hoped for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarantees {
    pub kind: Kind,
    pub network: NetworkGuarantee,
    pub writes: Writes,
    pub home: HomeGuarantee,
    pub processes: Processes,
    /// Why stronger kinds did not hold, and what this one leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why_not: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Bubblewrap,
    /// With the version of the kernel's interface.
    Landlock(u32),
    Docker,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkGuarantee {
    Cut,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writes {
    Confined,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HomeGuarantee {
    Hidden,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Processes {
    OwnNamespace,
    /// Whatever is born of the command is found and ended, as long as the watcher lives.
    Descendants,
    GroupOnly,
}

impl Guarantees {
    /// All that a namespace of its own gives.
    pub(crate) fn full(kind: Kind) -> Self {
        Guarantees {
            kind,
            network: NetworkGuarantee::Cut,
            writes: Writes::Confined,
            home: HomeGuarantee::Hidden,
            processes: Processes::OwnNamespace,
            why_not: Vec::new(),
        }
    }

    /// With a filter of system calls, on the machines that one was written for.
    pub(crate) fn by_bubblewrap() -> Self {
        let is_filtered = filter::program().is_some();
        let why_not = if is_filtered { Vec::new() } else { vec![KEYRING.to_owned()] };
        Guarantees { why_not, ..Guarantees::full(Kind::Bubblewrap) }
    }

    /// With namespaces; `abi` is the version of the kernel's interface.
    pub(crate) fn by_landlock(abi: u32) -> Self {
        let mut why_not = Vec::new();
        if abi < 9 {
            why_not.push("services on named sockets stay reachable");
        }
        why_not.extend([
            "files of the home can be seen to exist",
            "modes, owners and times of files outside can be changed",
            "a change of .git is undone and not prevented",
            KEYRING,
        ]);
        let why_not = why_not.into_iter().map(str::to_owned).collect();
        Guarantees { why_not, ..Guarantees::full(Kind::Landlock(abi)) }
    }

    /// What Landlock alone cannot do, and why it is alone.
    pub(crate) fn without_namespaces(mut self, why: &str) -> Self {
        self.network = NetworkGuarantee::Open;
        self.processes = Processes::Descendants;
        self.why_not.push(format!(
            "no namespaces ({why}): shared memory is shared, other processes of the user can be seen and limited"
        ));
        if rustix::process::getuid().is_root() {
            self.why_not.push(
                "commands run as root: kernel tables that only root may read stay readable"
                    .to_owned(),
            );
        }
        self
    }

    pub(crate) fn nothing(processes: Processes, why_not: Vec<String>) -> Self {
        Guarantees {
            kind: Kind::None,
            network: NetworkGuarantee::Open,
            writes: Writes::Open,
            home: HomeGuarantee::Open,
            processes,
            why_not,
        }
    }

    /// Is the command confined at all?
    pub fn confines(&self) -> bool {
        self.kind != Kind::None
    }

    /// One sentence for a report and for `doctor`.
    pub fn words(&self) -> String {
        let kind = match self.kind {
            Kind::Bubblewrap => "bubblewrap".to_owned(),
            Kind::Landlock(abi) => format!("Landlock (ABI {abi})"),
            Kind::Docker => "Docker".to_owned(),
            Kind::None => "no sandbox".to_owned(),
        };
        let network = match self.network {
            NetworkGuarantee::Cut => "no network except loopback",
            NetworkGuarantee::Open => "network open",
        };
        let writes = match self.writes {
            Writes::Confined => "writes only where allowed",
            Writes::Open => "writes anywhere",
        };
        let home = match self.home {
            HomeGuarantee::Hidden => "home hidden",
            HomeGuarantee::Open => "home readable",
        };
        let processes = match self.processes {
            Processes::OwnNamespace => "no process outlives its command",
            Processes::Descendants => "processes found and ended by descent",
            Processes::GroupOnly => "a daemon may survive",
        };
        let mut words = format!("{kind}: {network}, {writes}, {home}, {processes}");
        if !self.why_not.is_empty() {
            words.push_str("; ");
            words.push_str(&self.why_not.join("; "));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn sa7_what_held_is_one_sentence() {
        let check = |held: &Guarantees, expected: expect_test::Expect| {
            // One line for each thing that is said.
            let words = held.words().replace(", ", ",\n").replace("; ", ";\n");
            expected.assert_eq(&format!("{words}\n"));
        };
        check(
            &Guarantees::full(Kind::Bubblewrap),
            expect![[r#"
            bubblewrap: no network except loopback,
            writes only where allowed,
            home hidden,
            no process outlives its command
        "#]],
        );
        let why_not = vec!["bubblewrap was not found".to_owned()];
        check(
            &Guarantees {
                network: NetworkGuarantee::Open,
                processes: Processes::Descendants,
                why_not: why_not.clone(),
                ..Guarantees::full(Kind::Landlock(4))
            },
            expect![[r#"
                Landlock (ABI 4): network open,
                writes only where allowed,
                home hidden,
                processes found and ended by descent;
                bubblewrap was not found
            "#]],
        );
        check(
            &Guarantees::nothing(Processes::GroupOnly, why_not),
            expect![[r#"
            no sandbox: network open,
            writes anywhere,
            home readable,
            a daemon may survive;
            bubblewrap was not found
        "#]],
        );
    }
}
