//! What a program that lies in a hidden home needs to start: itself, what it is a link to, its interpreter, its packages.

use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_core::process::Env;

/// Interpreters that start other interpreters end here.
const DEEPEST: usize = 4;

/// Paths to be made readable. None of them holds the home itself.
pub(crate) fn needs(program: &Path, env: &Env) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut program = Some(program.to_owned());
    for _ in 0..DEEPEST {
        let Some(path) = program.take() else { break };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        found.extend(packages(&real));
        found.extend(virtual_environment(&path));
        found.extend(virtual_environment(&real));
        program = interpreter(&real, env);
        found.extend([path, real]);
    }
    let home = env.get("HOME").and_then(|home| Path::new(home).canonicalize().ok());
    let holds_home = |path: &PathBuf| {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        home.as_ref().is_some_and(|home| home.starts_with(&real))
    };
    found.retain(|path| path.exists() && !holds_home(path));
    found.sort();
    found.dedup();
    found
}

/// The outermost `node_modules` around it.
fn packages(real: &Path) -> Option<PathBuf> {
    let above = real.ancestors().filter(|folder| folder.ends_with("node_modules"));
    above.last().map(Path::to_owned)
}

/// The environment of Python around a program in its `bin`, with the Python that it was made from.
fn virtual_environment(program: &Path) -> Vec<PathBuf> {
    let Some(root) = program.parent().and_then(Path::parent) else { return Vec::new() };
    let Ok(settings) = fs::read_head(&root.join("pyvenv.cfg"), 64 << 10) else {
        return Vec::new();
    };
    let settings = String::from_utf8_lossy(&settings).into_owned();
    let home = settings.lines().filter_map(|line| line.split_once('='));
    let home = home.filter(|(key, _)| key.trim() == "home").map(|(_, value)| value.trim());
    let python = home.filter_map(|bin| Path::new(bin).parent()).map(Path::to_owned);
    std::iter::once(root.to_owned()).chain(python).collect()
}

/// What the first line of a script names.
fn interpreter(program: &Path, env: &Env) -> Option<PathBuf> {
    let head = fs::read_head(program, 512).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if !first.ends_with("/env") {
        return Some(PathBuf::from(first));
    }
    env.find(words.find(|word| !word.starts_with('-') && !word.contains('='))?)
}

#[cfg(test)]
mod tests {
    use rb_core::fs::Durability;

    use super::*;

    #[test]
    fn ag1_a_program_in_the_home_brings_what_it_starts_with_and_not_the_home() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let write = |path: &str, text: &str| {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write_with_mode(&path, text.as_bytes(), 0o755, Durability::Relaxed).unwrap();
        };
        write("bin/node", "");
        write("lib/node_modules/codex/bin/codex.js", "#!/usr/bin/env -S node\n");
        fs::symlink(Path::new("../lib/node_modules/codex/bin/codex.js"), &home.join("bin/codex"))
            .unwrap();
        write("venv/pyvenv.cfg", &format!("home = {}/bin\n", home.display()));
        write("venv/bin/aider", &format!("#!{}/venv/bin/python\n", home.display()));
        let env = Env::default().with("PATH", home.join("bin")).with("HOME", &home);
        let check = |program: &str, wanted: &[&str]| {
            let found = needs(&home.join(program), &env);
            let wanted: Vec<PathBuf> = wanted.iter().map(|path| home.join(path)).collect();
            assert_eq!(found, wanted);
        };
        check(
            "bin/codex",
            &["bin/codex", "bin/node", "lib/node_modules", "lib/node_modules/codex/bin/codex.js"],
        );
        // The folder above the Python that it was made from is the home.
        check("venv/bin/aider", &["venv", "venv/bin/aider"]);
    }
}
