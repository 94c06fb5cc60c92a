//! `refactor-bot mcp install`: what to tell a client so that it starts the server. It prints and never writes: the files belong to
//! the client, and have settings of their own.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use rb_models::McpServer;
use serde_json::{Value, json};

use super::own_server;
use crate::app::App;
use crate::config::shell_word;
use crate::error::{CliError, Outcome};
use crate::repo_index;

/// Print the configuration for MCP clients; nothing is written
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Repository, or folder in a repository
    #[arg(value_name = "REPO")]
    repo: Option<PathBuf>,

    /// Only this client
    #[arg(long, value_name = "CLIENT", value_enum)]
    client: Option<Client>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Client {
    ClaudeCode,
    Codex,
    Cursor,
    Vscode,
    Gemini,
    Zed,
    Windsurf,
    Goose,
    /// Any other client with a JSON configuration
    Json,
}

impl Client {
    fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::Codex => "Codex",
            Client::Cursor => "Cursor",
            Client::Vscode => "VS Code",
            Client::Gemini => "Gemini CLI",
            Client::Zed => "Zed",
            Client::Windsurf => "Windsurf",
            Client::Goose => "goose",
            Client::Json => "Other clients",
        }
    }

    /// What to do with the text.
    fn action(self) -> &'static str {
        match self {
            Client::ClaudeCode => "run this command in the repository",
            Client::Codex => "add this to ~/.codex/config.toml",
            Client::Cursor => {
                "add this to .cursor/mcp.json in the repository, or to ~/.cursor/mcp.json"
            }
            Client::Vscode => "add this to .vscode/mcp.json in the repository",
            Client::Gemini => {
                "add this to .gemini/settings.json in the repository, or to ~/.gemini/settings.json"
            }
            Client::Zed => "add this to settings.json (`zed: open settings file`)",
            Client::Windsurf => "add this to ~/.codeium/windsurf/mcp_config.json",
            Client::Goose => "add this to ~/.config/goose/config.yaml",
            Client::Json => "add this to the client's MCP configuration",
        }
    }

    fn text(self, server: &McpServer) -> String {
        let McpServer { name, command, args } = server;
        let entry = json!({ "command": command, "args": args });
        match self {
            Client::ClaudeCode => claude_code(server),
            Client::Codex => codex(name, &entry),
            Client::Cursor | Client::Gemini | Client::Windsurf | Client::Json => {
                pretty(&json!({ "mcpServers": { name: entry } }))
            }
            Client::Vscode => {
                let entry = json!({ "type": "stdio", "command": command, "args": args });
                pretty(&json!({ "servers": { name: entry } }))
            }
            Client::Zed => pretty(&json!({ "context_servers": { name: entry } })),
            Client::Goose => goose(name, &entry),
        }
    }
}

fn claude_code(server: &McpServer) -> String {
    let mut line = format!("claude mcp add {} -- {}", server.name, shell_word(&server.command));
    for arg in &server.args {
        let _ = write!(line, " {}", shell_word(Path::new(arg)));
    }
    line.push('\n');
    line
}

/// A string of JSON is one of TOML, too.
fn codex(name: &str, entry: &Value) -> String {
    let (command, args) = (&entry["command"], &entry["args"]);
    format!("[mcp_servers.{name}]\ncommand = {command}\nargs = {args}\n")
}

