//! A server on this machine for tests of clients: many connections at once, answered by a function.
//!
//! A reply is whole, in pieces that wait for the test's permission, broken off, silent, or no HTTP at all.
//! Nothing here sleeps: whatever waits, waits for the client or for the test. `script` answers in a fixed order
//! instead, one connection after the other.
#![expect(clippy::unwrap_used, reason = "a test fails where its server fails")]

mod gate;
mod reply;
mod wire;

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

pub use crate::script::Seen;
pub use gate::Gate;
pub use reply::Reply;

use reply::After;

type Answers = dyn Fn(&Seen, usize) -> Reply + Send + Sync;

pub struct Stub {
    port: u16,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

/// What the threads of all connections share.
struct Shared {
    answers: Box<Answers>,
    noted: Mutex<Noted>,
    changed: Condvar,
    over: AtomicBool,
    open: Mutex<Vec<(TcpStream, JoinHandle<()>)>>,
}

#[derive(Default)]
struct Noted {
    seen: Vec<Seen>,
    /// Connections that the client left before their reply was whole.
    left: usize,
}

const ANSWERED: &str = "the function that answers does not panic";

impl Stub {
    /// `answers` is given each request and its number, from zero in order of arrival.
    pub fn new(answers: impl Fn(&Seen, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            answers: Box::new(answers),
            noted: Mutex::default(),
            changed: Condvar::new(),
            over: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let listening = Arc::clone(&shared);
        let listening = Some(thread::spawn(move || listen(&listener, &listening)));
        Stub { port, shared, listening }
    }

    /// The same reply to every request.
    pub fn always(reply: Reply) -> Self {
        Stub::new(move |_, _| reply.clone())
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.noted.lock().unwrap().seen.clone()
    }

    /// Returns once so many requests have arrived.
    pub fn wait_for(&self, requests: usize) -> Vec<Seen> {
        self.wait_until(|noted| noted.seen.len() >= requests).seen.clone()
    }

    /// Returns once the client has left so many connections before their reply was whole. A write shows it, or
    /// the end of a silence.
    pub fn wait_for_left(&self, connections: usize) {
        drop(self.wait_until(|noted| noted.left >= connections));
    }

    fn wait_until(&self, reached: impl Fn(&Noted) -> bool) -> MutexGuard<'_, Noted> {
        let noted = self.shared.noted.lock().unwrap();
        self.shared.changed.wait_while(noted, |noted| !reached(noted)).unwrap()
    }

    fn end(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the thread where it waits for a connection.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let Some(listening) = self.listening.take() else { return };
        listening.join().unwrap();
        for (stream, thread) in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
            thread.join().expect(ANSWERED);
        }
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.end();
        }
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    loop {
        let stream = listener.accept().unwrap().0;
        if shared.over.load(Ordering::SeqCst) {
            return;
        }
        let _ = stream.set_nodelay(true);
        let (own, kept) = (Arc::clone(shared), stream.try_clone().unwrap());
        let thread = thread::spawn(move || serve(&Open(stream), &own));
        let mut open = shared.open.lock().unwrap();
        open.push((kept, thread));
        for (_, ended) in open.extract_if(.., |(_, thread)| thread.is_finished()) {
            ended.join().expect(ANSWERED);
        }
    }
}

/// A connection that ends also where the function that answers panics, and although a copy of it is kept.
struct Open(TcpStream);

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

fn serve(Open(stream): &Open, shared: &Shared) {
    while let Some(request) = wire::read(stream) {
        let is_head = request.line.starts_with("HEAD ");
        let number = shared.note(|noted| {
            noted.seen.push(request.clone());
            noted.seen.len() - 1
        });
        let reply = (shared.answers)(&request, number);
        let whole = wire::write(stream, &reply, is_head, &shared.over);
        let stayed = match reply.after() {
            After::Close | After::Next => whole,
            After::Silence => whole && wire::drain(stream, &shared.over),
        };
        if !stayed && !shared.over.load(Ordering::SeqCst) {
            shared.note(|noted| noted.left += 1);
        }
        if !stayed || reply.after() != After::Next {
            return;
        }
    }
}

impl Shared {
    fn note<T>(&self, change: impl FnOnce(&mut Noted) -> T) -> T {
        let result = change(&mut self.noted.lock().unwrap());
        self.changed.notify_all();
        result
    }
}

impl Seen {
    /// The value of the first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut pairs = self.headers.iter().filter_map(|line| line.split_once(": "));
        pairs.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}
