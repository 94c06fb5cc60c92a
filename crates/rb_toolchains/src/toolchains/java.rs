//! Java and its kin: Maven and Gradle. Both write `JUnit` files by themselves, so no flag is needed for a report.
//!
//! A build of many modules is one package here: its root command runs them all.

use std::collections::BTreeSet;

use crate::args::Args;
use crate::aside::{LeftOut, is_aside};
use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::dependencies::{Dependencies, Install, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::{Part, base};
use crate::tree::{Tree, is_within, join};

use super::Toolchain;

const SUREFIRE: &str = "**/target/{surefire,failsafe}-reports/TEST-*.xml";
const GRADLE: &str = "**/build/test-results/**/TEST-*.xml";

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let mut packages = builds(tree, &["pom.xml"], maven);
    let gradle = builds(
        tree,
        &["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"],
        gradle,
    );
    for package in gradle {
        if packages.iter().any(|known| known.folder == package.folder) {
            tree.note(format!(
                "`{}` has a Maven and a Gradle build; Maven is used",
                join(&package.folder, "")
            ));
        } else {
            packages.push(package);
        }
    }
    packages
}

/// The outermost folders with such a file; those below are its modules.
fn builds(tree: &Tree<'_>, names: &[&str], make: fn(&Tree<'_>, &str) -> Package) -> Vec<Package> {
    let mut folders: Vec<&str> = names.iter().flat_map(|name| tree.folders_with(name)).collect();
    folders.sort_unstable();
    folders.dedup();
    let mut left_out = LeftOut::default();
    let mut roots: Vec<&str> = Vec::new();
    for folder in folders {
        if roots.iter().any(|root| is_within(folder, root)) {
            continue;
        }
        if is_aside(folder) {
            left_out.add(folder);
        } else {
            roots.push(folder);
        }
    }
    left_out.tell(tree, names[0]);
    roots.into_iter().map(|folder| make(tree, folder)).collect()
}

fn commands(tree: &Tree<'_>, folder: &str, file: &str, lines: &[&[&str]]) -> Vec<Command> {
    let has_tests = tree.below(folder).any(|path| path.contains("src/test/"));
    let known = lines.iter().filter_map(|words| recognise(&Part::of(words), &Hints::default()));
    let known = known.filter(|known| has_tests || known.purpose != Purpose::Test);
    known
        .map(|known| {
            known.into_command(
                folder,
                Vec::new(),
                CommandOrigin { file: file.to_owned(), what: "project".to_owned() },
            )
        })
        .collect()
}

fn maven(tree: &Tree<'_>, folder: &str) -> Package {
    let program = if tree.has(&join(folder, "mvnw")) { "./mvnw" } else { "mvn" };
    let pom = join(folder, "pom.xml");
    let lines: [&[&str]; 2] =
        [&[program, "-o", "-B", "test-compile"], &[program, "-o", "-B", "test"]];
    let install = format!("{program} -B dependency:go-offline");
    Package {
        folder: folder.to_owned(),
        name: tree.read(&pom).and_then(|text| element(&text, "artifactId")),
        toolchain: Toolchain::Java,
        path: Vec::new(),
        manager: Some("maven"),
        commands: commands(tree, folder, &pom, &lines),
        lockfiles: Vec::new(),
        dependencies: Dependencies {
            folders: Vec::new(),
            install: Some(Install::of(&install, folder, true)),
            reuse: Reuse::Home(
                "Maven keeps artifacts in `~/.m2/repository`; read-only use is safe with `-o`",
            ),
        },
    }
}

