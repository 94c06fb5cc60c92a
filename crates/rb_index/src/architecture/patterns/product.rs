//! What is made here to be started by itself: a program, a service, functions.

use rb_lang::Language;

use super::library::{exists, is_library};
use super::with_first;
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::entry_points::is_for_developers;
use crate::architecture::scene::{ArchitectureInput, folder_of, name_of};
use crate::manifests::{Ecosystem, Package};
use crate::tree::FileId;

pub(super) fn command_line(scene: &ArchitectureInput) -> Vec<Clue> {
    let declared = scene.packages.iter().find_map(|package| programs(scene, package));
    let library = scene.needs(COMMAND_LINE).or_else(|| scene.imports(COMMAND_LINE));
    let man_page = scene.product().map(|id| scene.path(id)).find(|path| is_man_page(path));
    let man_page = man_page.map(|path| Clue::says(ClueKind::File, path, "is a manual page"));
    match (declared, library) {
        (Some(declared), library) => with_first([Some(declared), library, man_page]),
        // A service has tasks that are started by hand, and is still a service.
        (None, Some(library)) if web_framework(scene).is_none() => {
            with_first([main_file(scene).map(|_| library), main_file(scene), man_page])
        }
        (None, Some(_)) => Vec::new(),
        (None, None) if web_framework(scene).is_some() => Vec::new(),
        (None, None) => with_first([
            c_main(scene).or_else(|| in_bin(scene)),
            man_page.or_else(|| prebuilt_man_page(scene)),
        ]),
    }
}

const COMMAND_LINE: &[&str] = &[
    "commander",
    "yargs",
    "@oclif/core",
    "cac",
    "clipanion",
    "ink",
    "clap",
    "structopt",
    "argh",
    "lexopt",
    "pico-args",
    "bpaf",
    "click",
    "typer",
    "docopt",
    "fire",
    "github.com/spf13/cobra",
    "github.com/urfave/cli",
    "github.com/urfave/cli/v2",
    "github.com/urfave/cli/v3",
    "github.com/alecthomas/kong",
    "thor",
    "info.picocli:picocli",
    "System.CommandLine",
    "Spectre.Console.Cli",
];

/// Programs that a manifest installs.
fn programs(scene: &ArchitectureInput, package: &Package) -> Option<Clue> {
    let says = |what: &str| Some(Clue::says(ClueKind::Manifest, package.path, what));
    let names = |table: Option<&toml::Value>| {
        let table = table?.as_table().filter(|table| !table.is_empty())?;
        says(&format!("installs {}", table.keys().take(3).cloned().collect::<Vec<_>>().join(", ")))
    };
    match package.ecosystem {
        Ecosystem::Node => {
            let bin = package.json(&["bin"]).filter(|bin| !bin.is_null())?;
            let names: Vec<&str> = bin
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str())
                .take(3)
                .collect();
            let own = package.about.name.as_deref().unwrap_or("a program");
            says(&format!(
                "installs {}",
                if names.is_empty() { own.to_owned() } else { names.join(", ") }
            ))
        }
        Ecosystem::Python => names(package.toml(&["project", "scripts"]))
            .or_else(|| names(package.toml(&["tool", "poetry", "scripts"])))
            .or_else(|| {
                package
                    .text()
                    .contains("console_scripts")
                    .then(|| says("installs console scripts"))?
            }),
        Ecosystem::Cargo => {
            let is_tool = package
                .toml(&["package", "categories"])
                .and_then(toml::Value::as_array)
                .is_some_and(|categories| {
                    categories
                        .iter()
                        .any(|category| category.as_str() == Some("command-line-utilities"))
                });
            if is_tool {
                return says("is in the category command-line-utilities");
            }
            let has_parser = COMMAND_LINE.iter().any(|name| package.depends_on(name));
            let bin = package.toml(&["bin"]).is_some() || exists(scene, package, "src/main.rs");
            if bin && has_parser { says("builds a program") } else { None }
        }
        Ecosystem::Ruby if package.text().contains(".executables") => says("installs executables"),
        Ecosystem::Php => package.json(&["bin"]).and_then(|_| says("installs a program")),
        Ecosystem::Swift if package.text().contains(".executable") => says("builds a program"),
        Ecosystem::Swift
        | Ecosystem::Ruby
        | Ecosystem::Go
        | Ecosystem::Jvm
        | Ecosystem::DotNet
        | Ecosystem::Elixir
        | Ecosystem::Dart => None,
    }
}

