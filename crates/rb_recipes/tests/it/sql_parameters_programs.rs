//! Statements of generated programs, as the database sees them before and after.

use std::fmt::Write as _;
use std::path::Path;

use rb_recipes::recipes::sql_parameters::RECIPE;

use crate::differential::{Dice, Program, compare, of_all};

const COUNT: u64 = 1000;

/// A driver as a program uses it.
struct Kind {
    package: &'static str,
    /// What makes a connection of `lib`.
    open: &'static str,
    /// Around the text: before it, between it and the old values, behind.
    call: (&'static str, &'static str, &'static str),
    /// Old values in brackets.
    in_list: bool,
    numbered: bool,
}

const KINDS: &[Kind] = &[
    Kind {
        package: "pg",
        open: "new lib.Pool()",
        call: ("await db.query(", ", ", ")"),
        in_list: true,
        numbered: true,
    },
    Kind {
        package: "pg",
        open: "new lib.Client()",
        call: ("db.query(", ", ", ", (err, res) => log('rows', res.length))"),
        in_list: true,
        numbered: true,
    },
    Kind {
        package: "@neondatabase/serverless",
        open: "new lib.Pool({})",
        call: ("await db.query(", ", ", ")"),
        in_list: true,
        numbered: true,
    },
    Kind {
        package: "mysql2",
        open: "lib.createPool({})",
        call: ("db.query(", ", ", ", (err, rows) => log('rows', rows.length))"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "mysql2/promise",
        open: "lib.createConnection({})",
        call: ("await db.query(", ", ", ")"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "mysql2/promise",
        open: "lib.createPool({})",
        call: ("await db.execute(", ", ", ")"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "mysql",
        open: "lib.createPool({})",
        call: ("db.query(", ", ", ", function (err, rows) { log('rows', rows.length); })"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "better-sqlite3",
        open: "new lib('a.db')",
        call: ("db.prepare(", ").all(", ")"),
        in_list: false,
        numbered: false,
    },
    Kind {
        package: "better-sqlite3",
        open: "lib('a.db')",
        call: ("db.prepare(", ").pluck().get(", ")"),
        in_list: false,
        numbered: false,
    },
    Kind {
        package: "sqlite3",
        open: "new lib.Database('a.db')",
        call: ("db.all(", ", ", ", (err, rows) => log('rows', rows.length))"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "sqlite3",
        open: "new (lib.verbose().Database)('a.db')",
        call: ("db.run(", ", ", ")"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "knex",
        open: "lib({ client: 'pg' })",
        call: ("await db.raw(", ", ", ")"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "sequelize",
        open: "new lib.Sequelize('x')",
        call: ("await db.query(", ", { replacements: ", " })"),
        in_list: true,
        numbered: false,
    },
    Kind {
        package: "postgres",
        open: "lib('x')",
        call: ("await db.unsafe(", ", ", ")"),
        in_list: true,
        numbered: true,
    },
];

/// A piece of a condition: text with `<…>` for holes, and old values of its marks.
struct Part {
    text: String,
    old: Vec<String>,
}

struct Writer<'d> {
    dice: &'d mut Dice,
    kind: &'static Kind,
    marks: usize,
    hostile: bool,
}

impl Writer<'_> {
    fn mark(&mut self) -> String {
        self.marks += 1;
        if self.kind.numbered { format!("${}", self.marks) } else { "?".to_owned() }
    }

    fn part(&mut self) -> Part {
        let column = self.dice.pick(&["a", "t.b", "c_d", "\"e\"", "f"]);
        let column = if self.kind.package.starts_with("mysql") {
            column.replace('"', "")
        } else {
            column.to_owned()
        };
        let number = self.dice.pick(&[
            "id",
            "o.n",
            "o.in.deep",
            "nums[1]",
            "Number(s5)",
            "nums.length",
            "this_.n",
        ]);
        let string = self.dice.pick(&[
            "name",
            "o.s",
            "next('x')",
            "name.trim()",
            "o.in.t",
            "`${name}!`",
            "esc.replace(/'/g, \"''\")",
        ]);
        let op = self.dice.pick(&["=", "<>", ">=", "<", "!="]);
        let plain = |text: String| Part { text, old: Vec::new() };
        match self.dice.roll(if self.hostile { 6 } else { 19 }) {
            0 | 1 => plain(format!("{column} {op} '<{string}>'")),
            2 => plain(format!("{column} LIKE '%<{string}>%'")),
            3 => plain(format!("{column} = 'pre <{string}> & <{string}>'")),
            4 => plain(format!("{column} NOT LIKE '<{string}>_'")),
            5 | 6 => plain(format!("{column} {op} <{number}>")),
            7 => plain(format!("{column} BETWEEN <{number}> AND <{number}>")),
            8 => plain(format!("{column} IN (<nums.join(',')>)")),
            9 => plain(format!("{column} IN (<names.map((x) => `'${{x}}'`).join(', ')>)")),
            10 => plain(
                format!("{column} NOT IN (<number>, '<string>')")
                    .replace("<number>", &format!("<{number}>"))
                    .replace("<string>", &format!("<{string}>")),
            ),
            11 => {
                let mark = self.mark();
                Part {
                    text: format!("{column} {op} {mark}"),
                    old: vec![(*self.dice.pick(&["7", "name", "o.n"])).to_owned()],
                }
            }
            12 => plain(format!("{column} = 'plain''s text'")),
            13 => plain(format!("<{}> = 1", self.dice.pick(&["'a'", "cols[0]", "col"]))),
            14 => plain(format!("({column} = <{number}> OR {column} IS NULL)")),
            15 => plain(format!("lower({column}) = '<{string}>'")),
            16 => plain(format!("{column} = <flag>")),
            17 => plain(format!("{column} > <nothing>")),
            _ => plain(format!("{column} {op} '<{number}>'")),
        }
    }
}

/// The text in code: a template, or a sum.
fn code_of(text: &str, dice: &mut Dice) -> String {
    let mut parts: Vec<(bool, String)> = Vec::new();
    for (at, piece) in text.split('<').enumerate() {
        // `<` also compares; a hole has its end before any space that follows one.
        match piece.split_once('>') {
            Some((hole, rest)) if at > 0 && is_hole(hole) => {
                parts.push((true, hole.to_owned()));
                parts.push((false, rest.to_owned()));
            }
            _ if at == 0 => parts.push((false, piece.to_owned())),
            _ => parts.last_mut().expect("there is a first").1.extend(["<", piece]),
        }
    }
    if dice.once_in(3) {
        let quoted = |it: &str| {
            format!("\"{}\"", it.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
        };
        let sum: Vec<String> = parts
            .iter()
            .filter(|(is_hole, it)| *is_hole || !it.is_empty())
            .map(|(is_hole, it)| if *is_hole { it.clone() } else { quoted(it) })
            .collect();
        return sum.join(" + ");
    }
    let template: String = parts
        .iter()
        .map(|(is_hole, it)| if *is_hole { format!("${{{it}}}") } else { it.clone() })
        .collect();
    format!("`{template}`")
}

fn is_hole(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '`' || c == '\'') && !text.contains('\n')
}

fn statement(writer: &mut Writer<'_>) -> (String, Vec<String>) {
    let count = 1 + writer.dice.roll(3);
    let parts: Vec<Part> = (0..count).map(|_| writer.part()).collect();
    let old = parts.iter().flat_map(|it| it.old.clone()).collect();
    let joined: Vec<&str> = parts.iter().map(|it| it.text.as_str()).collect();
    let glue = writer.dice.pick(&[" AND ", " OR ", "\n    AND "]);
    let conditions = joined.join(glue);
    let text = match writer.dice.roll(6) {
        0 => format!("SELECT * FROM t WHERE {conditions}"),
        1 => format!(
            "SELECT a, count(*) FROM t /* all */ WHERE {conditions} GROUP BY a ORDER BY <col>"
        ),
        2 => format!("UPDATE t SET z = '<name>', y = <id> WHERE {conditions};"),
        3 => format!("DELETE FROM <table> WHERE {conditions}"),
        4 => format!("SELECT * FROM t WHERE {conditions} LIMIT <Number(s5)>"),
        _ => format!("INSERT INTO t (a, b) SELECT a, '<name>' FROM u WHERE {conditions}"),
    };
    (text, old)
}

/// The code that gives the text to the driver.
fn run(dice: &mut Dice, kind: &'static Kind, hostile: bool) -> String {
    let mut writer = Writer { dice, kind, marks: 0, hostile };
    let (text, old) = statement(&mut writer);
    let (head, middle, tail) = kind.call;
    let values = if kind.in_list { format!("[{}]", old.join(", ")) } else { old.join(", ") };
    let given = |text: &str| {
        if old.is_empty() && kind.in_list {
            let tail = if kind.package == "sequelize" { ")" } else { tail };
            return format!("{head}{text}{tail};");
        }
        format!("{head}{text}{middle}{values}{tail};")
    };
    let code = code_of(&text, dice);
    match dice.roll(6) {
        0 => format!("const sql = {code};\n  {}", given("sql")),
        1 => {
            let more = code_of(&format!(" AND g = '<{}>'", dice.pick(&["name", "o.s"])), dice);
            let last = if dice.once_in(2) { "  sql += ' AND h = 1';\n" } else { "" };
            let grows = dice.pick(&[
                "if (id) sql += MORE;",
                "if (o.s) {\n    sql += MORE;\n  }",
                "for (const name of names) {\n    sql = sql + MORE;\n  }",
            ]);
            format!(
                "let sql = {code};\n  {}\n{last}  {}",
                grows.replace("MORE", &more),
                given("sql")
            )
        }
        2 => format!(
            "const sql = {code};\n  o = {{ n: 99, s: 'other', in: {{}} }};\n  {}",
            given("sql")
        ),
        3 => format!("for (const id of nums) {{\n    {}\n  }}", given(&code)),
        4 => format!("if (flag) {{\n    {}\n  }} else {{\n    log('none');\n  }}", given(&code)),
        _ => given(&code),
    }
}

fn program(seed: u64, hostile: bool) -> Program {
    let mut dice = Dice::new(seed);
    let kind = &KINDS[dice.roll(KINDS.len())];
    let body = run(&mut dice, kind, hostile);
    let name = if hostile { "x' OR '1'='1" } else { "Anna" };
    let drivers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rb_recipes/tests/sql_drivers.js");
    let package = kind.package;
    let folder = package.to_owned();
    let mut fixture = format!(
        "//- node_modules/{folder}/index.js\nmodule.exports = require({:?}).make({:?});\n",
        drivers.display().to_string(),
        package.trim_end_matches("/promise").replace("@neondatabase/serverless", "pg"),
    );
    let is_apart = dice.once_in(3);
    let db = format!("const lib = require('{package}');\nconst db = {};\n", kind.open);
    if is_apart {
        let given = dice.pick(&["module.exports = { db };", "exports.db = db;"]);
        write!(fixture, "//- db.js\n{db}{given}\n").expect("a string takes it");
    }
    let taken = if is_apart { "const { db } = require('./db');\n".to_owned() } else { db };
    let shape = dice.pick(&[
        "async function work(log, id, name) {\n  BODY\n}\n",
        "const work = async (log, id, name) => {\n  BODY\n};\n",
        "class Store {\n  async work(log, id, name) {\n    BODY\n  }\n}\nconst work = (...args) => new Store().work(...args);\n",
    ]);
    let names = if hostile { "['it''s']".replace("''", "\\'") } else { "['Bea', 'Cy']".to_owned() };
    write!(
        fixture,
        "//- main.js\n{taken}const nums = [3, 4];\nconst names = {names};\nconst cols = ['a'];\nconst col = cols[0];\nconst table = 't' + '';\n\
         const flag = true;\nconst nothing = null;\nconst s5 = '5';\nconst this_ = {{ n: 8 }};\n\
         let o = {{ n: 6, s: \"{name}\", in: {{ deep: 1.5, t: \"{name}\" }} }};\nlet esc = 'esc';\nlet say;\n\
         function next(x) {{\n  say('next ' + x);\n  return \"{name}\";\n}}\n{}\
         exports.main = async (log) => {{\n  say = log;\n  require('{package}').__log = log;\n  await work(log, 12, \"{name}\");\n  return 'done';\n}};\n",
        shape.replace("BODY", &body)
    )
    .expect("a string takes it");
    Program { fixture, main: "main.js" }
}

#[test]
fn ru3_sql_parameters_programs_keep_their_statements() {
    let programs: Vec<Program> = of_all(COUNT).map(|seed| program(seed + 1, false)).collect();
    compare(&RECIPE, &programs).assert_same(&programs, 40);
}

/// A value with quotes in it ends up in one text.
#[test]
fn ru3_sql_parameters_programs_are_safe() {
    let programs: Vec<Program> = (0..150).map(|seed| program(seed + 50_000, true)).collect();
    let compared = compare(&RECIPE, &programs);
    assert!(compared.changed > 75, "only {} were changed", compared.changed);
    let unsafe_one = compared.different.iter().find(|(id, (_, after))| {
        let is_changed =
            compared.outcome.changed.keys().any(|path| path.starts_with(&format!("{id}/")));
        let is_bare =
            |line: &String| line.contains("' OR '1'='1") && !line.contains("'' OR ''1''=''1");
        is_changed && after.iter().any(is_bare)
    });
    if let Some((id, (before, after))) = unsafe_one {
        panic!(
            "{id}: {before:#?}\n{after:#?}\n{:#?}",
            compared
                .outcome
                .changed
                .iter()
                .filter(|(path, _)| path.starts_with(&format!("{id}/")))
                .collect::<Vec<_>>()
        );
    }
    assert!(
        compared.different.len() > 75,
        "only {} statements are another",
        compared.different.len()
    );
}
