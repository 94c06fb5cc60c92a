//! How code is cut into folders, by the names of folders that lie side by side and the imports between them.

use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::layers;
use crate::architecture::scene::{ArchitectureInput, depth, folder_of, is_inside, name_of};

pub(super) fn mvc(scene: &ArchitectureInput) -> Vec<Clue> {
    let Some(found) = layers::mvc(scene) else { return Vec::new() };
    let [controllers, views, models] = &*found else { return Vec::new() };
    let code = flows(scene, controllers.as_deref(), models.as_deref())
        .or_else(|| flows(scene, controllers.as_deref(), views.as_deref()));
    let named = named(
        scene,
        &[
            "_controller.rb",
            "_controller.py",
            "Controller.php",
            "Controller.cs",
            "Controller.java",
            ".controller.ts",
            ".controller.js",
            "Controller.js",
            "Controller.ts",
            "_controller.ex",
        ],
    );
    with_first([side_by_side(&found), code, named])
}

pub(super) fn clean(scene: &ArchitectureInput) -> Vec<Clue> {
    let Some(found) = layers::clean(scene) else { return Vec::new() };
    let [_, outer, application, domain] = &*found else { return Vec::new() };
    let inward = flows(scene, outer.as_deref(), domain.as_deref())
        .or_else(|| flows(scene, application.as_deref(), domain.as_deref()))
        .or_else(|| flows(scene, outer.as_deref(), application.as_deref()));
    with_first([side_by_side(&found), inward])
}

pub(super) fn layered(scene: &ArchitectureInput) -> Vec<Clue> {
    let Some(found) = layers::layered(scene) else { return Vec::new() };
    let [upper, services, stores, models] = &*found else { return Vec::new() };
    let down = flows(scene, upper.as_deref(), services.as_deref())
        .or_else(|| flows(scene, services.as_deref(), stores.as_deref()))
        .or_else(|| flows(scene, services.as_deref(), models.as_deref()));
    with_first([side_by_side(&found), down])
}

fn side_by_side(found: &[Option<String>]) -> Option<Clue> {
    let paths: Vec<&str> = found.iter().flatten().map(String::as_str).collect();
    let first = *paths.first()?;
    Some(Clue::new(ClueKind::Folders, first, format!("{} lie side by side", paths.join(", "))))
}

/// Imports lead from one folder to the other, and seldom back.
fn flows(scene: &ArchitectureInput, from: Option<&str>, to: Option<&str>) -> Option<Clue> {
    let (from, to) = (from?, to?);
    let (there, back) = layers::between(scene, from, to);
    let text = format!("imports lead from {from} to {to}: {there} there, {back} back");
    (there > back * 2).then(|| Clue::new(ClueKind::Import, from, text))
}

fn named(scene: &ArchitectureInput, ends: &[&str]) -> Option<Clue> {
    let id = scene.product().find(|&id| ends.iter().any(|end| scene.path(id).ends_with(end)))?;
    Some(Clue::new(ClueKind::File, scene.path(id), scene.path(id)))
}

const COMMAND_LINE_LIBRARIES: &[&str] = &[
    "commander",
    "yargs",
    "@oclif/core",
    "cac",
    "clipanion",
    "clap",
    "click",
    "typer",
    "github.com/spf13/cobra",
    "github.com/urfave/cli",
    "github.com/urfave/cli/v2",
    "github.com/alecthomas/kong",
    "thor",
    "symfony/console",
    "info.picocli:picocli",
];

/// One file or folder per command.
pub(super) fn commands(scene: &ArchitectureInput) -> Vec<Clue> {
    let best = scene
        .folders
        .keys()
        .filter(|folder| {
            matches!(name_of(folder), "commands" | "command" | "cmd" | "cmds" | "subcommands")
        })
        .map(|folder| (entries(scene, folder), *folder))
        // Of equals the outermost, which comes first.
        .max_by_key(|(count, folder)| (*count, std::cmp::Reverse(folder.len())));
    let Some((count, folder)) = best.filter(|(count, _)| *count >= 4) else { return Vec::new() };
    let folders = Clue::new(ClueKind::Folders, folder, format!("{folder}/ holds {count} entries"));
    let library =
        scene.needs(COMMAND_LINE_LIBRARIES).or_else(|| scene.imports(COMMAND_LINE_LIBRARIES));
    if library.is_none() && is_go_programs(scene, folder) {
        return Vec::new();
    }
    with_first([Some(folders), library])
}

/// In Go `cmd/` holds programs, not commands.
fn is_go_programs(scene: &ArchitectureInput, folder: &str) -> bool {
    folder == "cmd" && scene.named(&["go.mod"]).is_some()
}

/// Code files and folders directly in a folder.
fn entries(scene: &ArchitectureInput, folder: &str) -> u32 {
    let Some(found) = scene.folders.get(folder) else { return 0 };
    found.direct + u32::try_from(found.children.len()).unwrap_or(u32::MAX)
}

