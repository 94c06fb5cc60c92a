//! Programs of several modules that say when they are loaded, with imports nobody uses, dead code and index files.

use std::fmt::Write as _;

use rb_recipes::recipes::{dead_code, own_barrels, unused_imports};

use crate::differential::{Dice, Program, compare, of_all};

const PROGRAMS: u64 = 1200;

/// What one module gives to others.
struct Given {
    file: String,
    names: Vec<String>,
    has_default: bool,
}

/// How a program is written.
struct Way {
    id: u64,
    is_common: bool,
    end: &'static str,
    quote: char,
}

impl Way {
    fn of(dice: &mut Dice, id: u64, is_common: bool) -> Self {
        Way {
            id,
            is_common,
            end: if dice.once_in(3) { "" } else { ";" },
            quote: if dice.once_in(2) { '"' } else { '\'' },
        }
    }

    fn text(&self, text: &str) -> String {
        format!("{0}{text}{0}", self.quote)
    }

    fn extension(&self) -> &'static str {
        if self.is_common { "cjs" } else { "mjs" }
    }

    /// Says something that can be seen.
    fn says(&self, what: &str) -> String {
        let lead = if self.end.is_empty() { ";" } else { "" };
        format!("{lead}(globalThis.T{} ??= []).push({}){}", self.id, self.text(what), self.end)
    }
}

/// An import of some names of a module, and the expressions by which they are used.
fn import(dice: &mut Dice, way: &Way, from: &Given, number: usize) -> (String, Vec<String>) {
    let source = way.text(&format!("./{}", from.file));
    let end = way.end;
    let mut named = Vec::new();
    let mut uses = Vec::new();
    for name in &from.names {
        if dice.once_in(3) {
            continue;
        }
        if dice.once_in(4) {
            named.push((name.clone(), format!("{name}_{number}")));
        } else {
            named.push((name.clone(), name.clone()));
        }
    }
    let joint = if way.is_common { ": " } else { " as " };
    let list: Vec<String> = named
        .iter()
        .map(
            |(name, local)| {
                if name == local { name.clone() } else { format!("{name}{joint}{local}") }
            },
        )
        .collect();
    uses.extend(named.iter().map(|(_, local)| format!("{local}(1)")));
    let braces = if dice.once_in(4) {
        format!("{{\n  {},\n}}", list.join(",\n  "))
    } else {
        format!("{{ {} }}", list.join(", "))
    };
    let whole = format!("all{number}");
    let keyword = dice.pick(&["const", "const", "var", "let"]);
    let text = match (way.is_common, dice.roll(6)) {
        (true, 0) => {
            uses = from.names.iter().map(|it| format!("{whole}.{it}(2)")).collect();
            format!("{keyword} {whole} = require({source}){end}\n")
        }
        (true, 1) => {
            uses = vec![format!("{whole}(3)")];
            format!("{keyword} {whole} = require({source}).{}{end}\n", from.names[0])
        }
        (true, _) if !list.is_empty() => format!("{keyword} {braces} = require({source}){end}\n"),
        (true, _) => format!("require({source}){end}\n"),
        (false, 0) => {
            uses = from.names.iter().map(|it| format!("{whole}.{it}(2)")).collect();
            format!("import * as {whole} from {source}{end}\n")
        }
        (false, 1 | 2) if from.has_default => {
            uses.push(format!("{whole}(4)"));
            if list.is_empty() {
                format!("import {whole} from {source}{end}\n")
            } else {
                format!("import {whole}, {braces} from {source}{end}\n")
            }
        }
        (false, _) if !list.is_empty() => format!("import {braces} from {source}{end}\n"),
        (false, _) => format!("import {source}{end}\n"),
    };
    (text, uses)
}

