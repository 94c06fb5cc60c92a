//! Suites that nobody vouches for. Each bounds itself (few processes, short naps), so that a sandbox that does not hold
//! fails a test and no machine. `Suite::new` fills in what stands in brackets.

pub(crate) const PACKAGE: &str = r#"
//- package.json
{ "name": "hostile", "version": "1.0.0", "scripts": { "test": "node --test" } }
//- kept.txt
kept
"#;

/// Each test passes if its deed could be done, and fails with what the system said to it. Under bubblewrap the first two
/// pass: they write into a temporary folder of their own, which goes with them.
pub(crate) const REACHES_OUT: &str = r#"
//- test/deeds.test.js
const fs = require('node:fs');
const net = require('node:net');
const test = require('node:test');
const leak = (text) => { console.log(text); fs.writeFileSync('leaked.txt', text); };
test('01 writes beside the checkout', () => fs.writeFileSync('[BESIDE]/planted', 'x'));
test('02 writes into the checkout', () => fs.writeFileSync('[REPO]/kept.txt', 'x'));
test('03 writes elsewhere', () => fs.writeFileSync('[ELSEWHERE]/planted', 'x'));
test('04 overwrites elsewhere', () => fs.writeFileSync('[ELSEWHERE]/kept', 'x'));
test('05 reads a key of the home', () => leak(fs.readFileSync('[USER]/.ssh/id', 'utf8')));
test('06 reads the settings of refactor-bot', () => leak(fs.readFileSync('[USER]/home/config.toml', 'utf8')));
test('07 lists the home', () => leak(fs.readdirSync('[USER]/.ssh').join()));
test('08 finds a key in the environment', () => {
  if (!process.env.OPENAI_API_KEY) throw new Error('there is none');
  leak(process.env.OPENAI_API_KEY);
});
test('09 reaches the machine', (t, done) => {
  const socket = net.connect([PORT], '127.0.0.1', () => { socket.destroy(); done(); });
  socket.on('error', done);
});
test('10 sees processes of others', () => fs.readFileSync('/proc/[PID]/cmdline'));
test('11 has its own loopback', (t, done) => {
  const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1', () => server.close(done)).resume();
  });
});
"#;

/// Doubles slowly, six times at most; what it leaves naps in sessions of their own.
pub(crate) const MULTIPLIES: &str = r#"
//- bomb.sh
test "$1" -gt 6 && exec sleep 60
sleep 0.05
setsid sh bomb.sh $(($1 + 1)) '[MARK]' &
setsid sh bomb.sh $(($1 + 1)) '[MARK]' &
wait
//- test/multiplies.test.js
const { execFileSync } = require('node:child_process');
const test = require('node:test');
test('multiplies', () => execFileSync('sh', ['bomb.sh', '1', '[MARK]']));
"#;

/// Passes, and leaves somebody behind who will not listen.
pub(crate) const STAYS: &str = r#"
//- test/stays.test.js
const { spawn } = require('node:child_process');
const test = require('node:test');
test('leaves a daemon behind', () => {
  const line = 'trap "" TERM HUP INT; sleep 60; true';
  spawn('setsid', ['sh', '-c', line, '[MARK]'], { detached: true, stdio: 'ignore' }).unref();
});
"#;

pub(crate) const GIGABYTE: u64 = 1 << 30;

/// Prints before its tests begin, as a chatty setup would.
pub(crate) const PRINTS: &str = r#"
//- package.json
{ "name": "hostile", "version": "1.0.0", "scripts": { "test": "node loud.js && node --test" } }
//- loud.js
const fs = require('node:fs');
const chunk = Buffer.alloc(1 << 20, 'loud\n');
for (let n = 0; n < 1024; n++) {
  for (let at = 0; at < chunk.length; ) {
    try {
      at += fs.writeSync(1, chunk, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
//- test/quiet.test.js
require('node:test')('is quiet', () => {});
"#;

/// What a later git command in the worktree would obey.
pub(crate) const TURNS_GIT: &str = r#"
//- test/git.test.js
const fs = require('node:fs');
const test = require('node:test');
test('turns git to another place', () => fs.writeFileSync('.git', 'gitdir: /elsewhere'));
"#;

pub(crate) const HANGS: &str = r#"
//- test/hangs.test.js
const { spawn } = require('node:child_process');
const test = require('node:test');
test('hangs, and will not listen', (t, done) => {
  process.on('SIGTERM', () => {});
  spawn('sh', ['-c', 'trap "" TERM HUP INT; sleep 60; true', '[MARK]'], { detached: true, stdio: 'ignore' });
  setTimeout(done, 60_000);
});
"#;
