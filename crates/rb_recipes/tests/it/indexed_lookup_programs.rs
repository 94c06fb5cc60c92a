//! Programs that search lists in loops: duplicates, NaN, holes, missing elements, lists that change meanwhile.

use std::fmt::Write as _;

use crate::differential::{Dice, Program};

/// Values that are equal to themselves in one way and not in another.
const VALUES: &[&str] = &[
    "'a'",
    "'b'",
    "'c'",
    "'d'",
    "'e'",
    "1",
    "2",
    "3",
    "0",
    "-0",
    "NaN",
    "undefined",
    "null",
    "true",
    "one",
    "two",
    "'1'",
];

const TEXTS: &[&str] = &["'a'", "'b'", "'c'", "'d'", "'e'", "'f'", "''", "'1'"];

pub(crate) fn programs(count: u64) -> Vec<Program> {
    (0..count).map(program).collect()
}

fn program(seed: u64) -> Program {
    let mut dice = Dice::new(seed + 1);
    let mut text = String::from(
        "const one = { id: 'one' };\nconst two = { id: 'two' };\nconst tick = () => new Promise((done) => setImmediate(done));\n",
    );
    let is_global = dice.once_in(4);
    let mut body = String::new();
    let list = list(&mut dice, if is_global { &mut text } else { &mut body }, is_global);
    writeln!(body, "  const words = {};", literal(&mut dice, VALUES, 16, false))
        .expect("a string takes it");
    let rounds = 1 + dice.roll(3);
    for at in 0..rounds {
        body.push_str(&section(&mut dice, &list, at));
    }
    if dice.once_in(3) {
        helper(&mut dice, &mut text, &mut body, &list);
    }
    if dice.once_in(12) {
        writeln!(body, "  log('after', {});", list.name).expect("a string takes it");
    }
    let is_esm = dice.once_in(2);
    let export = if is_esm { "export " } else { "" };
    writeln!(text, "{export}async function main(log) {{\n  const out = [];\n  try {{\n{body}  }} finally {{\n    log(out);\n  }}\n}}").expect("a string takes it");
    if !is_esm {
        text.push_str("module.exports = { main };\n");
    }
    let main = if is_esm { "main.mjs" } else { "main.cjs" };
    Program { fixture: format!("//- {main}\n{text}"), main }
}

struct List {
    name: &'static str,
    /// Elements have `id` and `at`.
    is_keyed: bool,
    /// Another name for it.
    alias: Option<&'static str>,
}

fn literal(dice: &mut Dice, values: &[&str], least: usize, holes: bool) -> String {
    let count = least + dice.roll(5);
    let mut parts: Vec<String> = (0..count).map(|_| dice.pick(values).to_owned()).collect();
    if holes && dice.once_in(4) {
        let at = dice.roll(count);
        parts[at] = String::new();
        parts.push("'z'".to_owned());
    }
    format!("[{}]", parts.join(", "))
}

/// Declares a list in one of many ways.
fn list(dice: &mut Dice, out: &mut String, is_global: bool) -> List {
    let tab = if is_global { "" } else { "  " };
    let is_keyed = dice.once_in(2);
    let word = if dice.once_in(5) { "let" } else { "const" };
    let name = if is_keyed { "items" } else { "names" };
    let texts = dice.once_in(2);
    let values = literal(dice, if texts { TEXTS } else { VALUES }, 16, true);
    let init = if is_keyed {
        match dice.roll(7) {
            0 | 1 => format!("{values}.map((id, at) => ({{ id, at }}))"),
            2 => format!("{values}.map((id, at) => ({{ at, id: `${{String(id)}}` }}))"),
            3 => format!("{values}.map((id, at) => (at === 9 ? null : {{ id, at }}))"),
            4 => format!(
                "{values}.map((id, at) => ({{ at, get id() {{ this.at += 1; return id; }} }}))"
            ),
            5 => "Array.from({ length: 20 }, (_, at) => ({ id: at % 7, at }))".to_owned(),
            _ => {
                let entry = |dice: &mut Dice| {
                    format!("{{ id: {}, at: {} }}", dice.pick(VALUES), dice.roll(9))
                };
                let entries: Vec<String> = (0..17).map(|_| entry(dice)).collect();
                format!("[{}]", entries.join(", "))
            }
        }
    } else {
        match dice.roll(8) {
            0 | 1 => values,
            2 => format!("{values}.map((it) => it)"),
            3 => format!("{values}.filter((it) => it !== 'e')"),
            4 => "'a,b,c,d,a,e,1,2,3,a,b,c,x,y,z,a,b'.split(',')".to_owned(),
            5 => format!("[...{values}, 'q']"),
            6 => "'abcdefghijklmnopqrstuvwxyz1'".to_owned(),
            _ => "Object.keys({ a: 1, b: 2, c: 3, 1: 4, e: 5, f: 6 }).map((it) => `${it}`)"
                .to_owned(),
        }
    };
    writeln!(out, "{tab}{word} {name} = {init};").expect("a string takes it");
    if dice.once_in(6) {
        let more = if is_keyed { "{ id: 'a', at: 99 }" } else { "'late'" };
        let how = if name == "names" && dice.once_in(2) { "concat" } else { "slice" };
        writeln!(
            out,
            "{tab}const copy = {name}.{how}({});",
            if how == "concat" { more } else { "0" }
        )
        .expect("a string takes it");
    }
    if dice.once_in(12) {
        writeln!(out, "{tab}const alias = {name} ? {name} : [];").expect("a string takes it");
        return List { name, is_keyed, alias: Some("alias") };
    }
    List { name, is_keyed, alias: None }
}

