//! Generated programs: modules that import from each other in every form, and a `src/main.ts` that prints.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::declaration::declaration;
use crate::dice::Dice;
use crate::expression::{
    Env, Form, Kind, NAMES, Parameter, Signature, arguments, expression, number_of,
};

pub(crate) const MAIN: &str = "src/main.ts";
pub(crate) const BARREL: &str = "src/core/index.ts";
const MODULES: [&str; 5] = [
    "src/core/base.ts",
    "src/core/more.ts",
    "src/shop.ts",
    "src/util/tools.ts",
    "src/checks.test.ts",
];

/// The same in every file that has it.
const TWIN: &str = "function twin(value: number): number {\n  return value * 2;\n}\n";

pub(crate) struct Program {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) symbols: Vec<Symbol>,
}

#[derive(Clone)]
pub(crate) struct Symbol {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// A name that a file gives to others.
#[derive(Clone)]
struct Export {
    path: String,
    name: String,
    is_default: bool,
    kind: Kind,
}

struct Builder {
    dice: Dice,
    /// `./base.js` for `base.ts`.
    has_endings: bool,
    files: BTreeMap<String, String>,
    symbols: Vec<Symbol>,
    exports: Vec<Export>,
}

pub(crate) fn program(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let has_endings = dice.once_in(3);
    let mut builder =
        Builder { dice, has_endings, files: BTreeMap::new(), symbols: vec![], exports: vec![] };
    builder.trace();
    for path in MODULES {
        if builder.dice.once_in(4) {
            continue;
        }
        builder.module(path);
        if path == "src/core/more.ts" {
            builder.barrel();
        }
    }
    builder.cycle();
    builder.main();
    Program { files: builder.files, symbols: builder.symbols }
}

/// The imports of a file in the making.
#[derive(Default)]
struct Imports {
    text: String,
    env: Env,
    taken: Vec<String>,
}

impl Imports {
    fn local(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.taken.contains(&name) {
            name.push('2');
        }
        self.taken.push(name.clone());
        name
    }
}

impl Builder {
    /// What shows in which order things happen.
    fn trace(&mut self) {
        let text = "export function trace(value: number): number {\n  console.log(\"trace\", value);\n  return value;\n}\n";
        self.files.insert("src/trace.ts".to_owned(), text.to_owned());
        let kind = takes_one("value");
        let (path, name) = ("src/trace.ts".to_owned(), "trace".to_owned());
        self.symbols.push(Symbol { path: path.clone(), name: name.clone(), kind: kind.clone() });
        self.exports.push(Export { path, name, is_default: false, kind });
    }

    fn module(&mut self, path: &str) {
        let mut imports = self.imports(path);
        let mut text = String::new();
        let mut own = Vec::new();
        let mut names: Vec<&str> = [NAMES, &["Item", "Box"]].concat();
        names.retain(|name| !imports.taken.iter().any(|taken| taken == name));
        if self.dice.once_in(3) && !imports.taken.iter().any(|taken| taken == "twin") {
            text.push_str(TWIN);
            own.push(("twin".to_owned(), takes_one("value")));
        }
        for _ in 0..2 + self.dice.roll(3) {
            let name = names.remove(self.dice.roll(names.len()));
            let (declared, kind) = declaration(&mut self.dice, &imports.env, name);
            let gap = if self.dice.once_in(3) { "" } else { "\n" };
            let comment = if self.dice.once_in(5) { "// Next one.\n" } else { "" };
            write!(text, "{gap}{comment}{declared}").expect("a string takes it");
            imports.env.values.push((name.to_owned(), kind.clone()));
            own.push((name.to_owned(), kind));
        }
        let text = self.exported(path, text, &own);
        let on = self.given_on(path, &imports);
        let between = if imports.text.is_empty() { "" } else { "\n" };
        let text = format!("{}{on}{between}{}", imports.text, text.trim_start_matches('\n'));
        self.files.insert(path.to_owned(), text);
    }

