//! Tests of what is seen inside of the functions that are called.

use super::RULE;
use crate::testing::Setup;

#[test]
fn ru1_async_parallel_leaves_what_writes_inside() {
    let setup = Setup::new();
    setup.silent(
            &RULE,
            "class Bridge {
  async getUsers(ids) {
    const users = [];
    for (const id of ids) users.push((await this.findUser(id)) || (await this.addUser(id)));
    return users;
  }
  getRoom = async (id) => { const room = await this.findRoom(id); return room ?? (await Rooms.create(id)); };
  async load(ids, id) {
    const users = await this.getUsers(ids);
    const owner = await this.findUser(id);
    return [users, owner];
  }
  async open(id) {
    const room = await this.getRoom(id);
    const owner = await this.findUser(id);
    return [room, owner];
  }
}
async function getRow(id) {
  const row = await findRow(id);
  return row ?? (await insertRow(id));
}
export async function page(id) {
  const row = await getRow(id);
  const team = await getTeam(id);
  return [row, team];
}
",
        );
    // What makes a client writes nothing.
    let text = "async function getRow(id) {
  const db = await createClient();
  return db.find(id);
}
export async function page(id) {
  const row = await getRow(id);
  const team = await getTeam(id);
  return [row, team];
}
";
    assert_eq!(setup.findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_async_parallel_leaves_what_keeps_something() {
    let of = |text: &str| {
        Setup::new().file("src/api.ts", text).findings(
            &RULE,
            "import { getUser, Users } from './api';
import * as api from './api';
export async function page(id, log) {
  const user = await getUser(id);
  const team = await getTeam(id);
  return [user, team];
}
export async function other(id) {
  const user = await Users.getUser(id);
  const mail = await api.getUser(id);
  const team = await getTeam(id);
  return [user, mail, team];
}
",
        )
    };
    // A variable and a cache of the file, one step further, what is handed in, a file, a static method.
    for text in [
        "let last; export async function getUser(id) { last = await find(id); return last; } export class Users { static async getUser(id) { last = id; return find(id); } }",
        "const cache = new Map(); export const getUser = async (id) => { const it = await find(id); cache.set(id, it); return it; }; export const Users = { getUser };",
        "const cache = {}; const keep = (it) => { cache[it.id] = it; }; export async function getUser(id) { const it = await find(id); keep(it); return it; } export const Users = { getUser };",
        "export async function getUser(id) { id.user = await find(id); return id; } export const Users = { getUser };",
        "export async function getUser(id) { await rm(id); await copy(id); return find(id); } export const Users = { getUser };",
    ] {
        assert_eq!(of(text).len(), 0, "{text}");
    }
    // Who may not see the user must not learn by another error that there is a team.
    let text = "export async function getUser(id) { const it = await find(id); if (!(await canAccess(it))) throw new Error(); return it; } export const Users = { getUser };";
    assert_eq!(of(text).len(), 0);
    // What is made and filled inside stays inside.
    let text = "export async function getUser(id) { const all = new Map(); const it = await find(id); all.set(id, it); it.at = 1; return all; } export const Users = { getUser };";
    assert_eq!(of(text).len(), 2);
}

#[test]
fn ru1_async_parallel_leaves_fields_and_temporary_folders() {
    let setup = Setup::new();
    setup.silent(
        &RULE,
        "class Interaction {
  async getUser() { this.user ??= await find(this.id); return this.user; }
  async guard(log) {
    const user = await this.getUser();
    const result = await this.validator.getResult(log);
    return [user, result];
  }
}
class Mfa {
  cache = new Cache();
  constructor(private readonly users: Users, private other: Other) {}
  async guard() {
    const user = await this.users.getUser(1);
    const other = await this.other.getOther(1);
    return [user, other];
  }
  async more() {
    const row = await this.cache.getRow(1);
    const other = await this.other.getOther(1);
    return [row, other];
  }
}
class Users { async getUser(id) { return (this.found ??= await find(id)); } }
class Cache { async getRow(id) { this.row = await find(id); return this.row; } }
class Other { async getOther(id) { return find(id); } }
async function scan(factory, tempFolder, dal) {
  const path = await factory.getFullPath({ tempFolder });
  const config = await dal.findOne(1);
  return [path, config];
}
async function pack(dal) {
  const config = await dal.findOne(1);
  const path = await getArchive(os.tmpdir());
  return [path, config];
}
",
    );
    // A template is not for a while.
    let text = "async function f(template) { const a = await getA(template); const b = await getB(1); return [a, b]; }";
    assert_eq!(setup.findings(&RULE, text).len(), 1);
}

#[test]
fn ru1_async_parallel_follows_fields() {
    let text = "import { Validator } from './validator';
export class Mfa {
  private readonly validator: Validator;
  constructor(a: string, private readonly context: Context) { this.validator = new Validator(a); }
  async check() {
    const { key } = await this.validator.getData();
    const factors = await this.validator.getFactors();
    return [key, factors];
  }
}
";
    let there = |body: &str| {
        let file = format!(
            "export class Validator {{\n  private cache?: Data;\n  public async getData() {{ {body} }}\n  public async getFactors() {{ return sorted(await this.getData()); }}\n}}\n"
        );
        Setup::new().file("src/validator.ts", &file).findings(&RULE, text).len()
    };
    assert_eq!(there("return find(1);"), 1);
    assert_eq!(there("this.cache ||= await this.queries.find(); return this.cache;"), 0);
}

#[test]
fn ru1_async_parallel_leaves_what_waits_for_nothing() {
    let found = |body: &str| {
        let text = "import { getMeta } from './meta';\nexport async function page(slug) {\n  const meta = await getMeta(slug);\n  const row = await db.findOne({ slug });\n  return [meta, row];\n}\n";
        let file = format!("export async function getMeta(slug) {{ {body} }}\n");
        Setup::new().file("src/meta.ts", &file).findings(&RULE, text).len()
    };
    assert_eq!(found("return fetchMeta(slug);"), 1);
    assert_eq!(
        found(
            "const found = all.find((it) => { return it.slug === slug; }); if (!found) return null; const entry = found[1]; const { key, ...meta } = { ...entry }; return meta;"
        ),
        0
    );
    assert_eq!(found("const hit = load(slug); return hit;"), 1);
}