/// A loop over `words` with searches in it.
fn section(dice: &mut Dice, list: &List, at: usize) -> String {
    let mut inside = String::new();
    for _ in 0..=dice.roll(2) {
        inside.push_str(&noise(dice, list));
        inside.push_str(&search(dice, list, at));
        if dice.once_in(4) {
            inside.push_str(&search(dice, list, at));
        }
    }
    inside.push_str(&noise(dice, list));
    let waits = inside.contains("await ");
    let word = format!("word{at}");
    let comment = if dice.once_in(6) { "  // what follows is a loop\n" } else { "" };
    let body = |text: &str| text.replace("WORD", &word);
    let inside = body(&inside);
    let leaves = inside.contains("continue;");
    let code = match dice.roll(if leaves {
        3
    } else if waits {
        4
    } else {
        11
    }) {
        0 | 1 => format!("  for (const {word} of words) {{\n{inside}  }}\n"),
        2 => format!(
            "  for (let i = 0; i < words.length; i += 1) {{\n    const {word} = words[i];\n{inside}  }}\n"
        ),
        3 if waits => {
            format!("  await Promise.all(words.map(async ({word}) => {{\n{inside}  }}));\n")
        }
        3 | 4 => format!("  words.forEach(({word}) => {{\n{inside}  }});\n"),
        5 => {
            format!("  log(words.map(({word}) => {{\n{inside}    return {word};\n  }}).length);\n")
        }
        6 => format!("  log(words.filter(({word}) => {{\n{inside}    return true;\n  }}));\n"),
        7 => format!(
            "  for (const outer of words) {{\n    for (const {word} of [outer, 'a', ...words]) {{\n{inside}    }}\n  }}\n"
        ),
        8 => format!("  if (words.length > 3) words.forEach(({word}) => {{\n{inside}  }});\n"),
        9 => format!(
            "  let n{at} = 0;\n  while (n{at} < words.length) {{\n    for (const {word} of words) {{\n{inside}    }}\n    n{at} += 2;\n  }}\n"
        ),
        _ => return quick(dice, list, &word),
    };
    format!("{comment}{code}")
}

/// A loop that is one expression.
fn quick(dice: &mut Dice, list: &List, word: &str) -> String {
    let name = list.name;
    let test = if list.is_keyed {
        match dice.roll(3) {
            0 => format!("{name}.some((it) => it.id === {word})"),
            1 => format!("{name}.find(({{ id }}) => id === {word})"),
            _ => format!("{name}.filter((it) => {word} === it.id).length > 1"),
        }
    } else {
        match dice.roll(2) {
            0 => format!("{name}.includes({word})"),
            _ => format!("!({name}.indexOf({word}) < 0)"),
        }
    };
    match dice.roll(4) {
        0 => format!("  log(words.filter(({word}) => {test}));\n"),
        1 => format!("  log(words.map(({word}) => ({{ {word}, found: {test} }})));\n"),
        2 => format!(
            "  const ask{word} = (all) => all.map(({word}) => {test});\n  log(ask{word}(words));\n"
        ),
        _ => format!("  log(words.reduce((sum, {word}) => ({test} ? sum + 1 : sum), 0));\n"),
    }
}

fn wanted(dice: &mut Dice) -> &'static str {
    match dice.roll(9) {
        0..=4 => "WORD",
        5 => "`${String(WORD)}`",
        6 => "WORD.id",
        7 => "typeof WORD",
        _ => "[WORD][0]",
    }
}