/// Statements inside of a function, with much that is never run or used.
fn body(dice: &mut Dice, way: &Way, calls: &[String], number: usize) -> String {
    let end = way.end;
    let call = |dice: &mut Dice| match calls.len() {
        0 => "x".to_owned(),
        many => calls[dice.roll(many)].clone(),
    };
    let mut out = String::new();
    for at in 0..dice.roll(3) {
        let value = match dice.roll(8) {
            0 => "1".to_owned(),
            1 => format!("[x, {}]", way.text("a")),
            2 => "() => x".to_owned(),
            3 => call(dice),
            4 => format!("{{ a: x, ...{{ b: {} }} }}", dice.roll(9)),
            5 => "new Map([[1, 2]])".to_owned(),
            6 => format!("later{number}{at}"),
            _ => "x.a.b".to_owned(),
        };
        let keyword = dice.pick(&["const", "let", "var"]);
        let _ = writeln!(out, "  {keyword} local{number}{at} = {value}{end}");
        if value.starts_with("later") {
            let keyword = dice.pick(&["var", "var", "const"]);
            let _ = writeln!(out, "  {keyword} {value} = 5{end}");
        }
        if dice.once_in(3) {
            let _ = writeln!(out, "  x = x + typeof local{number}{at}{end}");
        }
    }
    let value = call(dice);
    match dice.roll(9) {
        0 => {
            let _ = write!(
                out,
                "  return kept(){end}\n  {value}{end}\n  function kept() {{ return x + 1{end} }}\n"
            );
        }
        1 => {
            let _ = write!(
                out,
                "  if (x > 2) {{\n    throw new Error(String(x)){end}\n    // never\n    {value}{end}\n  }}\n  return {value}{end}\n"
            );
        }
        2 => {
            let _ = write!(
                out,
                "  late = 3{end}\n  return late + 1{end}\n  var late{end}\n  {value}{end}\n"
            );
        }
        3 => {
            let _ = write!(
                out,
                "  switch (x) {{\n    case 1:\n      return {value}{end}\n      break{end}\n    case 2: {{\n      break{end}\n      {value}{end}\n    }}\n    default:\n      x = 9{end}\n  }}\n  return x{end}\n"
            );
        }
        4 => {
            let _ = write!(
                out,
                "  outer: for (const i of [1, 2, 3]) {{\n    for (;;) {{\n      if (i > 1) break outer{end}\n      continue outer{end}\n      const dead = {value}{end}\n      x = dead{end}\n    }}\n  }}\n  return x{end}\n"
            );
        }
        5 => {
            let _ = write!(
                out,
                "  try {{\n    return seen(){end}\n    let hidden = 1{end}\n    function seen() {{ return typeof hidden2 + x{end} }}\n    const hidden2 = {value}{end}\n  }} catch (error) {{\n    return error.name{end}\n  }}\n"
            );
        }
        6 => {
            let _ = write!(out, "  return\n  {value}{end}\n");
        }
        _ => {
            let _ = writeln!(out, "  return {value}{end}");
        }
    }
    out
}

