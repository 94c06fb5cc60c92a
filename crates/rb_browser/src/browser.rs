//! Chromium, from its start to the end of all its processes.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rb_sandbox::{Guarantees, NetworkGuarantee};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::clean;
use crate::connection::Connection;
use crate::error::BrowserError;
use crate::job::{RunningJob, ServerFiles, Written};
use crate::page::Page;
use crate::picture::{self, Difference};
use crate::setup::{Limits, Server, Setup};

/// A running Chromium. Dropped, it ends with its server, and the scratch folder is emptied.
pub struct Browser {
    shared: Arc<Shared>,
    /// Taken when it is closed.
    job: Option<RunningJob>,
    guarantees: Guarantees,
    version: String,
}

/// What pages keep of their browser.
pub(crate) struct Shared {
    connection: Mutex<Connection>,
    server: Option<ServerFiles>,
    /// Can nothing answer but what the job has started?
    pub(crate) is_alone: bool,
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerState {
    /// It was not started by the browser.
    NotOurs,
    /// The number is that of the sandbox.
    Running { pid: u32 },
    /// With the end of its output.
    Ended { code: i32, output: String },
}

impl Shared {
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn server(&self) -> ServerState {
        let Some(files) = &self.server else { return ServerState::NotOurs };
        match files.read() {
            Written::Exit(code) => ServerState::Ended { code, output: files.last_words(code) },
            Written::Pid(pid) => ServerState::Running { pid },
            Written::Nothing => ServerState::Running { pid: 0 },
        }
    }
}

impl Browser {
    /// Starts the preview server and Chromium, and waits until Chromium answers. The server may take longer: [`Page::goto`] waits for it.
    pub fn start(setup: &Setup<'_>) -> Result<Browser, BrowserError> {
        let is_alone = setup.sandbox.held().network == NetworkGuarantee::Cut;
        if let Server::Command { port, .. } = setup.server
            && !is_alone
            && is_taken(port)
        {
            return Err(BrowserError::PortTaken { port });
        }
        let (job, pipes) = RunningJob::start(setup)?;
        let mut connection = Connection::new(pipes, job.ended(), setup.cancel);
        let limit = setup.limits.start;
        let until = Instant::now() + limit;
        let version = connection.call(None, "Browser.getVersion", json!({}), limit)?;
        let version = clean::line(version["product"].as_str().unwrap_or("Chromium"), 80);
        let server = match setup.server {
            Server::Command { .. } => {
                let files = job.server_files();
                let began =
                    connection.wait(until, |_| !matches!(files.read(), Written::Nothing))?;
                if !began {
                    return Err(BrowserError::TooSlow {
                        what: "start of the preview server".to_owned(),
                        limit,
                    });
                }
                Some(files)
            }
            Server::External => None,
        };
        let connection = Mutex::new(connection);
        let shared = Arc::new(Shared { connection, server, is_alone, limits: setup.limits });
        let guarantees = setup.sandbox.held().clone();
        Ok(Browser { shared, job: Some(job), guarantees, version })
    }

    /// A new page, without cookies or storage of others.
    pub fn page(&self) -> Result<Page, BrowserError> {
        Page::open(&self.shared)
    }

    pub fn server(&self) -> ServerState {
        self.shared.server()
    }

    /// What the sandbox holds on this machine.
    pub fn guarantees(&self) -> &Guarantees {
        &self.guarantees
    }

    /// Such as `HeadlessChrome/140.0.7339.80`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// How two PNG pictures differ, pixel by pixel.
    pub fn difference(&self, expected: &[u8], actual: &[u8]) -> Result<Difference, BrowserError> {
        picture::difference(&self.page()?, expected, actual)
    }

    /// Ends everything. As dropping it, but what the sandbox has to say is returned.
    pub fn close(mut self) -> Result<(), BrowserError> {
        self.job.take().map_or(Ok(()), RunningJob::finish)
    }

    /// Waits until the server has ended, for at most `limit`.
    pub fn wait_for_server_end(&self, limit: Duration) -> Result<bool, BrowserError> {
        let until = Instant::now() + limit;
        let has_ended = || matches!(self.server(), ServerState::Ended { .. });
        self.shared.connection().wait(until, |_| has_ended())
    }
}

fn is_taken(port: u16) -> bool {
    let limit = Duration::from_secs(1);
    let addresses =
        [SocketAddr::from((Ipv4Addr::LOCALHOST, port)), (Ipv6Addr::LOCALHOST, port).into()];
    addresses.iter().any(|address| TcpStream::connect_timeout(address, limit).is_ok())
}

impl fmt::Debug for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Browser").field("version", &self.version).finish_non_exhaustive()
    }
}
