//! A help desk in five languages, and questions about it whose answers are known. The questions avoid the words of the code
//! where a person would.

pub const DESK: &str = r##"
//- package.json
{"name": "desk", "dependencies": {"react": "19", "nodemailer": "6"}}
//- README.md
# Desk
A help desk: tickets come in by mail or from the page, and are answered by people.
//- server/auth.py
"""Who may come in."""
import hashlib
import hmac

from .settings import SECRET


def hash_password(password, salt):
    """Derive a key that is safe to keep."""
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 200_000)


def check_password(password, salt, stored):
    return hmac.compare_digest(hash_password(password, salt), stored)


class Session:
    """Remembers a signed-in user until it expires."""

    def __init__(self, user, expires):
        self.user = user
        self.expires = expires

    def is_expired(self, now):
        return now >= self.expires

    def token(self):
        return hmac.new(SECRET, self.user.encode(), "sha256").hexdigest()
//- server/storage.py
"""Attachments on the disk."""
import os
import shutil

MAX_UPLOAD = 10 * 1024 * 1024


class TooLarge(Exception):
    pass


def save_attachment(folder, name, stream):
    """Write an uploaded file, in pieces, and refuse one that is too large."""
    chunk_size = 65536
    written = 0
    path = os.path.join(folder, os.path.basename(name))
    with open(path, "wb") as out:
        while chunk := stream.read(chunk_size):
            written += len(chunk)
            if written > MAX_UPLOAD:
                raise TooLarge(name)
            out.write(chunk)
    return path


def delete_attachments(folder):
    shutil.rmtree(folder, ignore_errors=True)


def free_space(folder):
    return shutil.disk_usage(folder).free
//- server/settings.py
import os

SECRET = os.environ["DESK_SECRET"].encode()
DATABASE_URL = os.environ.get("DATABASE_URL", "sqlite:///desk.db")
MAIL_HOST = os.environ.get("MAIL_HOST", "localhost")
//- server/notify.py
"""Tells people that something happened."""
import smtplib
from email.message import EmailMessage

from .settings import MAIL_HOST


def send_mail(to, subject, body):
    message = EmailMessage()
    message["To"] = to
    message["Subject"] = subject
    message.set_content(body)
    with smtplib.SMTP(MAIL_HOST) as server:
        server.send_message(message)


def ticket_assigned(ticket, agent):
    send_mail(agent.email, f"Ticket {ticket.id} is yours", ticket.title)


def digest(user, tickets):
    """One summary a day instead of a message for each ticket."""
    lines = [f"- {ticket.title}" for ticket in tickets]
    send_mail(user.email, "Your tickets", "\n".join(lines))
//- server/database.py
import sqlite3

from .settings import DATABASE_URL


def connect():
    connection = sqlite3.connect(DATABASE_URL.removeprefix("sqlite:///"))
    connection.row_factory = sqlite3.Row
    return connection