/// Declarations at the top that may be dead.
fn dead(dice: &mut Dice, way: &Way, calls: &mut Vec<String>, number: usize) -> String {
    let end = way.end;
    let name = format!("dead{number}");
    let used = if dice.once_in(3) { Some(format!("{name}(x)")) } else { None };
    let inner = body(dice, way, calls, number + 50);
    let text = match dice.roll(9) {
        0 | 1 => format!("function {name}(x) {{\n{inner}}}\n"),
        2 => format!("const {name} = (x) => {{\n{inner}}}{end}\n"),
        3 => {
            let effect = if dice.once_in(3) {
                format!("  static {{ {} }}\n", way.says(&name))
            } else {
                String::new()
            };
            let base = dice.pick(&["", " extends Error", " extends Base"]);
            let lead = if base.ends_with("Base") { "class Base {}\n" } else { "" };
            if let Some(use_) = &used {
                calls.push(format!("new {name}().read({})", use_.len()));
            }
            let lead = if calls.iter().any(|it| it.contains("Base")) { "" } else { lead };
            let base = if lead.is_empty() && base.ends_with("Base") { "" } else { base };
            return format!(
                "{lead}class {name}{base} {{\n  #a = 1{end}\n  #b = {}{end}\n{effect}  #m() {{ return this.#a{end} }}\n  read(x) {{ return {}{end} }}\n}}\n",
                dice.pick(&["2", "[3]", "Date.now"]),
                dice.pick(&["x", "this.#a + x", "this.#m()", "#b in this"])
            );
        }
        4 => format!(
            "const {name} = {}{end}\n",
            dice.pick(&[
                "1",
                "'a'",
                "[1, 2]",
                "{ a: 1 }",
                "/x/g",
                "`a`",
                "new Set([1])",
                "Symbol('s')"
            ])
        ),
        5 => format!("let {name} = (() => {{ {}; return 1{end} }})(){end}\n", way.says(&name)),
        6 => format!(
            "var {name} = 1, {name}b = () => {name}, {name}c = {}{end}\n",
            dice.pick(&["2", "[].length", "[].at(0)"])
        ),
        7 => {
            return format!(
                "// about {name}\nfunction {name}a(x) {{\n  return x > 0 ? {name}b(x - 1) : 0{end}\n}}\n/** {name} too */\nfunction {name}b(x) {{ return {name}a(x){end} }}\n"
            );
        }
        _ => format!(
            "async function* {name}(x) {{ yield x{end}\n return{end}\n yield {}{end} }}\n",
            calls.first().map_or("1", |it| it.as_str())
        ),
    };
    if let Some(used) = used
        && text.contains("(x)")
    {
        calls.push(used);
    }
    text
}

/// One module: imports, effects, dead and living code.
fn module(
    dice: &mut Dice,
    way: &Way,
    at: usize,
    lower: &[Given],
    wants_dead: bool,
) -> (String, Given) {
    let file = format!("m{at}.{}", way.extension());
    let mut out = String::new();
    let mut calls: Vec<String> = Vec::new();
    if dice.once_in(3) {
        let _ = writeln!(out, "// Heading of {file}\n");
    }
    for (number, from) in lower.iter().enumerate() {
        if dice.once_in(2) {
            let (text, uses) = import(dice, way, from, at * 10 + number);
            out.push_str(&text);
            // Often nothing of it is used, or not all.
            calls.extend(uses.into_iter().filter(|_| !dice.once_in(2)));
        }
    }
    if dice.once_in(3) {
        let source = way.text("node:path");
        let text = match (way.is_common, dice.roll(2)) {
            (true, 0) => format!("const path = require({source}){}\n", way.end),
            (true, _) => format!("const {{ join, sep }} = require({source}){}\n", way.end),
            (false, 0) => format!("import path from {source}{}\n", way.end),
            (false, _) => format!("import {{ join, sep }} from {source}{}\n", way.end),
        };
        if text.contains("join") && dice.once_in(2) {
            calls.push(format!("join({}, String(x))", way.text("a")));
        }
        out.push_str(&text);
    }
    if dice.once_in(3) {
        let _ = writeln!(out, "{}", way.says(&file));
    }
    if wants_dead {
        for number in 0..dice.roll(4) {
            let text = dead(dice, way, &mut calls, at * 10 + number);
            out.push_str(&text);
            if dice.once_in(4) {
                let _ = writeln!(out, "{}", way.says(&format!("{file} {number}")));
            }
        }
    }
    let mut given = Given { file, names: Vec::new(), has_default: false };
    for number in 0..=dice.roll(3) {
        let name = format!("f{at}_{number}");
        let inner = body(dice, way, &calls, number);
        let keyword = if way.is_common { "" } else { "export " };
        let _ = write!(out, "{keyword}function {name}(x) {{\n{inner}}}\n");
        if way.is_common {
            let _ = writeln!(out, "exports.{name} = {name}{}", way.end);
        }
        given.names.push(name);
    }
    if !way.is_common && dice.once_in(2) {
        given.has_default = true;
        let _ = writeln!(
            out,
            "export default function (x) {{ return {}{} }}",
            calls.first().map_or("x", |it| it.as_str()),
            way.end
        );
    }
    (out, given)
}

