//! Programs that read and write real files, in several modules, run before and after `fs-async`.

use std::fmt::Write as _;

use crate::differential::{Dice, Program, compare, of_all};

const PATHS: &[&str] =
    &["'data/a.txt'", "'data/b.txt'", "'data/n.json'", "'data'", "'data/missing.txt'"];
const READABLE: &[&str] = &["'data/a.txt'", "'data/b.txt'", "'data/n.json'"];

/// How a function is written, and how it is called.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Declared,
    Arrow,
    Expression,
    Member,
    Method,
    Static,
    /// These cannot wait.
    Getter,
    Constructor,
    Generator,
}

struct Made {
    name: String,
    file: usize,
    shape: Shape,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
struct Writer<'d> {
    dice: &'d mut Dice,
    is_esm: bool,
    file: usize,
    /// The module of `fs` is bound as a whole.
    is_whole: bool,
    made: Vec<Made>,
    names: usize,
    depth: usize,
    /// How other files are imported here: as a whole, or by names.
    by_name: bool,
    used: Vec<(usize, String)>,
    /// Nothing in the program keeps a function from waiting.
    is_free: bool,
}

impl Writer<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn fs(&self, name: &str) -> String {
        if self.is_whole { format!("fs.{name}") } else { name.to_owned() }
    }

    fn path(&mut self) -> String {
        match self.dice.roll(4) {
            0 => "x".to_owned(),
            1 => self.dice.pick(READABLE).to_owned(),
            _ => self.dice.pick(PATHS).to_owned(),
        }
    }

    /// A call that reads.
    fn site(&mut self) -> String {
        let path = self.path();
        match self.dice.roll(8) {
            0 => format!("{}({path})", self.fs("existsSync")),
            1 => format!("{}({path}).size", self.fs("statSync")),
            2 => format!("{}({path}).isDirectory()", self.fs("lstatSync")),
            3 => format!("{}('data').sort().join()", self.fs("readdirSync")),
            4 => format!("{}({path}).toString().trim()", self.fs("readFileSync")),
            5 => format!("JSON.parse({}('data/n.json', 'utf8')).n", self.fs("readFileSync")),
            _ => format!("{}({path}, 'utf8')", self.fs("readFileSync")),
        }
    }

    fn call(&mut self) -> String {
        let count = self.made.len();
        if count == 0 || self.dice.once_in(4) {
            return self.site();
        }
        let at = self.dice.roll(count);
        self.call_of(at)
    }

    fn call_of(&mut self, at: usize) -> String {
        if at >= self.made.len() {
            return self.site();
        }
        let (name, file, shape) =
            (self.made[at].name.clone(), self.made[at].file, self.made[at].shape);
        let arguments = format!("log, {}", self.path());
        let owner = match shape {
            Shape::Member => format!("o{name}"),
            Shape::Method | Shape::Static | Shape::Getter | Shape::Constructor => {
                format!("C{name}")
            }
            _ => name.clone(),
        };
        let owner_here = if file == self.file {
            owner
        } else {
            self.used.push((file, owner.clone()));
            if self.by_name { owner } else { format!("m{file}.{owner}") }
        };
        match shape {
            Shape::Declared | Shape::Arrow | Shape::Expression => {
                format!("{owner_here}({arguments})")
            }
            Shape::Member | Shape::Static => format!("{owner_here}.{name}({arguments})"),
            Shape::Method => format!("new {owner_here}(1).{name}({arguments})"),
            Shape::Getter => format!("new {owner_here}(log).{name}"),
            Shape::Constructor => format!("new {owner_here}({arguments}).{name}"),
            Shape::Generator => format!("[...{owner_here}({arguments})].length"),
        }
    }

    fn value(&mut self) -> String {
        if self.depth > 4 {
            return self.site();
        }
        self.depth += 1;
        let value = match self.dice.roll(14) {
            0 | 1 => self.call(),
            2 => format!("{} + '!'", self.call()),
            3 => format!("`<${{{}}}>`", self.call()),
            4 => format!("[{}, {}]", self.call(), self.site()),
            5 => format!("{{ a: {}, b: 2 }}", self.call()),
            6 => format!("({} ? {} : 'none')", self.condition(), self.value()),
            7 => format!("String({}).length", self.value()),
            8 => format!("({} || {})", self.site(), self.call()),
            9 => format!("[...String({})].length", self.call()),
            10 => format!("(() => {})()", self.call()),
            11 => format!("{}?.toString()?.length", self.call()),
            12 => format!("typeof {}", self.call()),
            _ => self.site(),
        };
        self.depth -= 1;
        value
    }

    fn condition(&mut self) -> String {
        match self.dice.roll(5) {
            0 => format!("!{}({})", self.fs("existsSync"), self.path()),
            1 => format!("{} && {}", self.call(), self.site()),
            2 => "x".to_owned(),
            3 => format!("{} === 'alpha\\n'", self.call()),
            _ => format!("{}({})", self.fs("existsSync"), self.path()),
        }
    }

    fn list(&mut self) -> String {
        match self.dice.roll(3) {
            0 => "['data/a.txt', 'data/missing.txt', 'data/b.txt']".to_owned(),
            1 => format!("{}('data').sort().map((it) => 'data/' + it)", self.fs("readdirSync")),
            _ => "['data/a.txt', 'data/n.json']".to_owned(),
        }
    }

    fn block(&mut self, count: usize) -> String {
        let mut out = String::new();
        for _ in 0..count {
            out.push_str(&self.statement());
        }
        out
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of statement")]
    fn statement(&mut self) -> String {
        if self.depth > 3 {
            return format!("log({});\n", self.value());
        }
        self.depth += 1;
        let roll = self.dice.roll(24);
        let out = match roll {
            0..=2 => {
                let name = self.fresh();
                format!("const {name} = {};\nlog('{name}', {name});\n", self.value())
            }
            3 => format!(
                "if ({}) {{\n{}}} else {{\n{}}}\n",
                self.condition(),
                self.block(1),
                self.block(1)
            ),
            4 => format!(
                "try {{\n{}}} catch (e) {{\nlog('caught', e.code || e.message);\n{}}}\n",
                self.block(2),
                self.block(1)
            ),
            5 => format!(
                "try {{\nreturn {};\n}} catch (e) {{\nlog('caught', e.code || e.message);\n}} finally {{\nlog('finally');\n}}\n",
                self.value()
            ),
            6 => format!("for (const x of {}) {{\n{}}}\n", self.list(), self.block(2)),
            7 => format!(
                "{}.forEach((x) => {{\nif (x.endsWith('b.txt')) return;\n{}}});\n",
                self.list(),
                self.block(1)
            ),
            8 => format!("{}.forEach((x, i) => log(i, {}));\n", self.list(), self.value()),
            9 => {
                let name = self.fresh();
                format!(
                    "const {name} = ['data/a.txt', 'data/b.txt'].map((x) => {});\nlog({name});\n",
                    self.value()
                )
            }
            10 => {
                let name = self.fresh();
                let method = self.dice.pick(&["filter", "find", "some", "every"]);
                format!(
                    "const {name} = {}.{method}((x) => {});\nlog({name});\n",
                    self.list(),
                    self.condition()
                )
            }
            11 => format!(
                "return {}.{}((x) => {});\n",
                self.list(),
                self.dice.pick(&["filter", "find", "some", "every", "map"]),
                self.condition()
            ),
            12 => {
                let file = format!("out{}.txt", self.dice.roll(3));
                format!(
                    "{}('{file}', String({}));\nlog({}('{file}', 'utf8'));\n",
                    self.fs("writeFileSync"),
                    self.value(),
                    self.fs("readFileSync")
                )
            }
            13 => format!("{}('out0.txt', 'more');\n", self.fs("appendFileSync")),
            14 => {
                let name = self.fresh();
                format!(
                    "let {name} = 0;\nfor (let i = 0; i < 2; i++) {name} += String({}).length;\nlog({name});\n",
                    self.value()
                )
            }
            15 => {
                let name = self.fresh();
                format!("const {name} = (x) => {};\nlog({name}({}));\n", self.value(), self.path())
            }
            16 => {
                let name = self.fresh();
                format!(
                    "function {name}(x) {{\n{}return {};\n}}\nlog({name}({}), typeof {name});\n",
                    self.block(1),
                    self.value(),
                    self.path()
                )
            }
            17 => format!("if ({}) throw new Error('no ' + {});\n", self.condition(), self.value()),
            18 => format!(
                "switch ({}) {{\ncase true:\n{}break;\ndefault:\nlog('other');\n}}\n",
                self.condition(),
                self.block(1)
            ),
            19 => {
                let name = self.fresh();
                format!(
                    "let {name} = 0;\nwhile ({name} < 2 && {}) {{\n{name}++;\nlog({name});\n}}\n",
                    self.condition()
                )
            }
            20..=22 if self.is_free => format!("log({});\n", self.value()),
            20 => format!("log(['b', 'a'].sort((p, q) => String({}).length - 1));\n", self.site()),
            21 => format!(
                "log([1, 2].reduce((sum, n) => sum + String({}).length + n, 0));\n",
                self.site()
            ),
            22 => {
                let name = format!("shared{}", self.file);
                format!("{name} = {name} + String({}).length;\nlog({name});\n", self.call())
            }
            _ => format!("log({}, {});\n", self.value(), self.value()),
        };
        self.depth -= 1;
        out
    }

    fn function(&mut self, name: &str, shape: Shape) -> String {
        let count = 1 + self.dice.roll(2);
        let body = format!("{}return {};\n", self.block(count), self.value());
        match shape {
            Shape::Declared => format!("function {name}(log, x) {{\n{body}}}\n"),
            Shape::Arrow if self.dice.once_in(2) => {
                format!("const {name} = (log, x) => {};\n", self.value_alone())
            }
            Shape::Arrow => format!("const {name} = (log, x) => {{\n{body}}};\n"),
            Shape::Expression => format!("const {name} = function (log, x) {{\n{body}}};\n"),
            Shape::Member => {
                format!("const o{name} = {{\n{name}(log, x) {{\n{body}}},\nother: 1,\n}};\n")
            }
            Shape::Method => format!(
                "class C{name} {{\nconstructor(n) {{\nthis.n = n;\n}}\n{name}(log, x) {{\nlog(this.n);\n{body}}}\n}}\n"
            ),
            Shape::Static => format!("class C{name} {{\nstatic {name}(log, x) {{\n{body}}}\n}}\n"),
            Shape::Getter => format!(
                "class C{name} {{\nconstructor(log) {{\nthis.log = log;\n}}\nget {name}() {{\nconst log = this.log;\nconst x = 'data/a.txt';\n{body}}}\n}}\n"
            ),
            Shape::Constructor => format!(
                "class C{name} {{\nconstructor(log, x) {{\nthis.{name} = {};\n}}\n}}\n",
                self.site()
            ),
            Shape::Generator => {
                format!("function* {name}(log, x) {{\nyield {};\nyield 2;\n}}\n", self.site())
            }
        }
    }

    /// An object in braces would be a block.
    fn value_alone(&mut self) -> String {
        let value = self.value();
        if value.starts_with('{') { format!("({value})") } else { value }
    }
}

