//! PHP: `PHPUnit` and Pest; Composer.

use crate::args::{Args, Takes};
use crate::aside::{LeftOut, is_aside};
use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner};
use crate::dependencies::{Dependencies, Install, Installed, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::{Part, base};
use crate::tree::{Tree, join};

use super::Toolchain;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let mut left_out = LeftOut::default();
    let mut packages = Vec::new();
    for folder in tree.folders_with("composer.json") {
        if is_aside(folder) {
            left_out.add(folder);
        } else {
            packages.extend(package(tree, folder));
        }
    }
    left_out.tell(tree, "composer.json");
    packages
}

fn package(tree: &Tree<'_>, folder: &str) -> Option<Package> {
    let manifest = tree.json(&join(folder, "composer.json"))?;
    let lock = join(folder, "composer.lock");
    let vendor = join(folder, "vendor");
    let asks = |name: &str| {
        ["require", "require-dev"]
            .iter()
            .any(|key| manifest.get(key).is_some_and(|list| list.get(name).is_some()))
    };
    Some(Package {
        folder: folder.to_owned(),
        name: manifest.get("name").and_then(|name| name.as_str()).map(str::to_owned),
        toolchain: Toolchain::Php,
        path: vec![join(folder, "vendor/bin")],
        manager: Some("composer"),
        commands: commands(tree, folder, &asks),
        lockfiles: tree.has(&lock).then_some(lock).into_iter().collect(),
        dependencies: Dependencies {
            folders: vec![Installed {
                there: tree.there(&format!("{vendor}/autoload.php")),
                folder: vendor,
            }],
            install: Some(Install::of(
                "composer install --no-interaction --no-scripts --no-plugins --prefer-dist",
                folder,
                false,
            )),
            reuse: Reuse::CopyOnly(
                "the autoloader builds its paths from its own place, behind all links, and equal lockfiles mean equal packages",
            ),
        },
    })
}

fn commands(tree: &Tree<'_>, folder: &str, asks: &dyn Fn(&str) -> bool) -> Vec<Command> {
    let rows: [(&[&str], &str, &[&str]); 6] = [
        (&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"], "pestphp/pest", &["pest"]),
        (&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"], "phpunit/phpunit", &["phpunit"]),
        (
            &["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"],
            "phpstan/phpstan",
            &["phpstan", "analyse", "--no-progress"],
        ),
        (&["psalm.xml", "psalm.xml.dist"], "vimeo/psalm", &["psalm", "--no-progress"]),
        (
            &[".php-cs-fixer.php", ".php-cs-fixer.dist.php"],
            "friendsofphp/php-cs-fixer",
            &["php-cs-fixer", "check"],
        ),
        (&["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml"], "squizlabs/php_codesniffer", &["phpcs"]),
    ];
    let mut commands: Vec<Command> = Vec::new();
    for (files, package, words) in rows {
        let Some(file) = files.iter().map(|name| join(folder, name)).find(|path| tree.has(path))
        else {
            continue;
        };
        let known = recognise(&Part::of(words), &Hints::default()).filter(|_| asks(package));
        let Some(known) =
            known.filter(|known| !commands.iter().any(|command| command.purpose == known.purpose))
        else {
            continue;
        };
        let found = CommandOrigin { file, what: format!("settings of {package}") };
        commands.push(known.into_command(folder, vec![join(folder, "vendor/bin")], found));
    }
    commands
}

pub(super) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let at = usize::from(part.program() == "php" && part.words.len() > 1);
    let run = Args { part: part.clone(), at };
    let plain = |purpose| Some(KnownCommand::plain(Toolchain::Php, purpose, part.clone()));
    match (base(part.word(at)), part.word(at + 1)) {
        ("phpunit" | "pest" | "paratest", _) => {
            let mut asked = run.clone();
            asked.remove("--log-junit", Takes::Value);
            asked.put_last(&["--log-junit", "{report}"]);
            Some(KnownCommand::runner(Toolchain::Php, Runner::Phpunit, run.part).asking(
                ReportKind::JunitXml,
                asked,
                ReportLocation::File,
            ))
        }
        ("phpstan", "analyse" | "analyze") | ("psalm", _) => plain(Purpose::Typecheck),
        ("phpcs", _) => plain(Purpose::Lint),
        ("php-cs-fixer", "check") | ("pint", "--test") => plain(Purpose::Format),
        ("php-cs-fixer", "fix") if part.has("--dry-run") => plain(Purpose::Format),
        _ => None,
    }
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![".composer/vendor", ".config/composer/vendor"],
        settings: vec![],
        env: vec![
            ("COMPOSER_HOME", "{scratch}/composer"),
            ("COMPOSER_CACHE_DIR", "{scratch}/composer/cache"),
            ("COMPOSER_DISABLE_NETWORK", "1"),
        ],
        links: vec![],
    }
}
