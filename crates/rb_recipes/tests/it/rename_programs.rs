//! Generated programs of several files, with one symbol each that gets another name: they do what they did.

use std::fmt::Write as _;
use std::thread;

use rb_recipes::recipes::rename::RECIPE;
use rb_recipes::{Arguments, Doc, DocLanguage, Plan, PlanError, Planning, Recipe};

use crate::differential::{Dice, Program, compare, of_all};

const PROGRAMS: u64 = 1000;
/// The most that are side by side in one project.
const TOGETHER: usize = 50;
const NAMES: &[&str] = &["alpha", "beta", "gamma", "delta", "load", "read"];
const FRESH: &[&str] = &["renamed", "other", "x1", "$new"];

/// One rename in each program, as its `rename.txt` says.
static EACH: Recipe = Recipe {
    id: "rename-each",
    title: "",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "",
        before: "",
        after: "",
        safe: "",
        leaves: "",
    },
    wants: &[],
    needs: &[],
    takes: &[],
    plan: each,
};

fn each(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let mut all = Plan::default();
    let files = planning.world.all_paths();
    for path in files.iter().filter(|it| it.ends_with("/rename.txt")) {
        let text = planning.world.text(path).expect("it is there");
        let (symbol, to) = text.trim().split_once(' ').expect("two words");
        let symbol = format!("{}/{symbol}", path.split_once('/').expect("a folder").0);
        let arguments = Arguments::from([("symbol".into(), symbol), ("to".into(), to.into())]);
        match (RECIPE.plan)(&Planning { arguments: &arguments, ..*planning }) {
            Ok(plan) => {
                all.chains.extend(plan.chains);
                all.left.extend(plan.left);
            }
            Err(PlanError::Argument(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

#[derive(Clone, Default)]
struct Env {
    numbers: Vec<String>,
    functions: Vec<String>,
}

impl Env {
    fn without(&self, name: &str) -> Env {
        let keep = |from: &[String]| from.iter().filter(|it| *it != name).cloned().collect();
        Env { numbers: keep(&self.numbers), functions: keep(&self.functions) }
    }

    fn with(&self, name: &str) -> Env {
        let mut next = self.without(name);
        next.numbers.push(name.to_owned());
        next
    }
}

fn any<'o>(dice: &mut Dice, of: &'o [String]) -> Option<&'o str> {
    (!of.is_empty()).then(|| of[dice.roll(of.len())].as_str())
}

fn expression(dice: &mut Dice, env: &Env, depth: usize) -> String {
    if depth == 0 || dice.once_in(4) {
        return match any(dice, &env.numbers) {
            Some(name) if !dice.once_in(4) => name.to_owned(),
            _ => dice.roll(10).to_string(),
        };
    }
    let depth = depth - 1;
    let name = dice.pick(NAMES);
    let outer = env.without(name);
    let value = expression(dice, &outer, depth);
    let inner = expression(dice, &env.with(name), depth);
    let plain = expression(dice, env, depth);
    match dice.roll(20) {
        0..=3 => match any(dice, &env.functions) {
            Some(function) => format!("{function}({plain})"),
            None => format!("({plain} + {plain})"),
        },
        4 => format!("({plain} * 2 + {})", expression(dice, env, depth)),
        5 => format!("(({name}) => {inner})({plain})"),
        6 => format!("(({name} = {value}) => {inner})()"),
        7 => format!("((({{ {name} }}) => {inner})({{ {name}: {plain} }}))"),
        8 => format!("((({{ {name} = {value} }}) => {inner})({{}}))"),
        9 => format!("(({{ {name}: {plain} }}).{name})"),
        10 => {
            format!("(() => {{ let {name} = {value}; return ({{ {name} }}).{name} + {inner}; }})()")
        }
        11 => format!("(function {name}() {{ return {value}; }})()"),
        12 => format!(
            "(() => {{ let {name}; ({{ {name} }} = {{ {name}: {value} }}); return {inner}; }})()"
        ),
        13 => {
            format!("(() => {{ try {{ throw {plain}; }} catch ({name}) {{ return {inner}; }} }})()")
        }
        14 => format!("new (class {{ {name} = {plain}; m() {{ return this.{name}; }} }})().m()"),
        15 => format!(
            "(() => {{ let sum = 0; for (const {name} of [1, 2]) sum += {inner}; return sum; }})()"
        ),
        16 => format!(
            "(() => {{ {{ var {name} = {value}; }} {{ let {name} = 1; }} return {inner}; }})()"
        ),
        17 => format!("(() => {{ {name}: for (;;) {{ break {name}; }} return {plain}; }})()"),
        18 => match any(dice, &env.numbers) {
            Some(it) => {
                format!("(({{ {it} }}).{it} + (({{ {it}: {name} }}) => {inner})({{ {it} }}))")
            }
            None => plain,
        },
        _ => format!("[...(function* () {{ const [{name}] = [{value}]; yield {inner}; }})()][0]"),
    }
}

/// Declarations at the top of a file: names, and the text.
fn library(dice: &mut Dice) -> (Vec<(String, bool)>, String) {
    let mut names: Vec<&str> = NAMES.to_vec();
    let mut env = Env::default();
    let (mut found, mut text) = (Vec::new(), String::new());
    for _ in 0..2 + dice.roll(3) {
        let name = names.remove(dice.roll(names.len()));
        let parameter = dice.pick(NAMES);
        let inner = env.with(parameter);
        let is_function = !dice.once_in(3);
        let line = if is_function {
            let body = expression(dice, &inner, 3);
            match dice.roll(3) {
                0 => format!("function {name}({parameter}) {{ return {body}; }}"),
                1 => format!("const {name} = ({parameter}) => {body};"),
                _ => format!("let {name} = function ({parameter}) {{ return {body}; }};"),
            }
        } else {
            format!("const {name} = {};", expression(dice, &env.without(name), 3))
        };
        writeln!(text, "{line}").expect("a string takes it");
        let list = if is_function { &mut env.functions } else { &mut env.numbers };
        list.push(name.to_owned());
        found.push((name.to_owned(), is_function));
    }
    (found, text)
}

/// A file that takes names from others and uses them.
struct User<'d> {
    dice: &'d mut Dice,
    is_esm: bool,
    taken: Vec<String>,
    text: String,
    uses: Vec<String>,
}

impl User<'_> {
    fn local(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.taken.contains(&name) {
            name.push('2');
        }
        self.taken.push(name.clone());
        name
    }

    fn take(&mut self, name: &str, is_function: bool, from: &str) {
        let is_plain = !self.taken.iter().any(|it| it == name) && !self.dice.once_in(3);
        let wanted = if is_plain { name } else { self.dice.pick(NAMES) };
        let style = self.dice.roll(5);
        let local = self.local(if style == 2 { "whole" } else { wanted });
        let both = if local == name { name.to_owned() } else { self.alias(name, &local) };
        let (line, used) = match (style, self.is_esm) {
            (0 | 1, true) => (format!("import {{ {both} }} from './{from}';"), local),
            (2, true) => {
                (format!("import * as {local} from './{from}';"), format!("{local}.{name}"))
            }
            (3, true) => (String::new(), format!("(await import('./{from}')).{name}")),
            (_, true) => {
                (format!("const {{ {name}: {local} }} = await import('./{from}');"), local)
            }
            (0 | 1, false) => (format!("const {{ {both} }} = require('./{from}');"), local),
            (2, false) => {
                (format!("const {local} = require('./{from}');"), format!("{local}['{name}']"))
            }
            (3, false) => (String::new(), format!("require('./{from}').{name}")),
            (_, false) => (format!("const {local} = require('./{from}').{name};"), local),
        };
        writeln!(self.text, "{line}").expect("a string takes it");
        self.uses.push(if is_function { format!("{used}(3)") } else { used });
    }

    fn alias(&self, name: &str, local: &str) -> String {
        let between = if self.is_esm { " as" } else { ":" };
        format!("{name}{between} {local}")
    }

    fn main(mut self) -> String {
        let parameter = self.dice.pick(NAMES);
        let export = if self.is_esm {
            "export async function main"
        } else {
            "module.exports = async function"
        };
        writeln!(self.text, "{export}(log) {{").expect("a string takes it");
        let is_free = |it: &&String| !it.contains(parameter);
        for used in &self.uses {
            writeln!(self.text, "  log({used});").expect("a string takes it");
        }
        for used in self.uses.iter().filter(is_free) {
            writeln!(self.text, "  log(await (async ({parameter}) => {used} + {parameter})(1));")
                .expect("a string takes it");
        }
        self.text.push_str("  return 1;\n}\n");
        self.text
    }
}

/// What makes a library of declarations: exports in one style or another.
fn exported(dice: &mut Dice, names: &[(String, bool)], text: &mut String, is_esm: bool) {
    let is_first = dice.once_in(2);
    if !is_esm && is_first {
        writeln!(text, "module.exports = {{ {} }};", listed(names)).expect("a string takes it");
    } else if !is_esm {
        for (name, _) in names {
            writeln!(text, "exports.{name} = {name};").expect("a string takes it");
        }
    } else {
        if is_first {
            *text = text.replace("\nfunction", "\nexport function");
            *text = text.replace("\nconst", "\nexport const");
        }
        let is_declared = |name: &str| {
            text.contains(&format!("export function {name}("))
                || text.contains(&format!("export const {name} ="))
        };
        let rest: Vec<_> = names.iter().filter(|(it, _)| !is_declared(it)).cloned().collect();
        writeln!(text, "export {{ {} }};", listed(&rest)).expect("a string takes it");
    }
}

fn listed(names: &[(String, bool)]) -> String {
    names.iter().map(|(it, _)| it.as_str()).collect::<Vec<_>>().join(", ")
}

/// A file that gives all of the library on.
fn given_on(dice: &mut Dice, names: &[(String, bool)], lib: &str) -> String {
    let all = listed(names);
    let first = names[0].0.as_str();
    match (lib == "lib.mjs", dice.roll(3)) {
        (true, 0) => format!("export * from './{lib}';\n"),
        (true, 1) => format!("export {{ {all} }} from './{lib}';\n"),
        (true, _) => format!(
            "import {{ {all} }} from './{lib}';\nconst renamed = {first};\nexport {{ {all} }};\n"
        ),
        (false, 0) => {
            format!("const {{ {all} }} = require('./{lib}');\nmodule.exports = {{ {all} }};\n")
        }
        (false, _) => {
            let head = format!("const whole = require('./{lib}');\n");
            names.iter().fold(head, |all, (it, _)| format!("{all}exports.{it} = whole.{it};\n"))
        }
    }
}

fn program(seed: u64) -> Program {
    let dice = &mut Dice::new(seed + 1);
    for _ in 0..8 {
        dice.roll(2);
    }
    let (names, mut text) = library(dice);
    let is_esm = !dice.once_in(3);
    let (lib, re, main) =
        if is_esm { ("lib.mjs", "re.mjs", "main.mjs") } else { ("lib.js", "re.js", "main.js") };
    exported(dice, &names, &mut text, is_esm);
    let on = given_on(dice, &names, lib);
    let taken = vec!["main".to_owned(), "log".to_owned()];
    let mut user = User { dice, is_esm, taken, text: String::new(), uses: Vec::new() };
    for (name, is_function) in &names {
        let from = if user.dice.once_in(2) { lib } else { re };
        user.take(name, *is_function, from);
        if user.dice.once_in(2) {
            user.take(name, *is_function, re);
        }
    }
    let to_main = user.main();
    let dice = &mut Dice::new(seed * 7 + 3);
    let asked = asked(dice, &names, [(lib, &text), (re, &on), (main, &to_main)]);
    let new = if dice.once_in(3) { dice.pick(NAMES) } else { dice.pick(FRESH) };
    let fixture = format!(
        "//- {lib}\n{text}//- {re}\n{on}//- {main}\n{to_main}//- rename.txt\n{asked} {new}\n"
    );
    Program { fixture, main }
}

/// A name of the library, or any that some line declares.
fn asked(dice: &mut Dice, names: &[(String, bool)], files: [(&str, &str); 3]) -> String {
    if !dice.once_in(3) {
        return format!("{}#{}", files[0].0, names[dice.roll(names.len())].0);
    }
    let (path, text) = files[dice.roll(3)];
    let line = dice.roll(text.lines().count());
    format!("{path}:{}#{}", line + 1, dice.pick(NAMES))
}

#[test]
fn ru3_rename_programs_do_what_they_did() {
    let programs: Vec<Program> = of_all(PROGRAMS).map(program).collect();
    let shares: Vec<&[Program]> = programs.chunks(TOGETHER).collect();
    let (one, two) = shares.split_at(shares.len() / 2);
    let run = |shares: &[&[Program]]| -> usize {
        let mut changed = 0;
        for share in shares {
            let compared = compare(&EACH, share);
            compared.assert_same(share, 0);
            changed += compared.changed;
        }
        changed
    };
    let changed = thread::scope(|scope| {
        let first = scope.spawn(|| run(one));
        let second = run(two);
        first.join().expect("no program differs") + second
    });
    assert!(changed * 3 > programs.len(), "only {changed} of {} were changed", programs.len());
}
