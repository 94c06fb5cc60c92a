use expect_test::expect;

use crate::support::{check, check_edits};

const NODE: &str = r#"
//- package.json
{ "name": "@scope/tool", "bin": { "tool": "cli.js" } }
//- cli.js
const { program } = require('commander');
program
  .argument('<file>', 'what')
  .option('-p, --port <number>', 'port', '80')
  .option('--verbose', 'talk')
  .requiredOption('-o, --out <dir>', 'where');
program.command('serve [root]').option('--host [name]', 'host');
//- yargs.js
yargs(hideBin(process.argv)).option('watch', { alias: 'w', type: 'boolean', default: false }).option('level', { demandOption: true, type: 'number' });
//- args.mjs
import { parseArgs } from 'node:util';
parseArgs({ options: { color: { type: 'string', short: 'c', default: 'auto' }, quiet: { type: 'boolean' } } });
"#;

#[test]
fn ve7_flags_of_node_programs_are_read_and_compared() {
    check(
        NODE,
        &expect![[r#"
        tool of `` [package.json:1]
        --color, -c VALUE = "auto" of `@scope/tool` [args.mjs:2]
        --level VALUE required of `@scope/tool` [yargs.js:1]
        --out, -o VALUE required of `@scope/tool` [cli.js:6]
        --port, -p VALUE = "80" of `@scope/tool` [cli.js:4]
        --quiet of `@scope/tool` [args.mjs:2]
        --verbose of `@scope/tool` [cli.js:5]
        --watch, -w = false of `@scope/tool` [yargs.js:1]
        file VALUE required of `@scope/tool` [cli.js:2]
        serve of `@scope/tool` [cli.js:7]
        --host VALUE of `@scope/tool serve` [cli.js:7]
    "#]],
    );
    check_edits(
        NODE,
        &[
            ("'-p, --port <number>'", "'--port <number>'"),
            ("'80'", "'8080'"),
            (".option('--verbose', 'talk')", ""),
            (".option('--verbose', 'talk')", ".option('--verbose <level>', 'talk')"),
            (".requiredOption(", ".option("),
            ("'talk'", "'talk a lot'"),
            ("\"tool\": \"cli.js\"", "\"tool2\": \"cli.js\""),
            (
                "type: 'boolean', default: false",
                "type: 'boolean', demandOption: true, default: false",
            ),
        ],
        &expect![[r##"
            # '--port <number>'
            ! narrowed: `--port` of `@scope/tool` can no longer be written `-p` (cli.js:4)
            # '8080'
            ! changed: `--port` of `@scope/tool` has the default `"8080"` instead of `"80"` (cli.js:4)
            # - .option('--verbose', 'talk')
            ! removed: `--verbose` of `@scope/tool` was removed (cli.js:5)
            # .option('--verbose <level>', 'talk')
            ! changed: `--verbose` of `@scope/tool` now takes a value (cli.js:5)
            # .option(
            ~ widened: `--out` of `@scope/tool` is no longer required (cli.js:6)
            # 'talk a lot'
            no change
            # "tool2": "cli.js"
            ! removed: `tool` was removed (package.json:1)
            ~ added: `tool2` was added (package.json:1)
            # type: 'boolean', demandOption: true, default: false
            ! narrowed: `--watch` of `@scope/tool` is now required (yargs.js:1)
        "##]],
    );
}

const PYTHON: &str = r#"
//- pyproject.toml
[project]
name = "tool"
[project.scripts]
tool = "app:main"
//- app/__init__.py
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-v", "--verbose", action="store_true", help="talk")
parser.add_argument("--level", type=int, default=3)
parser.add_argument("--name", required=True)
parser.add_argument("file")
parser.add_argument("rest", nargs="*")
//- app/cli.py
import click
@click.command()
@click.option("--count", "-c", default=1, help="how often")
@click.option("--force/--no-force", is_flag=True)
@click.argument("path")
def copy(count, force, path): ...
//- app/typed.py
import typer
def run(name: str = typer.Argument(...), dry_run: bool = typer.Option(False, "--dry-run", "-n"), size: int = typer.Option(3)): ...
"#;

#[test]
fn ve7_flags_of_python_programs_are_read_and_compared() {
    check(
        PYTHON,
        &expect![[r#"
        app app variable parser [app/__init__.py:2]
        app app.cli function copy(count, force, path) [app/cli.py:6]
        app app.typed function run(name?: str, dry_run?: bool, size?: int) [app/typed.py:2]
        tool of `` [pyproject.toml:1]
        --level VALUE = 3 of `tool` [app/__init__.py:4]
        --name VALUE required of `tool` [app/__init__.py:5]
        --verbose, -v of `tool` [app/__init__.py:3]
        file VALUE required of `tool` [app/__init__.py:6]
        rest VALUE of `tool` [app/__init__.py:7]
        --count, -c VALUE = 1 of `tool copy` [app/cli.py:3]
        --force of `tool copy` [app/cli.py:4]
        path VALUE required of `tool copy` [app/cli.py:5]
        --dry-run, -n = False of `tool run` [app/typed.py:2]
        --size VALUE = 3 of `tool run` [app/typed.py:2]
        name VALUE required of `tool run` [app/typed.py:2]
    "#]],
    );
    check_edits(
        PYTHON,
        &[
            ("\"-v\", \"--verbose\"", "\"--verbose\""),
            ("\"--level\", type=int, default=3", "\"--level\", type=int, default=4"),
            ("parser.add_argument(\"file\")\n", ""),
            ("\"--count\", \"-c\"", "\"--number\", \"-c\""),
            ("help=\"talk\"", "help=\"talk more\""),
            ("nargs=\"*\"", "nargs=\"+\""),
        ],
        &expect![[r##"
            # "--verbose"
            ! narrowed: `--verbose` of `tool` can no longer be written `-v` (app/__init__.py:3)
            # "--level", type=int, default=4
            ! changed: `--level` of `tool` has the default `4` instead of `3` (app/__init__.py:4)
            # - parser.add_argument("file")
            ! removed: `file` of `tool` was removed (app/__init__.py:6)
            # "--number", "-c"
            ! removed: `--count` of `tool copy` was removed (app/cli.py:3)
            ~ added: `--number` of `tool copy` was added (app/cli.py:3)
            # help="talk more"
            no change
            # nargs="+"
            ! narrowed: `rest` of `tool` is now required (app/__init__.py:7)
        "##]],
    );
}

#[test]
fn ve7_flags_of_rust_and_go_programs_are_read() {
    check(
        r#"
//- Cargo.toml
[package]
name = "tool"
[[bin]]
name = "tl"
path = "src/main.rs"
//- src/main.rs
use clap::{Parser, Subcommand, Arg};
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    /// How loud.
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    #[arg(long = "dry-run")]
    dry: bool,
    #[arg(short = 'o', long, default_value = "out, or so")]
    output_dir: String,
    #[arg(long)]
    needed: String,
    file: Option<String>,
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    more: More,
}
#[derive(Subcommand)]
enum Command {
    /// Adds.
    AddThing { #[arg(long)] name: Option<String>, what: String },
    #[command(name = "rm")]
    Remove(RemoveArgs),
}
fn built() { Command::new("x").arg(Arg::new("port").long("port").short('p').required(true)).arg(Arg::new("quiet").short('q').action(ArgAction::SetTrue)); }
//- go.mod
module example.com/gotool
//- cmd/list.go
package cmd
func newList() {
	cmd := &cobra.Command{
		Use:   "list [filter]",
	}
	cmd.Flags().StringVarP(&opts.Query, "query", "q", "all", "what")
	cmd.Flags().BoolVar(&opts.Web, "web", false, "open")
	cmd.Flags().IntP("limit", "L", 30, "how many")
	_ = cmd.MarkFlagRequired("limit")
}
func plain() {
	flag.String("addr", ":80", "where")
	os.String("not", "a", "flag")
}
"#,
        &expect![[r#"
            tl of `` [Cargo.toml:1]
            --addr VALUE = ":80" of `tool` [cmd/list.go:12]
            --dry-run of `tool` [src/main.rs:9]
            --needed VALUE required of `tool` [src/main.rs:13]
            --output-dir, -o VALUE = out, or so of `tool` [src/main.rs:11]
            --port, -p VALUE required of `tool` [src/main.rs:27]
            --verbose, -v of `tool` [src/main.rs:7]
            -q of `tool` [src/main.rs:27]
            add-thing of `tool` [src/main.rs:23]
            file VALUE of `tool` [src/main.rs:14]
            list of `tool` [cmd/list.go:3]
            rm of `tool` [src/main.rs:25]
            --name VALUE of `tool add-thing` [src/main.rs:23]
            what VALUE required of `tool add-thing` [src/main.rs:23]
            --limit, -L VALUE = 30 required of `tool list` [cmd/list.go:8]
            --query, -q VALUE = "all" of `tool list` [cmd/list.go:6]
            --web of `tool list` [cmd/list.go:7]
        "#]],
    );
}