fn search(dice: &mut Dice, list: &List, at: usize) -> String {
    let (name, wanted) = (list.name, wanted(dice));
    let call = if list.is_keyed {
        match dice.roll(10) {
            0..=2 => format!("{name}.find((it) => it.id === {wanted})"),
            3 => format!("{name}.find(function (it) {{ return it.id === {wanted}; }})"),
            4 => format!("{name}.some((it) => {wanted} === it.id)"),
            5 => format!("{name}.filter((it) => it.id === {wanted}).map((it) => it.at)"),
            6 => format!("{name}.filter((it) => it.id === {wanted})"),
            7 => format!("{name}.find((it) => it.id == {wanted})"),
            8 => format!("{name}.findIndex((it) => it.id === {wanted})"),
            _ => format!("{name}.find((it) => it.id === {wanted} && it.at > 2)"),
        }
    } else {
        match dice.roll(9) {
            0..=3 => format!("{name}.includes({wanted})"),
            4 => format!("{name}.indexOf({wanted}) !== -1"),
            5 => format!("{name}.indexOf({wanted}) === -1"),
            6 => format!("!{name}.includes({wanted})"),
            7 => format!("{name}.indexOf({wanted})"),
            _ => format!("{name}.includes({wanted}, 2)"),
        }
    };
    match dice.roll(4) {
        0 => {
            let got = format!("got{at}x{}", dice.roll(1_000_000));
            let change = if call.contains(".filter(") && !call.ends_with(".at)") && dice.once_in(3)
            {
                format!("    {got}.push(WORD);\n")
            } else {
                String::new()
            };
            format!("    const {got} = {call};\n{change}    out.push({got});\n")
        }
        1 if !list.is_keyed => format!("    if ({call}) out.push('yes', WORD);\n"),
        2 if dice.once_in(3) => format!("    log(String(WORD), {call});\n"),
        _ => format!("    out.push([WORD, {call}]);\n"),
    }
}

/// What else a loop does.
fn noise(dice: &mut Dice, list: &List) -> String {
    let name = list.name;
    let own = dice.roll(1_000_000);
    if let Some(alias) = list.alias
        && dice.once_in(4)
    {
        return format!("    if (WORD === 'a') {alias}.pop?.();\n");
    }
    match dice.roll(60) {
        0 => format!(
            "    if (log && {name}.length < 40) {name}.push?.({});\n",
            if list.is_keyed { "{ id: 'b', at: 7 }" } else { "'d'" }
        ),
        1 if list.is_keyed => format!("    if ({name}[3]) {name}[3].id = 'b';\n"),
        2 => "    if (WORD === 'c') log('c');\n".to_owned(),
        3 => "    await tick();\n".to_owned(),
        4 => format!("    {name}.length > 3 && {name}.reverse?.();\n"),
        5 => "    if (WORD === 'd') continue;\n".to_owned(),
        6 => "    if (WORD === undefined) throw new Error('missing');\n".to_owned(),
        7 => format!("    const all{own} = {name};\n    if (WORD === 2) all{own}.pop?.();\n"),
        8 => format!("    const row{own} = {{ id: 'e' }};\n    row{own}.id = 'f';\n"),
        9 => format!(
            "    const change{own} = () => {{ if (WORD === 'a') {name}.shift?.(); }};\n    change{own}();\n"
        ),
        10 if list.is_keyed => {
            format!("    for (const it of {name}) if (it && it.at === 4) it.id = WORD;\n")
        }
        11 => format!("    log({name}.length);\n"),
        12 => format!("    const seen{own} = [];\n    seen{own}.push(WORD);\n"),
        13 => {
            format!("    const cut{own} = () => {name}.pop?.();\n    [WORD].forEach(cut{own});\n")
        }
        14 if list.is_keyed => {
            format!(
                "    out.push({name}.map((it) => (it && it.at === 3 ? Object.assign(it, {{ id: WORD }}) : it)).length);\n"
            )
        }
        15 if !list.is_keyed => format!("    out.push({name}.some((it) => it === WORD));\n"),
        _ => String::new(),
    }
}

/// A function that is handed the list: it has the loop, or is called in one.
fn helper(dice: &mut Dice, text: &mut String, body: &mut String, list: &List) {
    let name = list.name;
    let asked = if list.is_keyed {
        "list.find((it) => it.id === value)"
    } else {
        dice.pick(&["list.includes(value)", "list.indexOf(value) >= 0"])
    };
    let other = if dice.once_in(3) { "  log(list.length);\n" } else { "" };
    let code = if dice.once_in(2) {
        writeln!(body, "  log(count({name}, words, log));").expect("a string takes it");
        format!(
            "function count(list, values, log) {{\n{other}  return values.filter((value) => {asked}).length;\n}}\n"
        )
    } else {
        writeln!(body, "  for (const value of words) out.push(count({name}, value, log));")
            .expect("a string takes it");
        format!("const count = (list, value, log) => {{\n{other}  return {asked};\n}};\n")
    };
    text.push_str(&code);
    if dice.once_in(3) {
        let second = literal(dice, VALUES, 2, false);
        let second =
            if list.is_keyed { format!("{second}.map((id) => ({{ id }}))") } else { second };
        writeln!(body, "  log(count({second}, words, log));").expect("a string takes it");
    }
}