fn main_file(scene: &ArchitectureInput) -> Option<Clue> {
    let is_meant = |id: &FileId| {
        scene.tree.get(*id).marks.main && scene.is_code(*id) && !is_for_developers(scene.path(*id))
    };
    let id = scene.product().find(is_meant)?;
    Some(Clue::says(ClueKind::File, scene.path(id), "can be started"))
}

/// A script in a folder for programs.
fn in_bin(scene: &ArchitectureInput) -> Option<Clue> {
    let is_meant = |id: &FileId| {
        let path = scene.path(*id);
        scene.tree.get(*id).marks.main
            && name_of(folder_of(path)) == "bin"
            && !is_for_developers(path)
    };
    Some(Clue::says(
        ClueKind::Import,
        scene.path(scene.product().find(is_meant)?),
        "can be started",
    ))
}

/// C has no manifest: a `main` at the top or in `src/` is all there is to go by.
fn c_main(scene: &ArchitectureInput) -> Option<Clue> {
    let is_c = |id| matches!(scene.tree.get(id).language, Some(Language::C | Language::Cpp));
    let id =
        scene.product().filter(|&id| is_c(id) && scene.tree.get(id).marks.main).find(|&id| {
            let path = scene.path(id);
            !path.contains('/')
                || path == "src/main.c"
                || path == "src/main.cpp"
                || path == "src/main.cc"
        })?;
    Some(Clue::says(ClueKind::Import, scene.path(id), "holds main"))
}

fn is_man_page(path: &str) -> bool {
    let name = name_of(path).trim_end_matches(".in");
    let Some((stem, "1" | "8")) = name.rsplit_once('.') else { return false };
    // `libfoo.so.1` and `1.0.1` end so, too.
    !stem.contains('.') && !stem.ends_with(|c: char| c.is_ascii_digit())
}

/// Manual pages of older projects lie among the documentation, or are built beforehand.
fn prebuilt_man_page(scene: &ArchitectureInput) -> Option<Clue> {
    let is_page = |path: &str| is_man_page(path) || path.ends_with(".1.prebuilt");
    let path = scene.tree.ids().map(|id| scene.path(id)).find(|path| is_page(path))?;
    Some(Clue::says(ClueKind::File, path, "is a manual page"))
}

const WEB: &[(Ecosystem, &[&str])] = &[
    (
        Ecosystem::Node,
        &[
            "express",
            "fastify",
            "koa",
            "@hapi/hapi",
            "hono",
            "@nestjs/core",
            "restify",
            "elysia",
            "@feathersjs/feathers",
            "apollo-server",
            "@apollo/server",
            "@adonisjs/core",
        ],
    ),
    (
        Ecosystem::Python,
        &[
            "flask", "fastapi", "django", "aiohttp", "tornado", "sanic", "falcon", "bottle",
            "litestar", "quart",
        ],
    ),
    (
        Ecosystem::Go,
        &[
            "github.com/gin-gonic/gin",
            "github.com/labstack/echo/v4",
            "github.com/go-chi/chi",
            "github.com/go-chi/chi/v5",
            "github.com/gofiber/fiber/v2",
            "github.com/gorilla/mux",
        ],
    ),
    (Ecosystem::Cargo, &["axum", "actix-web", "rocket", "warp", "poem", "salvo", "tonic"]),
    (Ecosystem::Ruby, &["rails", "sinatra", "grape", "hanami", "roda"]),
    (Ecosystem::Php, &["laravel/framework", "slim/slim", "symfony/framework-bundle"]),
    (Ecosystem::Elixir, &["phoenix"]),
    (Ecosystem::DotNet, &["Microsoft.NET.Sdk.Web"]),
    (Ecosystem::Swift, &["vapor"]),
    (
        Ecosystem::Jvm,
        &[
            "org.springframework.boot:spring-boot-starter-web",
            "org.springframework.boot:spring-boot-starter-webmvc",
            "org.springframework.boot:spring-boot-starter-webflux",
            "io.ktor:ktor-server-core",
            "io.quarkus:quarkus-rest",
            "io.micronaut:micronaut-http-server-netty",
            "io.javalin:javalin",
        ],
    ),
];

