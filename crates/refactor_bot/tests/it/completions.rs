//! Completion scripts are there for every shell, and bash can read its own.

use std::process::Command;

use crate::cli;

#[test]
fn ux5_every_shell_gets_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = cli().run(["completions", shell]);
        ran.expect_code(0);
        assert!(ran.stdout.contains("refactor-bot"), "{shell}: {}", ran.stdout);
        assert!(ran.stdout.contains("doctor"), "{shell}: {}", ran.stdout);
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn ux5_bash_can_read_its_script() {
    let cli = cli();
    let script = cli.user_dir().join("completions.bash");
    std::fs::write(&script, cli.run(["completions", "bash"]).stdout).unwrap();
    let check =
        |script: &std::path::Path| Command::new("bash").arg("-n").arg(script).output().unwrap();
    let out = check(&script);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    // The check itself can fail.
    std::fs::write(&script, "if true").unwrap();
    assert!(!check(&script).status.success());
}
