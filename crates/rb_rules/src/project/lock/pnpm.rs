//! `pnpm-lock.yaml`, from version 5 on. Keys are the package that asks and the name, `apps/web react`; the packages of
//! the store are under a star.

use super::super::lines::{Line, lines};
use super::{Ask, Table, only};

const STORE: &str = "*";

pub(super) fn read(text: &str) -> Table {
    let mut reader =
        Reader { table: Table::new(), section: "", importer: "", name: "", in_list: false };
    for line in lines(text) {
        reader.line(line);
    }
    reader.table
}

struct Reader<'a> {
    table: Table,
    /// `importers`, `packages`, or the list of a lock file for one package alone.
    section: &'a str,
    importer: &'a str,
    name: &'a str,
    in_list: bool,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: Line<'a>) {
        if line.indent == 0 {
            (self.section, self.importer, self.in_list) = (line.key, ".", is_list(line.key));
            return;
        }
        match self.section {
            "importers" => match line.indent {
                2 => self.importer = line.key,
                4 => self.in_list = is_list(line.key),
                6 => self.named(line),
                8 => self.version_of_name(line),
                _ => {}
            },
            "packages" if line.indent == 2 => self.stored(line.key),
            // A lock file of one package has the lists at the top.
            section if is_list(section) => match line.indent {
                2 => self.named(line),
                4 => self.version_of_name(line),
                _ => {}
            },
            _ => {}
        }
    }

    fn named(&mut self, line: Line<'a>) {
        self.name = line.key;
        if self.in_list && !line.value.is_empty() {
            self.add(line.value);
        }
    }

    fn version_of_name(&mut self, line: Line<'a>) {
        if self.in_list && line.key == "version" {
            self.add(line.value);
        }
    }

    /// `18.2.0(react-dom@18.2.0)`, `18.2.0_react-dom@18.2.0`, `link:../ui`.
    fn add(&mut self, version: &str) {
        let version = version.split(['(', '_']).next().unwrap_or(version);
        self.table.insert(format!("{} {}", self.importer, self.name), version.into());
    }

    /// `react@18.2.0`, `/react@18.2.0(…)`, `/react/18.2.0`.
    fn stored(&mut self, key: &str) {
        let key = key.trim_start_matches('/').split(['(', '_']).next().unwrap_or(key);
        let at = key.rfind('@').filter(|&at| at > 0).or_else(|| key.rfind('/'));
        if let Some(at) = at {
            let (name, version) = (&key[..at], &key[at + 1..]);
            self.table.insert(format!("{STORE} {name} {version}"), version.into());
        }
    }
}

fn is_list(key: &str) -> bool {
    matches!(key, "dependencies" | "devDependencies" | "optionalDependencies")
}

pub(super) fn find<'t>(table: &'t Table, inner: &str, ask: &Ask<'_>) -> Option<&'t str> {
    let importer = if inner.is_empty() { "." } else { inner };
    let own = table.get(&format!("{importer} {}", ask.name));
    own.map(|version| &**version).or_else(|| only(table, &format!("{STORE} {} ", ask.name)))
}