    /// Each declaration is exported: where it stands, in a list, by another name, or as the default as well.
    fn exported(&mut self, path: &str, text: String, own: &[(String, Kind)]) -> String {
        let is_inline = self.dice.once_in(2);
        let mut text = text;
        let (mut list, mut types) = (Vec::new(), Vec::new());
        for (name, kind) in own {
            let symbol = Symbol { path: path.to_owned(), name: name.clone(), kind: kind.clone() };
            self.symbols.push(symbol);
            let is_taken =
                self.exports.iter().any(|export| export.path == path && export.name == "renamed");
            let alias = !is_inline && !is_taken && self.dice.once_in(8);
            let given = if alias { "renamed" } else { name };
            self.exports.push(Export {
                path: path.to_owned(),
                name: given.to_owned(),
                is_default: false,
                kind: kind.clone(),
            });
            let both = if alias { format!("{name} as {given}") } else { name.clone() };
            match kind {
                _ if is_inline => text = inline(&text, name),
                Kind::Type => types.push(both),
                _ => list.push(both),
            }
        }
        if !list.is_empty() {
            write!(text, "\nexport {{ {} }};\n", list.join(", ")).expect("a string takes it");
        }
        if !types.is_empty() {
            writeln!(text, "export type {{ {} }};", types.join(", ")).expect("a string takes it");
        }
        let is_value = |kind: &Kind| matches!(kind, Kind::Function(_) | Kind::Class(_));
        if let Some((name, kind)) = own.iter().find(|(_, kind)| is_value(kind))
            && self.dice.once_in(3)
        {
            writeln!(text, "export default {name};").expect("a string takes it");
            let (path, kind) = (path.to_owned(), kind.clone());
            self.exports.push(Export { path, name: "default".to_owned(), is_default: true, kind });
        }
        text
    }

    /// An imported name that is exported again, sometimes.
    fn given_on(&mut self, path: &str, imports: &Imports) -> String {
        let is_plain = |(text, kind): &&(String, Kind)| {
            !text.contains('.') && text != "trace" && !matches!(kind, Kind::Type)
        };
        let known: Vec<(String, Kind)> = imports
            .env
            .values
            .iter()
            .filter(|one| imports.taken.contains(&one.0))
            .filter(is_plain)
            .cloned()
            .collect();
        let Some((name, kind)) = self.dice.pick_from(&known).cloned() else { return String::new() };
        if !self.dice.once_in(4) {
            return String::new();
        }
        let given = format!("{name}Again");
        let (path, is_default) = (path.to_owned(), false);
        self.exports.push(Export { path, name: given.clone(), is_default, kind });
        format!("export {{ {name} as {given} }};\n")
    }

    fn barrel(&mut self) {
        let mut text = String::new();
        let mut given: Vec<Export> = Vec::new();
        for (path, stem) in [("src/core/base.ts", "./base"), ("src/core/more.ts", "./more")] {
            let exports: Vec<Export> = self
                .exports
                .iter()
                .filter(|it| it.path == path && !it.is_default)
                .filter(|it| !given.iter().any(|other| other.name == it.name))
                .cloned()
                .collect();
            let specifier = if self.has_endings { format!("{stem}.js") } else { stem.to_owned() };
            let is_first = given.is_empty();
            let part = |is_type: bool| -> Vec<&str> {
                let is_wanted = |it: &&Export| matches!(it.kind, Kind::Type) == is_type;
                exports.iter().filter(is_wanted).map(|it| it.name.as_str()).collect()
            };
            if exports.is_empty() {
                continue;
            }
            if is_first && self.dice.once_in(2) {
                writeln!(text, "export * from \"{specifier}\";").expect("a string takes it");
            } else {
                for (word, names) in [("", part(false)), (" type", part(true))] {
                    if !names.is_empty() {
                        let names = names.join(", ");
                        writeln!(text, "export{word} {{ {names} }} from \"{specifier}\";")
                            .expect("a string takes it");
                    }
                }
            }
            given.extend(exports);
        }
        self.exports.extend(given.into_iter().map(|it| Export { path: BARREL.to_owned(), ..it }));
        self.files.insert(BARREL.to_owned(), text);
    }

    /// Some names of the files so far, in one form of import or another.
    fn imports(&mut self, path: &str) -> Imports {
        let mut imports = Imports::default();
        if self.dice.once_in(2) {
            let specifier = self.specifier(path, "src/trace.ts");
            writeln!(imports.text, "import {{ trace }} from \"{specifier}\";")
                .expect("a string takes it");
            let trace = self.exports[0].kind.clone();
            imports.local("trace");
            imports.env.values.push(("trace".to_owned(), trace));
        }
        let count = if path == MAIN { 8 } else { self.dice.roll(4) };
        for _ in 0..count {
            let Some(export) = self.dice.pick_from(&self.exports).cloned() else { continue };
            if export.path != "src/trace.ts" {
                self.import(path, &export, &mut imports);
            }
        }
        imports
    }