pub(super) fn web_service(scene: &ArchitectureInput) -> Vec<Clue> {
    let Some((needs, names)) = web_framework(scene) else { return Vec::new() };
    let routes = ["routes", "controllers", "handlers", "api", "endpoints", "graphql", "views"];
    let folder = scene
        .folders
        .iter()
        .find(|(path, folder)| routes.contains(&name_of(path)) && folder.code > 0);
    let folder = folder.map(|(path, _)| Clue::new(ClueKind::Folders, *path, format!("{path}/")));
    let files = [
        "server.*",
        "app.ts",
        "app.js",
        "app.py",
        "wsgi.py",
        "asgi.py",
        "routes.*",
        "router.*",
        "urls.py",
        "config.ru",
        "Program.cs",
    ];
    let ends = [
        "Controller.java",
        "Controller.kt",
        "Controller.cs",
        "Controller.php",
        "_controller.rb",
        "_controller.ex",
        ".controller.ts",
        "Resource.java",
    ];
    let handler = scene
        .product()
        .map(|id| scene.path(id))
        .find(|path| ends.iter().any(|end| path.ends_with(end)));
    let handler = || handler.map(|path| Clue::new(ClueKind::File, path, path));
    with_first([
        Some(needs),
        scene.imports(names),
        folder,
        scene.file_near(&files).or_else(handler),
    ])
}

/// A package that is started and needs a web framework.
fn web_framework(scene: &ArchitectureInput) -> Option<(Clue, &'static [&'static str])> {
    WEB.iter().find_map(|(ecosystem, names)| {
        let is_meant = |package: &Package| {
            package.ecosystem == *ecosystem
                && !is_library(scene, package)
                && can_start(scene, package)
        };
        Some((scene.needs_where(names, is_meant)?, *names))
    })
}

/// A crate that only holds a library serves nobody by itself.
fn can_start(scene: &ArchitectureInput, package: &Package) -> bool {
    if package.ecosystem != Ecosystem::Cargo {
        return true;
    }
    package.toml(&["bin"]).is_some()
        || exists(scene, package, "src/main.rs")
        || exists(scene, package, "src/bin")
}

pub(super) fn serverless(scene: &ArchitectureInput) -> Vec<Clue> {
    const KITS: &[&str] = &[
        "serverless",
        "aws-lambda",
        "firebase-functions",
        "@google-cloud/functions-framework",
        "@azure/functions",
        "@netlify/functions",
        "github.com/aws/aws-lambda-go",
        "lambda_runtime",
        "mangum",
        "aws-lambda-powertools",
        "chalice",
        "zappa",
        "wrangler",
        "sst",
    ];
    let config = scene.file(&[
        "serverless.yml",
        "serverless.yaml",
        "serverless.ts",
        "wrangler.toml",
        "wrangler.jsonc",
        "sst.config.ts",
        "host.json",
        "samconfig.toml",
    ]);
    let template = scene
        .named(&["template.yaml", "template.yml"])
        .filter(|&id| scene.text(id).contains("AWS::Serverless"));
    let template = template.map(|id| {
        Clue::says(ClueKind::File, scene.path(id), "describes AWS::Serverless resources")
    });
    let hosted = hosted_functions(scene);
    let folders = ["functions", "lambdas", "lambda"];
    let folder = scene
        .folders
        .iter()
        .find(|(path, folder)| folders.contains(&name_of(path)) && folder.code > 0);
    let folder = folder.map(|(path, _)| Clue::new(ClueKind::Folders, *path, format!("{path}/")));
    with_first([config.or(template).or(hosted), scene.mentions(KITS), folder])
}

/// Configuration of a host that also serves plain pages: it takes functions to make it serverless.
fn hosted_functions(scene: &ArchitectureInput) -> Option<Clue> {
    let hosts = [
        ("netlify.toml", "functions"),
        ("firebase.json", "\"functions\""),
        ("vercel.json", "\"functions\""),
    ];
    hosts.iter().find_map(|(name, word)| {
        let id = scene.named(&[name]).filter(|&id| scene.text(id).contains(word))?;
        Some(Clue::says(ClueKind::File, scene.path(id), "names functions"))
    })
}
