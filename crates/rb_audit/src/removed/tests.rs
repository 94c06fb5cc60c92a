//! Old texts, new texts, and what is reported as removed.

use std::fmt::Write as _;

use super::*;

/// Path, text before, text after. An empty text stands for a file that is not there.
type Row = (&'static str, &'static str, &'static str);

#[track_caller]
fn check(rows: &[Row], expected: &[&str]) {
    let bytes = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let change = |(path, before, after): &Row| Change {
        path: (*path).to_owned(),
        before: bytes(before),
        after: bytes(after),
    };
    let changes: Vec<Change> = rows.iter().map(change).collect();
    let mut shown = String::new();
    for it in removed_behaviour(&changes) {
        assert_eq!((it.kind, it.severity), (FindingKind::RemovedBehaviour, Severity::Warning));
        let _ = writeln!(shown, "{}:{}: {}", it.path, it.line, it.message);
    }
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[track_caller]
fn silent(rows: &[Row]) {
    check(rows, &[]);
}

#[test]
fn ve6_a_call_that_is_deleted_is_reported_with_its_line() {
    let old = "import { save, notify } from './api';
export function submit(user) {
  save(user);
  notify(user, 'saved');
}
";
    let found = ["src/a.js:4: removed call: `notify(user, 'saved');`"];
    check(
        &[(
            "src/a.js",
            old,
            "import { save } from './api';\nexport function submit(user) {\n  save(user);\n}\n",
        )],
        &found,
    );
    check(
        &[(
            "src/a.js",
            old,
            "import { save, notify } from './api';\nexport function submit(user) {\n  save(user);\n}\n",
        )],
        &found,
    );
    // Rewritten around it.
    check(
        &[(
            "src/a.js",
            old,
            "import { save } from './api';\nexport async function submit(user) {\n  await save(user);\n}\n",
        )],
        &found,
    );
}

#[test]
fn ve6_a_prevented_default_that_is_deleted_is_reported() {
    let old = "export function Form({ onSave, onDrop }) {
  const submit = (e) => {
    e.preventDefault();
    onSave(e.target.value);
  };
  const drop = (e) => {
    e.preventDefault();
    onDrop(e.dataTransfer);
  };
  return <form onSubmit={submit} onDrop={drop} />;
}
";
    let first = "    e.preventDefault();\n    onSave(e.target.value);\n";
    let one = old.replacen(first, "    onSave(e.target.value);\n", 1);
    let one: &'static str = one.leak();
    check(
        &[("src/Form.jsx", old, one)],
        &["src/Form.jsx:3: removed event handling: `e.preventDefault()`"],
    );
    let none: &'static str = old.replace("    e.preventDefault();\n", "").leak();
    check(
        &[("src/Form.jsx", old, none)],
        &[
            "src/Form.jsx:3: removed event handling: `e.preventDefault()`",
            "src/Form.jsx:7: removed event handling: `e.preventDefault()`",
        ],
    );
}

#[test]
fn ve6_a_throw_that_is_deleted_is_reported() {
    check(
        &[(
            "src/a.ts",
            "export function first(list: number[]) {\n  if (!list.length) throw new Error('empty');\n  return list[0];\n}\n",
            "export function first(list: number[]) {\n  return list[0];\n}\n",
        )],
        &["src/a.ts:2: removed throw: `throw new Error('empty');`"],
    );
    // The clause stays and swallows what it passed on.
    check(
        &[(
            "src/a.js",
            "export function load() {\n  try {\n    return read();\n  } catch (error) {\n    throw error;\n  }\n}\n",
            "export function load() {\n  try {\n    return read();\n  } catch (error) {\n    return null;\n  }\n}\n",
        )],
        &["src/a.js:5: removed throw: `throw error;`"],
    );
    // Without the clause it gets through as before.
    silent(&[(
        "src/a.js",
        "export function load() {\n  try {\n    return read();\n  } catch (error) {\n    throw error;\n  }\n}\n",
        "export function load() {\n  return read();\n}\n",
    )]);
    silent(&[(
        "src/a.js",
        "export function first(list) {\n  if (!list.length) throw new Error('empty');\n  return list[0];\n}\n",
        "export async function first(list) {\n  if (!list.length) return Promise.reject(new Error('empty'));\n  return list[0];\n}\n",
    )]);
}

#[test]
fn ve6_an_await_that_is_deleted_is_reported() {
    check(
        &[(
            "src/a.js",
            "export async function close(server, pending) {\n  await pending;\n  await server.drain();\n  return server;\n}\n",
            "export async function close(server, pending) {\n  return server;\n}\n",
        )],
        &[
            "src/a.js:2: removed await: `await pending;`",
            "src/a.js:3: removed await: `await server.drain();`",
        ],
    );
    silent(&[(
        "src/a.js",
        "export async function close(a, b) {\n  await a;\n  await b;\n}\n",
        "export async function close(a, b) {\n  await Promise.all([a, b]);\n}\n",
    )]);
}

#[test]
fn ve6_deleted_statements_in_python_rust_and_go_are_reported() {
    check(
        &[(
            "src/a.py",
            "def store(session, user):\n    session.add(user)\n    session.commit()\n    if user is None:\n        raise ValueError('no user')\n",
            "def store(session, user):\n    session.add(user)\n",
        )],
        &[
            "src/a.py:3: removed call: `session.commit()`",
            "src/a.py:5: removed throw: `raise ValueError('no user')`",
        ],
    );
    check(
        &[(
            "src/a.rs",
            "fn store(file: &mut File) -> io::Result<()> {\n    if file.is_closed() {\n        panic!(\"closed\");\n    }\n    file.write_all(b\"x\")?;\n    file.sync_all()?;\n    Ok(())\n}\n",
            "fn store(file: &mut File) -> io::Result<()> {\n    file.write_all(b\"x\")?;\n    Ok(())\n}\n",
        )],
        &[
            "src/a.rs:3: removed throw: `panic!(\"closed\")`",
            "src/a.rs:6: removed call: `file.sync_all()?;`",
        ],
    );
    check(
        &[(
            "store/a.go",
            "package store\n\nfunc Put(s *Store, k string) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.put(k)\n}\n",
            "package store\n\nfunc Put(s *Store, k string) {\n\ts.mu.Lock()\n\ts.put(k)\n}\n",
        )],
        &["store/a.go:5: removed call: `defer s.mu.Unlock()`"],
    );
}

/// An old text, new texts that lose calls with what is reported, and new texts that lose none.
#[track_caller]
fn check_bindings(
    path: &'static str,
    old: &'static str,
    (new, expected): (&'static str, &[&str]),
    twins: &[&'static str],
) {
    check(&[(path, old, new)], expected);
    for new in twins {
        silent(&[(path, old, new)]);
    }
}

#[test]
fn ve6_a_deleted_variable_is_reported_where_its_call_stands_nowhere_again() {
    check_bindings(
        "src/a.js",
        "export async function submit(user) {\n  const ok = await save(user);\n  this.row = store(user);\n  return user;\n}\n",
        (
            "export async function submit(user) {\n  return user;\n}\n",
            &[
                "src/a.js:2: removed await: `const ok = await save(user);`",
                "src/a.js:3: removed call: `this.row = store(user);`",
            ],
        ),
        &[
            // Another name, other arguments, a part of another expression, a statement of its own.
            "export async function submit(user) {\n  const saved = await save(user);\n  this.row = store(user.id);\n  return user;\n}\n",
            "export async function submit(user) {\n  return { user, ok: await save(user), row: store(user) };\n}\n",
            "export async function submit(user) {\n  await save(user);\n  store(user);\n  return user;\n}\n",
        ],
    );
    check_bindings(
        "src/a.ts",
        "export async function submit(user: User) {\n  const ok = (await save(user)) as boolean;\n  return user;\n}\n",
        (
            "export async function submit(user: User) {\n  return user;\n}\n",
            &["src/a.ts:2: removed await: `const ok = (await save(user)) as boolean;`"],
        ),
        &[
            "export async function submit(user: User) {\n  return (await save(user)) ? user : null;\n}\n",
        ],
    );
    check_bindings(
        "src/a.py",
        "def store(session, user):\n    done = session.commit()\n    return user\n",
        (
            "def store(session, user):\n    return user\n",
            &["src/a.py:2: removed call: `done = session.commit()`"],
        ),
        &["def store(session, user):\n    return session.commit() and user\n"],
    );
    check_bindings(
        "src/a.rs",
        "fn load(path: &Path) -> io::Result<()> {\n    let text = open(path)?;\n    let _ = remove(path).map_err(note);\n    Ok(())\n}\n",
        (
            "fn load(path: &Path) -> io::Result<()> {\n    Ok(())\n}\n",
            &[
                "src/a.rs:2: removed call: `let text = open(path)?;`",
                "src/a.rs:3: removed call: `let _ = remove(path).map_err(note);`",
            ],
        ),
        &[
            "fn load(path: &Path) -> io::Result<()> {\n    show(open(path)?);\n    remove(path).map_err(note)?;\n    Ok(())\n}\n",
        ],
    );
    check_bindings(
        "store/a.go",
        "package store\n\nfunc Put(s *Store) error {\n\tif err := s.Commit(); err != nil {\n\t\treturn err\n\t}\n\terr := s.Flush()\n\treturn err\n}\n",
        (
            "package store\n\nfunc Put(s *Store) error {\n\treturn nil\n}\n",
            &[
                "store/a.go:4: removed call: `err := s.Commit()`",
                "store/a.go:7: removed call: `err := s.Flush()`",
            ],
        ),
        &[
            "package store\n\nfunc Put(s *Store) error {\n\terr := s.Commit()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn s.Flush()\n}\n",
        ],
    );
    check_bindings(
        "src/A.java",
        "class A {\n  int run(Job job) {\n    boolean done = this.store.save(job);\n    return 1;\n  }\n}\n",
        (
            "class A {\n  int run(Job job) {\n    return 1;\n  }\n}\n",
            &["src/A.java:3: removed call: `boolean done = this.store.save(job);`"],
        ),
        &["class A {\n  int run(Job job) {\n    return this.store.save(job) ? 1 : 1;\n  }\n}\n"],
    );
}

#[test]
fn ve6_a_variable_for_a_value_alone_is_not_removed_behaviour() {
    silent(&[(
        "src/a.js",
        "function go(user) {\n  const text = String(user);\n  const keys = Object.keys(user);\n  const map = new Index(user);\n  const [open, setOpen] = useState(false);\n  return user;\n}\n",
        "function go(user) {\n  return user;\n}\n",
    )]);
    silent(&[(
        "src/a.py",
        "def go(users):\n    n = len(users)\n    box = Box(n)\n    return 1\n",
        "def go(users):\n    return 1\n",
    )]);
    silent(&[(
        "src/a.rs",
        "fn go(list: &[u8]) -> usize {\n    let n = list.iter().count();\n    let text = Text::new(list).unwrap();\n    1\n}\n",
        "fn go(list: &[u8]) -> usize {\n    1\n}\n",
    )]);
    silent(&[(
        "a.go",
        "package a\n\nfunc Go(s string) int {\n\tn, err := strconv.Atoi(s)\n\tok := isWord(s)\n\treturn 1\n}\n",
        "package a\n\nfunc Go(s string) int {\n\treturn 1\n}\n",
    )]);
    silent(&[(
        "src/A.java",
        "class A {\n  int run(List<Job> jobs) {\n    int n = jobs.size();\n    return 1;\n  }\n}\n",
        "class A {\n  int run(List<Job> jobs) {\n    return 1;\n  }\n}\n",
    )]);
}

#[test]
fn ve6_a_value_that_is_shared_is_not_removed() {
    let old = "export function a() {\n  const rules = load('rules');\n  return one(rules);\n}\nexport function b() {\n  const rules = load('rules');\n  return two(rules);\n}\n";
    let shared = "const rules = load('rules');\nexport function a() {\n  return one(rules);\n}\nexport function b() {\n  return two(rules);\n}\n";
    silent(&[("src/a.js", old, shared)]);
    let none =
        "export function a() {\n  return one();\n}\nexport function b() {\n  return two();\n}\n";
    check(
        &[("src/a.js", old, none)],
        &[
            "src/a.js:2: removed call: `const rules = load('rules');`",
            "src/a.js:6: removed call: `const rules = load('rules');`",
        ],
    );
}

#[test]
fn ve6_a_broken_file_does_not_silence_the_others() {
    let old = "export function submit(form) {\n  audit(form);\n  send(form);\n}\n";
    let new = "export function submit(form) {\n  send(form);\n}\n";
    let found = ["src/a.js:2: removed call: `audit(form);`"];
    let was = "export function close(form) {\n  flush(form);\n}\n";
    check(
        &[("src/a.js", old, new), ("src/b.js", was, "export function close(form) {{{\n")],
        &found,
    );
    // It may have moved there.
    silent(&[("src/a.js", old, new), ("src/b.js", was, "function close(form) {{{ audit(form)\n")]);
    // Its function may have moved there under another name.
    silent(&[("src/a.js", old, new), ("src/b.js", was, "const f = audit; (((\n")]);
}

#[test]
fn ve6_a_throw_that_may_stand_in_a_broken_file_is_not_removed() {
    let old = "export function first(list) {\n  if (!list.length) throw new Error('empty');\n  return list[0];\n}\n";
    let new = "export function first(list) {\n  return list[0];\n}\n";
    let found = ["src/a.js:2: removed throw: `throw new Error('empty');`"];
    check(&[("src/a.js", old, new), ("src/b.js", "open();\n", "open((;\n")], &found);
    silent(&[("src/a.js", old, new), ("src/b.js", "open();\n", "throw new Error((;\n")]);
}

#[test]
fn ve6_a_file_that_is_too_large_does_not_silence_the_others() {
    let old = "export function submit(form) {\n  audit(form);\n  send(form);\n}\n";
    let new = "export function submit(form) {\n  send(form);\n}\n";
    let large: &'static str = "f(1);\n".repeat(500_000).leak();
    let holding: &'static str = format!("{large}audit(1);\n").leak();
    check(
        &[("src/a.js", old, new), ("src/b.js", "f(1);\n", large)],
        &["src/a.js:2: removed call: `audit(form);`"],
    );
    silent(&[("src/a.js", old, new), ("src/b.js", "f(1);\n", holding)]);
}

#[test]
fn ve6_code_that_moves_is_not_removed() {
    let old = "export function submit(form) {\n  check(form);\n  send(form, \"now\");\n}\n";
    // To another file, with other quotes and line breaks.
    silent(&[
        ("src/a.js", old, "export { submit } from './b';\n"),
        (
            "src/b.js",
            "",
            "export function submit(form) {\n  check(form);\n  send(\n    form,\n    'now',\n  );\n}\n",
        ),
    ]);
    // To another function, under another name.
    silent(&[(
        "src/a.js",
        old,
        "export function submit(form) {\n  check(form);\n  deliver(form);\n}\nfunction deliver(message) {\n  send(message, 'now');\n}\n",
    )]);
    // The whole file.
    silent(&[("src/a.js", old, ""), ("src/forms/a.js", "", old)]);
}

#[test]
fn ve6_an_asynchronous_twin_stands_for_the_call() {
    silent(&[(
        "src/a.js",
        "const fs = require('fs');\nfunction store(file, text) {\n  fs.mkdirSync('out');\n  fs.writeFileSync(file, text);\n}\n",
        "const fs = require('fs/promises');\nasync function store(file, text) {\n  await fs.mkdir('out');\n  await fs.writeFile(file, text);\n}\n",
    )]);
}

#[test]
fn ve6_what_is_written_in_another_way_is_not_removed() {
    // Other arguments.
    silent(&[(
        "src/a.js",
        "function go(a) {\n  if (a) set(1);\n  else set(2);\n}\n",
        "function go(a) {\n  set(a ? 1 : 2);\n}\n",
    )]);
    // Equal branches.
    silent(&[(
        "src/a.js",
        "function go(a) {\n  if (a) {\n    save(a);\n  } else {\n    save(a);\n  }\n}\n",
        "function go(a) {\n  save(a);\n}\n",
    )]);
    // Another name for the same function.
    silent(&[(
        "src/a.js",
        "function put(a) {\n  store(a);\n}\nfunction go(a) {\n  put(a);\n}\n",
        "function keep(a) {\n  store(a);\n}\nfunction go(a) {\n  keep(a);\n}\n",
    )]);
    // Another way to do it, perhaps.
    silent(&[(
        "src/a.js",
        "function go(a) {\n  request(a);\n}\n",
        "function go(a) {\n  fetch(a);\n}\n",
    )]);
    // A value in place of a callback.
    silent(&[(
        "src/a.js",
        "function load(id, done) {\n  const row = find(id);\n  done(null, row);\n}\n",
        "async function load(id) {\n  const row = find(id);\n  return row;\n}\n",
    )]);
    // A list that is filled on the spot.
    silent(&[(
        "src/a.py",
        "def names(users):\n    result = []\n    for user in users:\n        result.append(user.name)\n    return result\n",
        "def names(users):\n    return [user.name for user in users]\n",
    )]);
    // A loop in another form.
    silent(&[(
        "src/a.js",
        "function all(list) {\n  list.forEach((it) => {\n    save(it);\n  });\n}\n",
        "function all(list) {\n  for (const it of list) {\n    save(it);\n  }\n}\n",
    )]);
    silent(&[(
        "src/a.js",
        "function save(it) {\n  put(it);\n}\nfunction all(list) {\n  list.forEach(save);\n}\n",
        "function save(it) {\n  put(it);\n}\nfunction all(list) {\n  for (const it of list) save(it);\n}\n",
    )]);
}

#[test]
fn ve6_one_copy_for_two_is_not_removed() {
    silent(&[(
        "src/a.js",
        "function a(x) {\n  open(x);\n  write(x);\n}\nfunction b(x) {\n  open(x);\n  write(x);\n}\n",
        "function a(x) {\n  both(x);\n}\nfunction b(x) {\n  both(x);\n}\nfunction both(x) {\n  open(x);\n  write(x);\n}\n",
    )]);
}

#[test]
fn ve6_a_call_that_is_lost_beside_a_new_function_is_reported() {
    check(
        &[(
            "src/a.js",
            "export function submit(form) {\n  audit(form);\n  send(form);\n}\n",
            "export function submit(form) {\n  deliver(form);\n}\nfunction deliver(form) {\n  send(form);\n}\n",
        )],
        &["src/a.js:2: removed call: `audit(form);`"],
    );
}

#[test]
fn ve6_a_function_is_removed_by_what_it_did() {
    // With its last call.
    check(
        &[(
            "src/a.js",
            "function track(x) {\n  beacon.send(x);\n}\nexport function go(x) {\n  track(x);\n  return x;\n}\n",
            "export function go(x) {\n  return x;\n}\n",
        )],
        &["src/a.js:2: removed call: `beacon.send(x);`"],
    );
    // Nobody called it.
    silent(&[(
        "src/a.js",
        "function track(x) {\n  beacon.send(x);\n}\nexport function go(x) {\n  return x;\n}\n",
        "export function go(x) {\n  return x;\n}\n",
    )]);
    // It comes from elsewhere.
    silent(&[(
        "src/a.js",
        "function track(x) {\n  beacon.send(x);\n}\nexport function go(x) {\n  track(x);\n}\n",
        "import { track } from './track';\nexport function go(x) {\n  track(x);\n}\n",
    )]);
}

#[test]
fn ve6_logging_tests_and_broken_texts_are_left_alone() {
    silent(&[(
        "src/a.js",
        "function go(x) {\n  console.log(x);\n  this.logger.info('go');\n  return x;\n}\n",
        "function go(x) {\n  return x;\n}\n",
    )]);
    silent(&[("test/a.test.js", "check(1);\ncheck(2);\n", "check(1);\n")]);
    silent(&[("src/a.js", "function go(x) {\n  send(x);\n}\n", "function go(x) {{{\n")]);
    silent(&[("notes.txt", "send(x);\n", "nothing\n")]);
}

#[test]
fn ve6_a_statement_in_one_that_is_removed_is_not_reported_again() {
    check(
        &[(
            "src/a.jsx",
            "export function Title({ text }) {\n  useEffect(() => {\n    rename(text);\n  }, [text]);\n  return <h1>{text}</h1>;\n}\n",
            "export function Title({ text }) {\n  return <h1>{text}</h1>;\n}\n",
        )],
        &["src/a.jsx:2: removed call: `useEffect(() => { rename(text); }, [text]);`"],
    );
}
