//! The server, from its address to the signal that ends it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use rb_change::Host;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::guard::{Keys, host_of};
use crate::jobs::Jobs;
use crate::loopback;
use crate::pages::runs::RunRows;
use crate::routes::router;
use crate::site::{OpenRepo, Program, Site};

pub struct ServeOptions {
    pub host: Host,
    pub program: Program,
    /// The folder whose code is shown, and in which commands are started.
    pub root: PathBuf,
    pub open: OpenRepo,
    pub read_only: bool,
    pub address: Address,
    pub port: Port,
    /// Another name by which browsers reach this machine.
    pub name: Option<String>,
    /// Called with the start address once the server answers.
    pub ready: Box<dyn FnOnce(&str) + Send>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// A loopback address of this server alone, where the system has more than one.
    Own,
    Exactly(IpAddr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// This one, or a free one if it is taken.
    Preferred(u16),
    Exactly(u16),
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("the server cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    #[error("the server stopped")]
    Serve(#[source] io::Error),
}

/// Serves until a signal comes.
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(ServeError::Serve)?;
    let jobs = Arc::new(Jobs::default());
    let ended = runtime.block_on(until_signal(options, Arc::clone(&jobs)));
    jobs.end();
    runtime.shutdown_background();
    ended
}

async fn until_signal(options: ServeOptions, jobs: Arc<Jobs>) -> Result<(), ServeError> {
    let listener = listen(options.address, options.port).await?;
    let address = listener.local_addr().map_err(ServeError::Serve)?;
    let keys = Keys::draw(address, options.name.as_deref());
    let start = format!(
        "http://{}/?token={}",
        options.name.map_or(address.to_string(), |name| {
            format!("{}:{}", host_of(&name), address.port())
        }),
        keys.token
    );
    let site = Arc::new(Site {
        host: options.host,
        program: options.program,
        root: options.root,
        open: options.open,
        read_only: options.read_only,
        keys,
        jobs,
        rows: RunRows::default(),
    });
    // Before the address is known: whoever reads it may send one at once.
    let signals = Signals::listen().map_err(ServeError::Serve)?;
    (options.ready)(&start);
    tokio::select! {
        served = axum::serve(listener, router(site)).into_future() => served.map_err(ServeError::Serve),
        () = signals.first() => Ok(()),
    }
}

async fn listen(address: Address, port: Port) -> Result<TcpListener, ServeError> {
    match address {
        Address::Exactly(address) => listen_on(address, port).await,
        Address::Own => match listen_on(loopback::own().into(), port).await {
            // The system has just the usual one after all.
            Err(ServeError::Listen(_, error))
                if error.kind() == io::ErrorKind::AddrNotAvailable =>
            {
                listen_on(Ipv4Addr::LOCALHOST.into(), port).await
            }
            listener => listener,
        },
    }
}

async fn listen_on(address: IpAddr, port: Port) -> Result<TcpListener, ServeError> {
    let (wanted, spare) = match port {
        Port::Preferred(port) => (port, Some(0)),
        Port::Exactly(port) => (port, None),
    };
    let bind = async |port: u16| {
        let address = SocketAddr::new(address, port);
        TcpListener::bind(address).await.map_err(|error| ServeError::Listen(address, error))
    };
    match (bind(wanted).await, spare) {
        (Err(ServeError::Listen(_, error)), Some(spare))
            if error.kind() == io::ErrorKind::AddrInUse =>
        {
            bind(spare).await
        }
        (listener, _) => listener,
    }
}

/// What ends the server.
struct Signals([Signal; 3]);

impl Signals {
    fn listen() -> io::Result<Signals> {
        let interrupt = signal(SignalKind::interrupt())?;
        let terminate = signal(SignalKind::terminate())?;
        let hang_up = signal(SignalKind::hangup())?;
        Ok(Signals([interrupt, terminate, hang_up]))
    }

    async fn first(self) {
        let Signals([mut interrupt, mut terminate, mut hang_up]) = self;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
    }
}