    fn import(&mut self, path: &str, export: &Export, imports: &mut Imports) {
        let specifier = self.specifier(path, &export.path);
        let name = &export.name;
        let is_type = matches!(export.kind, Kind::Type);
        let style = self.dice.roll(8);
        let (line, text) = if export.is_default {
            let local = imports.local("main");
            (format!("import {local} from \"{specifier}\";"), local)
        } else if style == 0 {
            let local = imports.local("all");
            (format!("import * as {local} from \"{specifier}\";"), format!("{local}.{name}"))
        } else if style == 1 && path == MAIN && !is_type {
            let local = imports.local("lazy");
            (format!("const {local} = await import(\"{specifier}\");"), format!("{local}.{name}"))
        } else {
            let wanted = if style == 2 { self.dice.pick(NAMES) } else { name };
            let local = imports.local(wanted);
            let both = if local == *name { name.clone() } else { format!("{name} as {local}") };
            let line = match (is_type, style) {
                (true, 3) => format!("import {{ type {both} }} from '{specifier}'"),
                (true, _) => format!("import type {{ {both} }} from \"{specifier}\";"),
                (false, 3) => format!("import {{\n  {both},\n}} from \"{specifier}\";"),
                (false, _) => format!("import {{ {both} }} from \"{specifier}\";"),
            };
            (line, local)
        };
        writeln!(imports.text, "{line}").expect("a string takes it");
        imports.env.values.push((text, export.kind.clone()));
    }

    fn specifier(&mut self, from: &str, to: &str) -> String {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (target, name) = to.rsplit_once('/').expect("a path below src");
        let up = if folder == target || target.starts_with(&format!("{folder}/")) {
            "./"
        } else {
            "../"
        };
        let down = match target.strip_prefix("src/") {
            Some(inner) if folder != target => format!("{inner}/"),
            _ => String::new(),
        };
        let stem = name.trim_end_matches(".ts");
        if to == BARREL && !self.has_endings && folder != target {
            return format!("{up}{}", down.trim_end_matches('/'));
        }
        format!("{up}{down}{stem}{}", if self.has_endings { ".js" } else { "" })
    }

    /// An early file uses a later one when it is called.
    fn cycle(&mut self) {
        let is_early = |path: &&String| path.starts_with("src/core/") && *path != BARREL;
        let Some(early) = self.files.keys().find(is_early).cloned() else { return };
        let is_late = |it: &&Export| {
            matches!(it.kind, Kind::Function(_)) && it.path == "src/shop.ts" && !it.is_default
        };
        let late: Vec<Export> = self.exports.iter().filter(is_late).cloned().collect();
        let Some(export) = self.dice.pick_from(&late).cloned() else { return };
        if !self.dice.once_in(2) {
            return;
        }
        let specifier = self.specifier(&early, &export.path);
        let Kind::Function(signature) = &export.kind else { return };
        let arguments = arguments(&mut self.dice, &Env::default().with("step"), signature, 1);
        let before = self.files.remove(&early).unwrap_or_default();
        let text = format!(
            "import {{ {} as later }} from \"{specifier}\";\n{before}\nexport function loop(step: number): number {{\n  \
             return step > 0 ? later({arguments}) : 0;\n}}\n",
            export.name
        );
        self.files.insert(early.clone(), text);
        let kind = takes_one("step");
        let name = "loop".to_owned();
        self.symbols.push(Symbol { path: early.clone(), name: name.clone(), kind: kind.clone() });
        self.exports.push(Export { path: early, name, is_default: false, kind });
    }

    fn main(&mut self) {
        let imports = self.imports(MAIN);
        let mut text = format!("{}\n", imports.text);
        for (name, kind) in &imports.env.values {
            let mut env = Env::default();
            env.values.push((name.clone(), kind.clone()));
            for _ in 0..2 {
                let shown = number_of(&mut self.dice, &env, name, kind, 2);
                writeln!(text, "console.log(\"{name}\", {shown});").expect("a string takes it");
            }
        }
        for _ in 0..4 {
            let shown = expression(&mut self.dice, &imports.env, 3);
            writeln!(text, "console.log({shown});").expect("a string takes it");
        }
        text.push_str("export {};\n");
        self.files.insert(MAIN.to_owned(), text);
    }
}

/// `export` before the declaration of a name, before each of its overloads.
fn inline(text: &str, name: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for line in &mut lines {
        let is_own =
            ["function", "const", "class", "enum", "type", "interface"].iter().any(|word| {
                line.strip_prefix(word)
                    .and_then(|rest| rest.trim_start().strip_prefix(name))
                    .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
            });
        if is_own {
            line.insert_str(0, "export ");
        }
    }
    lines.join("\n")
}

/// A function of one number.
fn takes_one(name: &str) -> Kind {
    let parameters = vec![Parameter { name: name.to_owned(), form: Form::Required }];
    Kind::Function(Signature { parameters, is_generic: false })
}