pub(super) fn plugins(scene: &ArchitectureInput) -> Vec<Clue> {
    const STEMS: &[&str] = &[
        "plugin",
        "plugins",
        "pluginmanager",
        "pluginloader",
        "pluginregistry",
        "plugincontainer",
        "plugincontext",
        "extensionmanager",
        "extensionhost",
    ];
    const HEADS: &[&str] = &["manager", "registry", "loader", "host", "base", "baseplugin"];
    let best = scene
        .folders
        .keys()
        .filter(|folder| matches!(name_of(folder), "plugins" | "extensions" | "addons" | "plugin"))
        .map(|folder| (entries(scene, folder), *folder))
        .max_by_key(|(count, folder)| (*count, std::cmp::Reverse(folder.len())));
    let folder = best.filter(|(count, _)| *count >= 3);
    let folders = folder.map(|(count, folder)| {
        Clue::new(ClueKind::Folders, folder, format!("{folder}/ holds {count} entries"))
    });
    let stem = |path: &str| {
        let name = name_of(path);
        let stem = name.split('.').next().unwrap_or(name);
        stem.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    // What takes plugins in lies at or above their folder, or is its head.
    let is_host = |path: &str| {
        let (stem, home) = (stem(path), folder_of(path));
        let Some((_, folder)) = folder else { return STEMS.contains(&&*stem) };
        (STEMS.contains(&&*stem) && is_inside(folder, home))
            || (home == folder && HEADS.contains(&&*stem))
    };
    let host = scene
        .product()
        .filter(|&id| scene.is_code(id))
        .map(|id| scene.path(id))
        .filter(|path| is_host(path))
        .min_by_key(|path| depth(path));
    let host = host.map(|path| Clue::new(ClueKind::File, path, path));
    let entry_points =
        scene.packages.iter().find(|package| package.toml(&["project", "entry-points"]).is_some());
    let declared = entry_points.map(|package| {
        Clue::says(ClueKind::Manifest, package.path, "gives entry points to others")
    });
    agreeing([folders, host, declared])
}

pub(super) fn event_driven(scene: &ArchitectureInput) -> Vec<Clue> {
    const QUEUES: &[&str] = &[
        "celery",
        "rq",
        "dramatiq",
        "huey",
        "arq",
        "bullmq",
        "bull",
        "bee-queue",
        "kafkajs",
        "amqplib",
        "nats",
        "sidekiq",
        "resque",
        "good_job",
        "kafka-python",
        "aiokafka",
        "confluent-kafka",
        "pika",
        "rdkafka",
        "lapin",
        "async-nats",
        "github.com/segmentio/kafka-go",
        "github.com/IBM/sarama",
        "github.com/Shopify/sarama",
        "github.com/rabbitmq/amqp091-go",
        "github.com/nats-io/nats.go",
        "github.com/hibiken/asynq",
        "org.springframework.kafka:spring-kafka",
        "org.springframework.boot:spring-boot-starter-amqp",
        "oban",
        "broadway",
        "@temporalio/worker",
        "MassTransit",
        "inngest",
    ];
    const FOLDERS: &[&str] = &[
        "workers",
        "worker",
        "jobs",
        "consumers",
        "subscribers",
        "listeners",
        "queues",
        "queue",
        "tasks",
        "events",
    ];
    let folder = scene.folders.keys().find(|folder| FOLDERS.contains(&name_of(folder)));
    let folder = folder.map(|folder| Clue::new(ClueKind::Folders, *folder, format!("{folder}/")));
    let file = scene.file_near(&[
        "celery.py",
        "celeryconfig.py",
        "tasks.py",
        "worker.py",
        "worker.ts",
        "worker.js",
        "sidekiq.yml",
        "consumer.py",
    ]);
    // A library that can speak to a queue is not driven by one.
    let needs = scene.needs_where(QUEUES, |package| !super::is_library(scene, package));
    with_first([needs, scene.imports(QUEUES), folder, file])
}

/// Text becomes tokens, tokens a tree, and the tree is run or written out.
pub(super) fn pipeline(scene: &ArchitectureInput) -> Vec<Clue> {
    const STAGES: &[&[&str]] = &[
        &["lexer", "lex", "tokenizer", "scanner", "tokenize", "tokens", "token"],
        &["parser", "parse", "grammar"],
        &[
            "codegen",
            "code_generator",
            "emitter",
            "compile",
            "compiler",
            "interpreter",
            "interp",
            "vm",
            "eval",
            "evaluator",
            "bytecode",
            "checker",
            "typecheck",
            "typechecker",
            "resolver",
            "binder",
            "optimizer",
            "execute",
            "ir",
        ],
    ];
    let mut stages: std::collections::BTreeMap<&str, [Option<&str>; 3]> =
        std::collections::BTreeMap::new();
    for id in scene.product() {
        let path = scene.path(id);
        let mut note = |folder, stem: &str, path| {
            for (stage, names) in
                STAGES.iter().enumerate().filter(|(_, names)| names.contains(&stem))
            {
                debug_assert!(!names.is_empty());
                stages.entry(folder).or_default()[stage].get_or_insert(path);
            }
        };
        let name = name_of(path);
        let folder = folder_of(path);
        note(folder, name.split('.').next().unwrap_or(name), path);
        if !folder.is_empty() {
            note(folder_of(folder), name_of(folder), folder);
        }
    }
    let found = stages.into_values().find_map(|stages| match stages {
        [Some(lexer), Some(parser), Some(rest)] => Some([lexer, parser, rest]),
        _ => None,
    });
    let Some([lexer, parser, rest]) = found else { return Vec::new() };
    let text = format!("{lexer}, {parser}, {rest} lie side by side");
    let uses =
        flows(scene, Some(parser), Some(lexer)).or_else(|| flows(scene, Some(rest), Some(parser)));
    with_first([Some(Clue::new(ClueKind::File, lexer, text)), uses])
}