fn owner(name: &str, shape: Shape) -> String {
    match shape {
        Shape::Member => format!("o{name}"),
        Shape::Method | Shape::Static | Shape::Getter | Shape::Constructor => format!("C{name}"),
        _ => name.to_owned(),
    }
}

/// Whole, with what is exported.
fn module_text(writer: &Writer<'_>, body: &str, exports: &[String]) -> String {
    let names = [
        "existsSync",
        "statSync",
        "lstatSync",
        "readdirSync",
        "readFileSync",
        "writeFileSync",
        "appendFileSync",
    ];
    let needed: Vec<&str> =
        names.into_iter().filter(|it| body.contains(&format!("{it}("))).collect();
    let mut out = String::new();
    let extension = if writer.is_esm { "mjs" } else { "js" };
    let line = match (writer.is_esm, writer.is_whole) {
        (true, true) => "import fs from 'node:fs';\n".to_owned(),
        (true, false) => format!("import {{ {} }} from 'fs';\n", needed.join(", ")),
        (false, true) => "const fs = require('fs');\n".to_owned(),
        (false, false) => format!("const {{ {} }} = require('node:fs');\n", needed.join(", ")),
    };
    out.push_str(&line);
    let mut files: Vec<usize> = writer.used.iter().map(|it| it.0).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let mut taken: Vec<&str> =
            writer.used.iter().filter(|it| it.0 == file).map(|it| it.1.as_str()).collect();
        taken.sort_unstable();
        taken.dedup();
        let what =
            if writer.by_name { format!("{{ {} }}", taken.join(", ")) } else { format!("m{file}") };
        let line = match (writer.is_esm, writer.by_name) {
            (true, true) => format!("import {what} from './f{file}.{extension}';\n"),
            (true, false) => format!("import * as {what} from './f{file}.{extension}';\n"),
            (false, _) => format!("const {what} = require('./f{file}');\n"),
        };
        out.push_str(&line);
    }
    writeln!(out, "let shared{} = 0;", writer.file).expect("a string takes it");
    out.push_str(body);
    let word = if writer.is_esm { "export" } else { "module.exports =" };
    writeln!(out, "{word} {{ {} }};", exports.join(", ")).expect("a string takes it");
    out
}