/// A string of JSON is one of YAML, too.
fn goose(name: &str, entry: &Value) -> String {
    let (command, args) = (&entry["command"], &entry["args"]);
    format!(
        "extensions:\n  {name}:\n    name: {name}\n    type: stdio\n    enabled: true\n    \
         cmd: {command}\n    args: {args}\n    timeout: 300\n"
    )
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// `target` is the folder that was named before the verb.
pub(super) fn run(args: &Args, target: &Path, app: &App) -> Result<Outcome, CliError> {
    let root = repo_index::existing_folder(args.repo.as_deref().unwrap_or(target))?;
    let server = own_server(app, &root)?;
    if app.ui.json {
        let every = || Client::value_variants().to_vec();
        let clients = args.client.map_or_else(every, |client| vec![client]);
        let object = |client: Client| {
            let name = client.to_possible_value().map(|value| value.get_name().to_owned());
            json!({ "client": name, "action": client.action(), "text": client.text(&server) })
        };
        app.ui.print_json(&clients.into_iter().map(object).collect::<Value>())?;
    } else if let Some(client) = args.client {
        // Apart from the text, so that the text alone can be piped.
        app.ui.note(&format!("{}: {}", client.title(), client.action()));
        app.ui.print_raw(&client.text(&server))?;
    } else {
        app.ui.print_raw(&all(&server))?;
    }
    Ok(Outcome::Done)
}

fn all(server: &McpServer) -> String {
    let mut out = String::new();
    for client in Client::value_variants() {
        let gap = if out.is_empty() { "" } else { "\n" };
        let (title, action) = (client.title(), client.action());
        let _ = write!(out, "{gap}# {title}: {action}\n\n{}", client.text(server));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn mcp_every_client_gets_lines_that_it_understands() {
        let server = McpServer {
            name: "refactor-bot".to_owned(),
            command: "/opt/bin/refactor-bot".into(),
            args: ["mcp", "/src/my \"shop\"'s"].map(str::to_owned).to_vec(),
        };
        expect![[r##"
            # Claude Code: run this command in the repository

            claude mcp add refactor-bot -- /opt/bin/refactor-bot mcp '/src/my "shop"'\''s'

            # Codex: add this to ~/.codex/config.toml

            [mcp_servers.refactor-bot]
            command = "/opt/bin/refactor-bot"
            args = ["mcp","/src/my \"shop\"'s"]

            # Cursor: add this to .cursor/mcp.json in the repository, or to ~/.cursor/mcp.json

            {
              "mcpServers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot"
                }
              }
            }

            # VS Code: add this to .vscode/mcp.json in the repository

            {
              "servers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot",
                  "type": "stdio"
                }
              }
            }

            # Gemini CLI: add this to .gemini/settings.json in the repository, or to ~/.gemini/settings.json

            {
              "mcpServers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot"
                }
              }
            }

            # Zed: add this to settings.json (`zed: open settings file`)

            {
              "context_servers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot"
                }
              }
            }

            # Windsurf: add this to ~/.codeium/windsurf/mcp_config.json

            {
              "mcpServers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot"
                }
              }
            }

            # goose: add this to ~/.config/goose/config.yaml

            extensions:
              refactor-bot:
                name: refactor-bot
                type: stdio
                enabled: true
                cmd: "/opt/bin/refactor-bot"
                args: ["mcp","/src/my \"shop\"'s"]
                timeout: 300

            # Other clients: add this to the client's MCP configuration

            {
              "mcpServers": {
                "refactor-bot": {
                  "args": [
                    "mcp",
                    "/src/my \"shop\"'s"
                  ],
                  "command": "/opt/bin/refactor-bot"
                }
              }
            }
        "##]].assert_eq(&all(&server));
    }

    #[test]
    fn mcp_the_lines_are_valid_json() {
        let server = McpServer {
            name: "refactor-bot".to_owned(),
            command: "/opt/bin/refactor-bot".into(),
            args: ["mcp", "/src/\u{e4}\\\"\n'"].map(str::to_owned).to_vec(),
        };
        let check = |client: Client, key: &str| {
            let value: Value = serde_json::from_str(&client.text(&server)).unwrap();
            let entry = &value[key]["refactor-bot"];
            assert_eq!(entry["command"], "/opt/bin/refactor-bot", "{client:?}");
            assert_eq!(entry["args"], json!(server.args), "{client:?}");
        };
        for client in [Client::Cursor, Client::Gemini, Client::Windsurf, Client::Json] {
            check(client, "mcpServers");
        }
        check(Client::Vscode, "servers");
        check(Client::Zed, "context_servers");
    }
}
