//! A page that has to look like a picture beside the ticket: `ticket verify` and a whole run with an agent.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rb_testkit::{Cli, Repo};
use serde_json::Value;

use crate::cli;

const PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<title>Hello</title>\n<link rel=icon href=data:,>\n<body style=\"background: white\">\n<h1>Hello</h1>\n</html>\n";

const TICKET: &str = "\
# HI-8: A green page

![green.png](green.png)

## Acceptance criteria

- The page / looks like \"green.png\".
";

/// Red first, and green once it is asked to fix that.
const AGENT: &str = "\
#!/bin/sh
if grep -q red index.html; then sed -i s/red/green/ index.html; else sed -i s/white/red/ index.html; fi
";

struct Site {
    repo: Repo,
    cli: Cli,
}

impl Site {
    /// With the picture beside the ticket, as a browser draws it. None without Chromium.
    fn new() -> Option<Site> {
        Command::new("chromium").arg("--version").output().ok()?;
        let repo = Repo::git_repo(&format!("//- index.html\n{PAGE}"));
        let site = Site { cli: cli().cwd(repo.root()), repo };
        fs::write(site.repo.beside("hi.md"), TICKET).unwrap();
        let agent = site.repo.beside("agent.sh");
        fs::write(&agent, AGENT).unwrap();
        fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
        site.branch("green");
        let shown = "# Hello\n\n## Acceptance criteria\n\n- The page / shows \"Hello\".\n";
        fs::write(site.repo.beside("shown.md"), shown).unwrap();
        let (report, output) = site.verify("shown.md", "green", 0);
        assert_eq!(report["passed"], true, "{report}");
        fs::copy(output.join("proof-C1.png"), site.repo.beside("green.png")).unwrap();
        Some(site)
    }

    /// A branch with the page in this colour.
    fn branch(&self, colour: &str) {
        self.repo.git(&["switch", "--quiet", "--create", colour]);
        self.repo.write("index.html", PAGE.replace("white", colour));
        self.repo.commit_all(colour);
        self.repo.git(&["switch", "--quiet", "-"]);
    }

    /// The report of the ticket beside the repository, and the folder of its evidence.
    fn verify(&self, ticket: &str, branch: &str, code: i32) -> (Value, PathBuf) {
        let output = self.repo.beside(&format!("evidence-{branch}"));
        let (ticket, to) = (format!("../{ticket}"), output.display().to_string());
        let ran = self.cli.run(["ticket", "verify", &ticket, branch, "--json", "--output", &to]);
        let seen: Value = serde_json::from_str(&ran.expect_code(code).stdout).unwrap();
        (seen["report"].clone(), output)
    }
}

#[track_caller]
fn assert_png(file: &Path) {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(bytes.starts_with(b"\x89PNG"), "{}", file.display());
}

#[test]
fn tk3_a_branch_has_to_look_like_the_picture_of_the_ticket() {
    let Some(site) = Site::new() else { return };
    site.branch("red");
    let (report, output) = site.verify("hi.md", "green", 0);
    assert_eq!(report["screenshots"][0], "proof-C1.png", "{report}");
    assert_png(&output.join("proof-C1.png"));

    let (report, output) = site.verify("hi.md", "red", 7);
    let issue = &report["issues"][0];
    let expected = "the page looks like green.png (at most 1% of the pixels differ)";
    assert_eq!(issue["expected"], expected, "{report}");
    assert!(issue["actual"].as_str().unwrap().ends_with("% of the pixels differ"), "{report}");
    assert_eq!(issue["screenshot"], "issue-C1.png", "{report}");
    for name in ["issue-C1.png", "issue-C1-difference.png"] {
        assert_png(&output.join(name));
    }
}

#[test]
fn tk2_tk3_a_ticket_is_done_when_the_page_looks_like_its_picture() {
    let Some(site) = Site::new() else { return };
    let agent = format!("{} {{prompt_file}}", site.repo.beside("agent.sh").display());
    let ran = site.cli.run(["ticket", "../hi.md", "--agent", &agent, "--json"]);
    let seen: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert_eq!(seen["verdicts"]["browser"], "pass", "{seen}");
    let rounds = seen["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{seen}");
    let issue = &rounds[0]["issues"][0];
    assert!(issue["actual"].as_str().unwrap().ends_with("% of the pixels differ"), "{issue}");
    let run = site.cli.home().join("runs").join(seen["run"].as_str().unwrap());
    assert_png(&run.join("browser/1/issue-C1-difference.png"));
    assert_png(&run.join("report/evidence/proof-C1.png"));
}