fn gradle(tree: &Tree<'_>, folder: &str) -> Package {
    let program = if tree.has(&join(folder, "gradlew")) { "./gradlew" } else { "gradle" };
    let names = ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"];
    let file =
        names.iter().map(|name| join(folder, name)).find(|path| tree.has(path)).unwrap_or_default();
    let name = tree.read(&file).and_then(|text| {
        let rest = text.split_once("rootProject.name")?.1.trim_start_matches([' ', '=']);
        rest.split(['"', '\'']).nth(1).map(str::to_owned)
    });
    let lines: [&[&str]; 2] = [
        &[program, "--offline", "--no-daemon", "testClasses"],
        &[program, "--offline", "--no-daemon", "test", "--continue"],
    ];
    let mut commands = commands(tree, folder, &file, &lines);
    let tested = |path: &str| path.split_once("src/test/").map(|(module, _)| module.to_owned());
    if tree.below(folder).filter_map(tested).collect::<BTreeSet<_>>().len() > 1 {
        // A module in which nothing matches `--tests` fails.
        for command in &mut commands {
            command.select = None;
        }
    }
    Package {
        folder: folder.to_owned(),
        name,
        toolchain: Toolchain::Java,
        path: Vec::new(),
        manager: Some("gradle"),
        commands,
        lockfiles: tree
            .names_in(folder)
            .filter(|name| *name == "gradle.lockfile")
            .map(|name| join(folder, name))
            .collect(),
        dependencies: Dependencies {
            folders: Vec::new(),
            install: Some(Install::of(&format!("{program} --no-daemon testClasses"), folder, true)),
            reuse: Reuse::Home(
                "Gradle keeps artifacts in `~/.gradle/caches`, which can be read through GRADLE_RO_DEP_CACHE",
            ),
        },
    }
}

/// The first element of this name that is not in `<parent>`.
fn element(xml: &str, name: &str) -> Option<String> {
    let after = xml.split_once("</parent>").map_or(xml, |(_, rest)| rest);
    let (_, rest) = after.split_once(&format!("<{name}>"))?;
    Some(rest.split_once('<')?.0.trim().to_owned())
}

pub(super) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let goals = |names: &[&str]| {
        let goal = |word: &str| names.contains(&word.rsplit(':').next().unwrap_or_default());
        part.words.iter().skip(1).any(|word| goal(&word.text))
    };
    let run = Args { part: part.clone(), at: 0 };
    let build = || Some(KnownCommand::plain(Toolchain::Java, Purpose::Build, part.clone()));
    let tests = !part.has("-DskipTests") && goals(&["test", "verify", "install", "package"]);
    match base(part.word(0)) {
        "mvn" | "mvnw" | "mvnd" if tests => Some(maven_test(run)),
        "mvn" | "mvnw" | "mvnd" if goals(&["compile", "test-compile", "package", "install"]) => {
            build()
        }
        "gradle" | "gradlew" if goals(&["test", "check", "build"]) => {
            Some(gradle_test(run, goals(&["test"])))
        }
        "gradle" | "gradlew" if goals(&["assemble", "classes", "testClasses"]) => build(),
        _ => None,
    }
}

fn maven_test(run: Args) -> KnownCommand {
    let mut asked = run.clone();
    // All modules are run, so that each test gets its result.
    asked.put_first(&["-fae"]);
    let mut selected = asked.clone();
    selected.put_last(&[
        "-DfailIfNoSpecifiedTests=false",
        "-Dsurefire.failIfNoSpecifiedTests=false",
        "{files}",
    ]);
    let unit = Unit::Classes { prefix: "-Dtest=".to_owned(), joined: true };
    KnownCommand::runner(Toolchain::Java, Runner::Maven, run.part).selecting(unit, selected).asking(
        ReportKind::JunitXml,
        asked,
        ReportLocation::Pattern(SUREFIRE.to_owned()),
    )
}

/// `--tests` belongs to the task before it; after `check` or `build` it would be refused.
fn gradle_test(run: Args, names_task: bool) -> KnownCommand {
    let known = KnownCommand::runner(Toolchain::Java, Runner::Gradle, run.part.clone());
    let known = if names_task {
        let mut selected = run.clone();
        selected.put_last(&["{files}"]);
        let unit = Unit::Classes { prefix: "--tests".to_owned(), joined: false };
        known.selecting(unit, selected)
    } else {
        known
    };
    known.asking(ReportKind::JunitXml, run, ReportLocation::Pattern(GRADLE.to_owned()))
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![
            ".m2/repository",
            ".m2/wrapper",
            ".gradle/caches",
            ".gradle/wrapper",
            ".sdkman/candidates",
            ".asdf",
            ".jdks",
        ],
        settings: vec![".m2/settings.xml"],
        env: vec![
            ("MAVEN_OPTS", "-Dmaven.repo.local={home}/.m2/repository"),
            ("GRADLE_USER_HOME", "{scratch}/gradle"),
            ("GRADLE_RO_DEP_CACHE", "{home}/.gradle/caches"),
        ],
        // The wrapper looks for its distribution in the home that is written.
        links: vec![("gradle/wrapper", ".gradle/wrapper")],
    }
}