def migrate(connection):
    """Bring the schema up to date, one numbered step after the other."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for number, statement in enumerate(STEPS[version:], start=version + 1):
        connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")


STEPS = [
    "CREATE TABLE tickets (id INTEGER PRIMARY KEY, title TEXT, state TEXT)",
    "CREATE INDEX tickets_state ON tickets (state)",
]
//- server/tickets.py
from .database import connect
from .notify import ticket_assigned


def open_ticket(title):
    with connect() as connection:
        return connection.execute("INSERT INTO tickets (title, state) VALUES (?, 'open')", (title,)).lastrowid


def assign(ticket, agent):
    ticket.agent = agent
    ticket_assigned(ticket, agent)


def merge_duplicates(tickets):
    """Tickets with the same title become one."""
    seen = {}
    for ticket in tickets:
        seen.setdefault(ticket.title.lower(), []).append(ticket)
    return [group[0] for group in seen.values()]
//- server/search_index.py
def tokenize(text):
    return [word.lower() for word in text.split()]


def build(documents):
    postings = {}
    for number, text in enumerate(documents):
        for word in tokenize(text):
            postings.setdefault(word, set()).add(number)
    return postings
//- server/rate_limit.py
import time


class TokenBucket:
    """Lets a client make only so many requests a minute."""

    def __init__(self, capacity, per_second):
        self.capacity = capacity
        self.tokens = capacity
        self.per_second = per_second
        self.last = time.monotonic()

    def allow(self):
        now = time.monotonic()
        self.tokens = min(self.capacity, self.tokens + (now - self.last) * self.per_second)
        self.last = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True
//- server/export.py
import csv


def tickets_to_csv(tickets, out):
    writer = csv.writer(out)
    writer.writerow(["id", "title", "state"])
    for ticket in tickets:
        writer.writerow([ticket.id, ticket.title, ticket.state])
//- worker/files.ts
import { promises as fs } from "node:fs";

/** Reads a whole file without blocking the event loop. */
export async function readFileAsync(path: string): Promise<string> {
  return await fs.readFile(path, "utf8");
}

export async function copyFileAsync(from: string, to: string): Promise<void> {
  await fs.copyFile(from, to);
}

export async function listFolder(path: string): Promise<string[]> {
  const entries = await fs.readdir(path);
  return entries.sort();
}
//- worker/time.ts
/** "1h 30m" in seconds. */
export function parseDuration(text: string): number {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1 };
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)\s*([hms])/g)) {
    seconds += Number(amount) * units[unit];
  }
  return seconds;
}

export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}
//- worker/time.test.ts
import { parseDuration } from "./time";
test("hours and minutes", () => {
  expect(parseDuration("1h 30m")).toBe(5400);
});
//- worker/schedule.ts
import { parseDuration } from "./time";

type Job = { every: string; run: () => Promise<void> };

/** Runs each job again and again, as often as it says. */
export function schedule(jobs: Job[]): NodeJS.Timeout[] {
  return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));
}

export function stopAll(timers: NodeJS.Timeout[]): void {
  timers.forEach((timer) => clearInterval(timer));
}
//- worker/retry.go
package worker

import (
	"math/rand"
	"time"
)

// Backoff waits longer after each failure, with some chance in it so that clients do not come back all at once.
type Backoff struct {
	First time.Duration
	Most  time.Duration
}

// Wait says how long to wait before the given attempt.
func (b Backoff) Wait(attempt int) time.Duration {
	wait := b.First << attempt
	if wait > b.Most {
		wait = b.Most
	}
	return wait/2 + time.Duration(rand.Int63n(int64(wait/2)))
}

// Retry calls f until it succeeds or the attempts are used up.
func Retry(attempts int, b Backoff, f func() error) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(b.Wait(i))
	}
	return err
}
//- worker/queue.go
package worker

import "sync"

// Queue hands out work in the order it came.
type Queue struct {
	mutex sync.Mutex
	items []string
}

func (q *Queue) Push(item string) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.items = append(q.items, item)
}

func (q *Queue) Pop() (string, bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.items) == 0 {
		return "", false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}
//- web/components/TicketList.tsx
"use client";
import { useEffect, useState } from "react";
import { fetchTickets } from "../api";
import { Badge } from "./Badge";

type Ticket = { id: number; title: string; state: string };

/** All tickets of the signed-in person, newest first. */
export function TicketList() {
  const [tickets, setTickets] = useState<Ticket[]>([]);
  useEffect(() => {
    fetchTickets().then(setTickets);
  }, []);
  return (
    <ul>
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          {ticket.title} <Badge state={ticket.state} />
        </li>
      ))}
    </ul>
  );
}
//- web/components/Badge.tsx
const COLORS: Record<string, string> = { open: "green", waiting: "orange", closed: "grey" };

/** The state of a ticket as a coloured label. */
export function Badge({ state }: { state: string }) {
  return <span style={{ color: COLORS[state] }}>{state}</span>;
}
//- web/components/LoginForm.tsx
"use client";
import { useState } from "react";
import { login } from "../api";

export function LoginForm() {
  const [error, setError] = useState("");
  async function submit(form: FormData) {
    const ok = await login(String(form.get("user")), String(form.get("password")));
    if (!ok) setError("Wrong name or password");
  }
  return (
    <form action={submit}>
      <input name="user" />
      <input name="password" type="password" />
      <p role="alert">{error}</p>
    </form>
  );
}
//- web/api.ts
export async function fetchTickets() {
  const response = await fetch("/api/tickets");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}

export async function login(user: string, password: string): Promise<boolean> {
  const response = await fetch("/api/login", { method: "POST", body: JSON.stringify({ user, password }) });
  return response.ok;
}
//- web/theme.css
:root {
  --background: white;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: black;
  }
}
//- web/i18n.ts
const MESSAGES: Record<string, Record<string, string>> = {
  en: { greeting: "Hello" },
  de: { greeting: "Hallo" },
};

/** The text in the language of the visitor, or in English. */
export function translate(key: string, language: string): string {
  return MESSAGES[language]?.[key] ?? MESSAGES.en[key] ?? key;
}
//- tool/src/main.rs
mod markdown;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("it can be read");
    println!("{}", markdown::to_html(&text));
}
//- tool/src/markdown.rs
/// Turns headings and paragraphs into HTML.
pub fn to_html(text: &str) -> String {
    text.split("\n\n").map(block).collect()
}

fn block(text: &str) -> String {
    match text.strip_prefix("# ") {
        Some(title) => format!("<h1>{}</h1>", escape(title)),
        None => format!("<p>{}</p>", escape(text)),
    }
}

/// Keeps what people write from being read as tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
//- tool/Cargo.toml
[package]
name = "tool"
"##;

/// A question, and the files that answer it.
pub const QUESTIONS: &[(&str, &[&str])] = &[
    ("async file operations", &["worker/files.ts"]),
    ("where are uploads limited in size", &["server/storage.py"]),
    ("how is a password stored", &["server/auth.py"]),
    ("when does a login session run out", &["server/auth.py"]),
    ("send an email when somebody gets a ticket", &["server/notify.py"]),
    ("database schema migration", &["server/database.py"]),
    ("exponential backoff with jitter", &["worker/retry.go"]),
    ("throttle requests of a client", &["server/rate_limit.py"]),
    ("find duplicate tickets", &["server/tickets.py"]),
    ("first in first out queue that is safe for threads", &["worker/queue.go"]),
    ("convert markdown to html", &["tool/src/markdown.rs"]),
    ("escape html to prevent cross site scripting", &["tool/src/markdown.rs"]),
    ("dark mode colors", &["web/theme.css"]),
    ("translate messages for another language", &["web/i18n.ts"]),
    ("show the list of tickets on the page", &["web/components/TicketList.tsx"]),
    ("error message for a wrong password", &["web/components/LoginForm.tsx"]),
    ("write the tickets as a csv file", &["server/export.py"]),
    ("parse a time span such as two hours", &["worker/time.ts"]),
    ("run jobs periodically", &["worker/schedule.ts"]),
    ("inverted index of words", &["server/search_index.py"]),
    ("free disk space", &["server/storage.py"]),
    ("environment variables for configuration", &["server/settings.py"]),
    ("http calls from the browser to the server", &["web/api.ts"]),
    ("label that shows if a ticket is open or closed", &["web/components/Badge.tsx"]),
    ("daily summary mail", &["server/notify.py"]),
    ("list a directory without blocking", &["worker/files.ts"]),
];
