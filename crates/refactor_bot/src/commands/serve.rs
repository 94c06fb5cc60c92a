//! `refactor-bot serve`: the local page.

use std::io;
use std::net::IpAddr;

use rb_core::Cancel;
use rb_repo::Opener;
use rb_web::{Address, Port, Program, ServeError, ServeOptions};

use crate::app::App;
use crate::change_run;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::repo_index::Scope;
use crate::ui::printable;

const EXAMPLES: &str = "\
Examples:
  refactor-bot serve
  refactor-bot serve ../shop --port 8080
  refactor-bot serve --read-only

Only this machine can reach the page, and only through the printed address: it contains a token. What you decide on the page is \
carried out as if you had typed the command here. Commands that are still running end with the server; `resume` continues them.";

/// The port that is taken if it is free.
const PORT: u16 = 4747;

/// Open a local page: watch runs, review diffs, decide, explore the code
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    /// Port to listen on; 0 for any free one [default: 4747, or a free one if it is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Address to listen on [default: on Linux a random loopback address, elsewhere 127.0.0.1]. Anything but a loopback address can be
    /// reached from the network, without encryption
    #[arg(long, value_name = "IP")]
    listen: Option<IpAddr>,

    /// Host name by which browsers reach the server, if not by its address
    #[arg(long, value_name = "NAME")]
    host_name: Option<String>,

    /// Only show: refuse decisions and starts
    #[arg(long)]
    read_only: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    must_have_a_name(args)?;
    let root = args.scope.open(app)?.root().to_owned();
    let home = app.home()?;
    let path = std::env::current_exe();
    let path = path.map_err(|error| CliError::new(ErrorKind::Environment, error))?;
    let globals = vec!["--home".into(), home.root().as_os_str().to_owned()];
    if args.listen.is_some_and(|address| !address.is_loopback()) {
        app.ui.warn("the page can be reached from the network, without encryption");
    }
    let (ui, repo) = (app.ui.clone(), printable(&root.display().to_string()));
    // The server waits for a browser as others wait for a person: a signal ends it at once.
    app.ui.open_question().keep();
    let options = ServeOptions {
        host: change_run::host(app)?,
        program: Program { path, globals, env: app.environment.whole() },
        open: open(args, app, &root)?,
        root,
        read_only: args.read_only,
        address: args.listen.map_or(Address::Own, Address::Exactly),
        port: args.port.map_or(Port::Preferred(PORT), Port::Exactly),
        name: args.host_name.clone(),
        ready: Box::new(move |address| {
            ui.note(&format!(
                "serving {repo}; open this address in a browser, press Ctrl-C to stop"
            ));
            // Whoever starts the server reads the address; nobody else may.
            let _ = ui.print_raw(&format!("{address}\n"));
        }),
    };
    rb_web::serve(options).map_err(failed)?;
    Ok(Outcome::Done)
}

fn open(args: &Args, app: &App, root: &std::path::Path) -> Result<rb_web::OpenRepo, CliError> {
    let (home, env) = (app.home()?.clone(), app.env.clone());
    let (root, walk) = (root.to_owned(), args.scope.walk());
    Ok(Box::new(move |cancel: &Cancel| {
        // If git does not work, there was a warning at the start.
        Opener { home: &home, env: &env, cancel }.checkout(root.clone(), walk.clone(), |_| {})
    }))
}

/// No browser asks for `0.0.0.0`, and a server that went by any name could be reached by pages of other sites.
fn must_have_a_name(args: &Args) -> Result<(), CliError> {
    match args.listen {
        Some(address) if address.is_unspecified() && args.host_name.is_none() => {
            let words = format!("--listen {address} needs --host-name");
            Err(CliError::new(ErrorKind::Usage, words)
                .hint("give the name or address by which browsers reach this machine"))
        }
        Some(_) | None => Ok(()),
    }
}

fn failed(error: ServeError) -> CliError {
    let hint = match &error {
        ServeError::Listen(address, source) => match source.kind() {
            io::ErrorKind::AddrNotAvailable => "give --listen an address of this machine",
            io::ErrorKind::PermissionDenied if address.port() < 1024 => {
                "ports below 1024 need more rights; choose another one with --port"
            }
            _ => "choose another port with --port, or 0 for a free one",
        },
        ServeError::Serve(_) => return CliError::new(ErrorKind::Environment, error),
    };
    CliError::new(ErrorKind::Environment, error).hint(hint)
}