/// The file that runs all, and says what was said meanwhile.
fn main_file(way: &Way, all: &[Given], at: &str) -> String {
    let mut out = String::new();
    for (number, from) in all.iter().enumerate() {
        let source = way.text(&format!("./{}", from.file));
        if way.is_common {
            let _ = writeln!(out, "const main{number} = require({source}){}", way.end);
        } else {
            let _ = writeln!(out, "import * as main{number} from {source}{}", way.end);
        }
    }
    let calls: Vec<String> = all
        .iter()
        .enumerate()
        .flat_map(|(number, from)| {
            from.names.iter().map(move |it| format!("() => main{number}.{it}"))
        })
        .collect();
    let head = if way.is_common {
        "exports.main = async function main"
    } else {
        "export async function main"
    };
    let _ = write!(
        out,
        "{head}(log) {{\n  log(globalThis.T{0}){1}\n  for (const get of [{2}]) {{\n    for (const x of [1, 2, 3]) {{\n      try {{ log(await get()(x)){1} }} catch (error) {{ log(String(error)){1} }}\n    }}\n  }}\n  return globalThis.T{0}{1}\n}}\n",
        way.id,
        way.end,
        calls.join(", ")
    );
    let _ = at;
    out
}

fn program(seed: u64, wants_dead: bool) -> Program {
    let mut dice = Dice::new(seed + 1);
    let is_common = dice.once_in(2);
    let way = Way::of(&mut dice, seed, is_common);
    let mut fixture = String::new();
    let mut all: Vec<Given> = Vec::new();
    for at in 0..2 + dice.roll(3) {
        let (text, given) = module(&mut dice, &way, at, &all, wants_dead);
        let _ = write!(fixture, "//- {}\n{text}", given.file);
        all.push(given);
    }
    // Not all are loaded by the first file itself.
    let shown: Vec<Given> = all.into_iter().rev().take(1 + dice.roll(2)).collect();
    let main = if is_common { "main.cjs" } else { "main.mjs" };
    let _ = write!(fixture, "//- {main}\n{}", main_file(&way, &shown, main));
    Program { fixture, main }
}