fn program(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let is_esm = dice.once_in(2);
    let is_free = !dice.once_in(3);
    let count = 1 + dice.roll(3);
    let mut fixture =
        String::from("//- data/a.txt\nalpha\n//- data/b.txt\nbeta\n//- data/n.json\n{\"n\": 3}\n");
    let mut made: Vec<Made> = Vec::new();
    let mut names = 0;
    let extension = if is_esm { "mjs" } else { "js" };
    for file in 0..=count {
        let (is_whole, by_name) = (dice.once_in(2), dice.once_in(2));
        let mut writer = Writer {
            dice: &mut dice,
            is_esm,
            file,
            is_whole,
            made,
            names,
            depth: 0,
            by_name,
            used: Vec::new(),
            is_free,
        };
        let mut body = String::new();
        let mut exports = Vec::new();
        let is_main = file == count;
        for at in 0..=writer.dice.roll(2) {
            let shape = match writer.dice.roll(20) {
                0..=5 => Shape::Declared,
                6..=9 => Shape::Arrow,
                10 | 11 => Shape::Expression,
                12 | 13 => Shape::Member,
                14 | 15 => Shape::Method,
                16 => Shape::Static,
                _ if writer.is_free => Shape::Declared,
                17 => Shape::Getter,
                18 => Shape::Constructor,
                _ => Shape::Generator,
            };
            let name = format!("f{file}n{at}s{seed}");
            body.push_str(&writer.function(&name, shape));
            exports.push(owner(&name, shape));
            writer.made.push(Made { name, file, shape });
        }
        if is_main {
            body.push_str("async function main(log) {\n");
            for at in 0..=writer.made.len() {
                let call = writer.call_of(at);
                let call = call.replace("(x", "('data/a.txt'").replace(", x", ", 'data/b.txt'");
                writeln!(
                    body,
                    "try {{\nlog('=', {call});\n}} catch (e) {{\nlog('!', e.code, e.message);\n}}"
                )
                .expect("a string takes it");
            }
            body.push_str("return 'done';\n}\n");
            exports.push("main".to_owned());
        }
        let text = module_text(&writer, &body, &exports);
        let name = if is_main { "main".to_owned() } else { format!("f{file}") };
        writeln!(fixture, "//- {name}.{extension}\n{text}").expect("a string takes it");
        names = writer.names;
        made = writer.made;
    }
    Program { fixture, main: if is_esm { "main.mjs" } else { "main.js" } }
}

#[test]
fn ru3_fs_async_programs_do_the_same() {
    let programs: Vec<Program> = of_all(1000).map(program).collect();
    let compared = compare(&rb_recipes::recipes::fs_async::RECIPE, &programs);
    compared.assert_same(&programs, 40);
}
