//! `serve` from outside: over a plain socket as an attacker would, and in a real Chromium as a person does.

mod approval;
mod barriers;
mod browser;
mod citation;
mod deciding;
mod escaping;
mod following;
mod hostile_text;
mod http;
mod large;
mod listening;
mod pages;
mod requests;
mod review_keys;
mod watching;
mod workflows;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use rb_testkit::{Cli, Repo};

use self::http::{Answer, ask};

const DIRECTIVE: &str = "Convert all synchronous file operations to async";

/// Two files, each with one call that a recipe makes async.
const NOTES: &str = "
//- package.json
{ \"name\": \"notes\", \"version\": \"1.0.0\", \"type\": \"module\" }
//- src/load.js
import fs from 'node:fs';

// Reads the notes of one person.
export async function loadNotes(path) {
  const text = fs.readFileSync(path, 'utf8');
  return text.split('\\n');
}
//- src/store.js
import fs from 'node:fs';

// Writes the notes of one person.
export async function storeNotes(path, notes) {
  fs.writeFileSync(path, notes.join('\\n'));
}
";

/// A server for a repository, and what its first line says.
struct Served {
    cli: Cli,
    repo: Repo,
    child: Child,
    /// Such as `127.0.0.1:40123`.
    host: String,
    token: String,
}

impl Served {
    fn start(fixture: &str) -> Served {
        Served::over(crate::cli(), Repo::git_repo(fixture), &[])
    }

    /// At the usual address, the only one that the browser of the tests reaches.
    fn over(cli: Cli, repo: Repo, args: &[&str]) -> Served {
        Served::at(cli, repo, &[&["--listen", "127.0.0.1"], args].concat())
    }

    fn at(cli: Cli, repo: Repo, args: &[&str]) -> Served {
        let mut command = cli.command();
        command.args(["serve", repo.root().to_str().unwrap(), "--port", "0"]).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let (host, token) = address.split_once("/?token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        Served { cli, repo, child, host, token }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    fn start_url(&self) -> String {
        self.url(&format!("/?token={}", self.token))
    }

    /// A finished run that waits for a decision.
    fn run(&self, directive: &str) -> String {
        let root = self.repo.root().to_str().unwrap();
        let ran = self.cli.run(["run", root, "--no-verify", "--directive", directive]);
        ran.expect_code(0).run_id()
    }

    /// The cookie that the start address gives.
    fn cookie(&self) -> String {
        let answer = ask(&self.host, &format!("GET /?token={}\nHost: {}", self.token, self.host));
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// A page, as the browser of the person asks for it.
    fn get(&self, path: &str) -> Answer {
        let cookie = self.cookie();
        ask(&self.host, &format!("GET {path}\nHost: {}\nCookie: {cookie}", self.host))
    }

    /// A form of a page, with its key, as the browser of the person sends it.
    fn post(&self, path: &str, form: &str) -> Answer {
        let (host, cookie, key) = (&self.host, self.cookie(), self.form_key());
        let head = format!("POST {path}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}");
        ask(host, &format!("{head}\n\nkey={key}&{form}"))
    }

    /// Asks for a page until it has the words.
    fn wait_for(&self, path: &str, words: &str) -> String {
        loop {
            let page = self.get(path).body;
            if page.contains(words) {
                return page;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The key that every form carries.
    fn form_key(&self) -> String {
        let page = self.get("/new").body;
        let (_, rest) = page.split_once("name=\"key\" value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