#[expect(clippy::too_many_lines, reason = "one program after the other, from top to bottom")]
/// Modules behind index files, some of which say something.
fn barrels(seed: u64) -> Program {
    let mut dice = Dice::new(seed + 77);
    let way = Way::of(&mut dice, seed, false);
    let mut fixture = String::new();
    let is_loud_program = dice.once_in(2);
    let modules = 2 + dice.roll(4);
    let mut index = String::new();
    let mut names: Vec<(String, String)> = Vec::new();
    let end = way.end;
    for at in 0..modules {
        let mut text = String::new();
        if at > 0 && dice.once_in(3) {
            let _ = writeln!(
                text,
                "import {{ f{0} }} from {1}{end}",
                at - 1,
                way.text(&format!("./m{}.mjs", at - 1))
            );
            let _ = writeln!(text, "export const g{at} = () => f{}(0){end}", at - 1);
        } else if at > 0 && dice.once_in(6) {
            // A circle through the index; sometimes it is read at once.
            let name = &names[dice.roll(names.len())].0;
            let _ = writeln!(text, "import {{ {name} }} from {}{end}", way.text("./index.mjs"));
            let read =
                if dice.once_in(2) { format!("typeof {name}") } else { format!("() => {name}") };
            let _ = writeln!(text, "export const g{at} = {read}{end}");
        } else {
            let _ =
                writeln!(text, "export const g{at} = {}{end}", dice.pick(&["1", "[2]", "() => 3"]));
        }
        if is_loud_program && dice.once_in(2) {
            let _ = writeln!(text, "{}", way.says(&format!("m{at}")));
        }
        let _ = writeln!(text, "export function f{at}(x) {{ return x + {at}{end} }}");
        let _ = writeln!(text, "export default class D{at} {{ n = {at}{end} }}");
        let _ = write!(fixture, "//- lib/m{at}.mjs\n{text}");
        let source = way.text(&format!("./m{at}.mjs"));
        match dice.roll(5) {
            0 => {
                let _ = writeln!(index, "export * from {source}{end}");
                names.push((format!("f{at}"), "(2)".to_owned()));
                names.push((format!("g{at}"), String::new()));
            }
            1 => {
                let _ = writeln!(
                    index,
                    "export {{ default as C{at}, f{at} as h{at} }} from {source}{end}"
                );
                names.push((format!("C{at}"), ".name".to_owned()));
                names.push((format!("h{at}"), "(3)".to_owned()));
            }
            2 => {
                let _ = writeln!(
                    index,
                    "import C{at}, {{ f{at} }} from {source}{end}\nexport {{ C{at}, f{at} as k{at} }}{end}"
                );
                names.push((format!("C{at}"), ".name".to_owned()));
                names.push((format!("k{at}"), "(4)".to_owned()));
            }
            3 => {
                let _ = writeln!(index, "export * as ns{at} from {source}{end}");
                names.push((format!("ns{at}"), format!(".f{at}(5)")));
            }
            _ => {
                let _ = writeln!(index, "export {{ f{at}, g{at} }} from {source}{end}");
                names.push((format!("f{at}"), "(6)".to_owned()));
            }
        }
    }
    if is_loud_program && dice.once_in(5) {
        let _ = writeln!(index, "{}", way.says("index"));
    }
    let _ = write!(fixture, "//- lib/index.mjs\n{index}");
    let _ = write!(
        fixture,
        "//- lib/deep/index.mjs\nexport * from {}{end}\n",
        way.text("../index.mjs")
    );
    let mut users = String::new();
    for number in 0..=dice.roll(2) {
        let mut taken: Vec<&(String, String)> = names.iter().filter(|_| dice.once_in(2)).collect();
        if taken.is_empty() {
            taken.push(&names[0]);
        }
        let barrel = dice.pick(&["./lib/index.mjs", "./lib/index.mjs", "./lib/deep/index.mjs"]);
        let list: Vec<String> =
            taken.iter().map(|(name, _)| format!("{name} as {name}_{number}")).collect();
        let mut text = String::new();
        if dice.once_in(3) {
            let _ =
                writeln!(text, "import {{ f0 as first }} from {}{end}", way.text("./lib/m0.mjs"));
        }
        let _ = writeln!(text, "import {{ {} }} from {}{end}", list.join(", "), way.text(barrel));
        if dice.once_in(4) {
            let _ = writeln!(text, "import * as every from {}{end}", way.text(barrel));
        }
        let values: Vec<String> =
            taken.iter().map(|(name, rest)| format!("{name}_{number}{rest}")).collect();
        let _ = writeln!(text, "export const run = () => [{}].map(String){end}", values.join(", "));
        let _ = write!(fixture, "//- user{number}.mjs\n{text}");
        let _ = writeln!(
            users,
            "import {{ run as run{number} }} from {}{end}",
            way.text(&format!("./user{number}.mjs"))
        );
    }
    let runs = if users.contains("run1") { "[run0(), run1()]" } else { "[run0()]" };
    let _ = write!(
        fixture,
        "//- main.mjs\n{users}export async function main(log) {{\n  log({runs}){end}\n  return globalThis.T{}{end}\n}}\n",
        way.id
    );
    Program { fixture, main: "main.mjs" }
}

#[test]
fn ru3_unused_imports_of_generated_programs() {
    let programs: Vec<Program> = of_all(PROGRAMS).map(|it| program(it, false)).collect();
    compare(&unused_imports::RECIPE, &programs).assert_same(&programs, 58);
}

#[test]
fn ru3_dead_code_of_generated_programs() {
    let programs: Vec<Program> = of_all(PROGRAMS).map(|it| program(it + 10_000, true)).collect();
    compare(&dead_code::RECIPE, &programs).assert_same(&programs, 58);
}

#[test]
fn ru3_own_barrels_of_generated_programs() {
    let programs: Vec<Program> = of_all(PROGRAMS).map(|it| barrels(it + 20_000)).collect();
    compare(&own_barrels::RECIPE, &programs).assert_same(&programs, 41);
}
