//! Python: modules and packages below source roots.
//!
//! A root is what would be on `sys.path`: the folder of a script, the folder around the topmost package of the
//! importing file, and what the manifests of the tree name. Changes that programs make to it are not followed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rb_lang::{Import, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Resolution, inside, paths, single_names, toml_at, toml_strings, words};
use crate::tree::{FileId, Tree};

pub(super) struct PythonResolver<'t> {
    tree: &'t Tree,
    /// For the first part of a module: the roots that the tree's manifests name and that hold it.
    /// Short ones first.
    roots: FxHashMap<&'t str, BTreeSet<(usize, &'t str)>>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    matches!(name, "pyproject.toml" | "setup.cfg" | "pytest.ini" | "tox.ini")
}

impl<'t> PythonResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let named = named_roots(tree);
        let mut roots: FxHashMap<&'t str, BTreeSet<(usize, &'t str)>> = FxHashMap::default();
        for file in tree.files.iter().filter(|file| file.language == Some(Language::Python)) {
            let folder = paths::folder(&file.path);
            for root in paths::folders_up(folder).filter(|&root| named.contains(root)) {
                let below = paths::strip(&file.path, root).unwrap_or_default();
                let top = below.split_once('/').map_or(paths::stem(below), |(top, _)| top);
                roots.entry(top).or_default().insert((root.len(), root));
            }
        }
        PythonResolver { tree, roots }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let module = &*import.specifier;
        let rest = module.trim_start_matches('.');
        match module.len() - rest.len() {
            0 => self.absolute(from, import),
            dots => self.relative(from, dots, rest, import),
        }
    }

    fn relative(&self, from: FileId, dots: usize, module: &str, import: &Import) -> Resolution {
        let folder = paths::folder(&self.tree.get(from).path);
        let Some(base) = paths::folders_up(folder).nth(dots - 1) else {
            return Resolution::Unresolved;
        };
        let files = self.module(from, &module_path(base, module), import);
        files.and_then(inside).unwrap_or(Resolution::Unresolved)
    }

    fn absolute(&self, from: FileId, import: &Import) -> Resolution {
        let module = &*import.specifier;
        let top = module.split('.').next().unwrap_or_default();
        let mut roots: Vec<&str> = self.roots_of(from).collect();
        // A script called `redis.py` that imports `redis` does not mean itself.
        let is_other = |root: &&str| self.file(&paths::below(root, top), SOURCES) != Some(from);
        let first = roots.first().filter(|root| is_other(root));
        if STANDARD.contains(top) && !first.is_some_and(|root| self.is_regular(root, top)) {
            return Resolution::Builtin;
        }
        roots.extend(self.roots.get(top).into_iter().flatten().map(|&(_, root)| root));
        let file = self.tree.get(from);
        if file.marks.main {
            roots.push(paths::folder(&file.path));
        }
        roots.retain(is_other);
        // Packages and modules win over folders without `__init__.py`, wherever these are.
        let (regular, bare): (Vec<&str>, Vec<&str>) =
            roots.into_iter().partition(|root| self.is_regular(root, top));
        let known = !regular.is_empty();
        let mut all = regular.into_iter().chain(bare);
        let files = all.find_map(|root| self.module(from, &module_path(root, module), import));
        match files.and_then(inside) {
            Some(inside) => inside,
            None if known => Resolution::Unresolved,
            None => Resolution::External(top.into()),
        }
    }

    /// Roots that follow from where a file is: its own folder, or the one around its topmost package, then those
    /// around that. Folders inside a package are none: `import json` in `a/b.py` is not `a/json.py`.
    fn roots_of(&self, from: FileId) -> impl Iterator<Item = &'t str> {
        let folder = paths::folder(&self.tree.get(from).path);
        paths::folders_up(folder).skip_while(|folder| self.is_package(folder))
    }

    fn is_package(&self, folder: &str) -> bool {
        !folder.is_empty() && self.file(&paths::below(folder, "__init__"), &["py", "pyi"]).is_some()
    }

    /// Does the root hold a package or module of this name?
    fn is_regular(&self, root: &str, top: &str) -> bool {
        let path = paths::below(root, top);
        self.is_package(&path) || self.file(&path, SOURCES).is_some()
    }

    /// The files behind the module at `path` and the names taken from it: submodules where the names are such, the
    /// module itself for the other names.
    fn module(&self, from: FileId, path: &str, import: &Import) -> Option<Vec<FileId>> {
        let order = if self.tree.get(from).path.ends_with(".pyi") { STUBS_FIRST } else { SOURCES };
        let Some(package) = self.package(path, order) else {
            return self.file(path, order).map(|file| vec![file]);
        };
        let mut files = Vec::new();
        let mut whole = single_names(import).count() < import.names.len().max(1);
        for name in single_names(import) {
            let path = paths::below(path, name);
            let initial = self.file(&paths::below(&path, "__init__"), order);
            match initial.or_else(|| self.file(&path, order)) {
                Some(file) => files.push(file),
                None => whole = true,
            }
        }
        if whole {
            files.extend(package);
        }
        (!files.is_empty()).then_some(files)
    }

    /// `Some(None)` for a folder that is a package without `__init__.py`.
    #[expect(clippy::option_option, reason = "no package, and a package without a file of its own")]
    fn package(&self, path: &str, order: &[&str]) -> Option<Option<FileId>> {
        let initial = self.file(&paths::below(path, "__init__"), order);
        if initial.is_some() {
            return Some(initial);
        }
        let is_module = self.file(path, order).is_some();
        (!is_module && paths::has_folder(self.tree, path)).then_some(None)
    }

    fn file(&self, path: &str, extensions: &[&str]) -> Option<FileId> {
        extensions.iter().find_map(|extension| self.tree.find(&format!("{path}.{extension}")))
    }
}

/// What a module can be written in, the first found being taken.
const SOURCES: &[&str] = &["py", "pyi", "pyx"];
const STUBS_FIRST: &[&str] = &["pyi", "py", "pyx"];

fn module_path(root: &str, module: &str) -> String {
    let module = module.replace('.', "/");
    match (root, &*module) {
        (root, "") => root.to_owned(),
        (root, module) => paths::below(root, module),
    }
}

/// The top of the tree, every folder with a project in it, the `src` beside, and what the projects themselves name.
fn named_roots(tree: &Tree) -> FxHashSet<String> {
    let mut roots = FxHashSet::default();
    let mut add = |folder: &str, relative: &str| roots.extend(paths::join(folder, relative));
    add("", "");
    add("", "src");
    for file in &tree.files {
        let folder = paths::folder(&file.path);
        let name = paths::name(&file.path);
        if matches!(name, "pyproject.toml" | "setup.py" | "setup.cfg") {
            add(folder, "");
            add(folder, "src");
        }
        match (&file.manifest, name) {
            (Some(text), "pyproject.toml") => pyproject_roots(text, |root| add(folder, root)),
            (Some(text), _) if is_manifest(name) => ini_roots(text, |root| add(folder, root)),
            _ => {}
        }
    }
    roots
}

/// Where each build backend and tool says that modules are.
const FOLDER_KEYS: &[&[&str]] = &[
    &["setuptools", "package-dir", ""],
    &["setuptools", "packages", "find", "where"],
    &["hatch", "build", "sources"],
    &["hatch", "build", "targets", "wheel", "sources"],
    &["pdm", "build", "package-dir"],
    &["maturin", "python-source"],
    &["uv", "build-backend", "module-root"],
    &["pytest", "pythonpath"],
    &["pytest", "ini_options", "pythonpath"],
    &["ruff", "src"],
    &["pyright", "extraPaths"],
];

/// Where packages themselves are named; the folders around them are roots.
const PACKAGE_KEYS: &[&[&str]] =
    &[&["hatch", "build", "packages"], &["hatch", "build", "targets", "wheel", "packages"]];

fn pyproject_roots(text: &str, mut add: impl FnMut(&str)) {
    let manifest: toml::Table = toml::from_str(text).unwrap_or_default();
    let Some(tool) = manifest.get("tool").and_then(toml::Value::as_table) else { return };
    for root in FOLDER_KEYS.iter().filter_map(|keys| toml_at(tool, keys)).flat_map(toml_strings) {
        add(root);
    }
    for path in PACKAGE_KEYS.iter().filter_map(|keys| toml_at(tool, keys)).flat_map(toml_strings) {
        add(paths::folder(path.trim_end_matches('/')));
    }
    let poetry = toml_at(tool, &["poetry", "packages"]).and_then(toml::Value::as_array);
    for package in poetry.into_iter().flatten() {
        if let Some(root) = package.get("from").and_then(toml::Value::as_str) {
            add(root);
        }
    }
}

/// `pythonpath = a b` of pytest, `where = src` and `package_dir =` with `= src` below it of setuptools.
fn ini_roots(text: &str, mut add: impl FnMut(&str)) {
    let mut key = "";
    for line in text.lines() {
        let value = match line.split_once('=') {
            Some((name, value)) if !line.starts_with([' ', '\t']) => {
                key = name.trim();
                value
            }
            _ => line,
        };
        match key {
            "pythonpath" | "where" => value.split_whitespace().for_each(&mut add),
            "package_dir" => {
                if let Some(root) = value.trim().strip_prefix('=') {
                    add(root.trim());
                }
            }
            _ => {}
        }
    }
}

/// The standard library, with what earlier versions of Python 3 had.
static STANDARD: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "__future__ __main__ __phello__ _abc _aix_support _android_support _apple_support _ast \
         _ast_unparse _asyncio _bisect _blake2 _bootlocale _bootsubprocess _bz2 _codecs _codecs_cn \
         _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections _collections_abc \
         _colorize _compat_pickle _compression _contextvars _crypt _csv _ctypes _curses _curses_panel \
         _datetime _dbm _decimal _dummy_thread _elementtree _frozen_importlib \
         _frozen_importlib_external _functools _gdbm _hashlib _heapq _hmac _imp _interpchannels \
         _interpqueues _interpreters _io _ios_support _json _locale _lsprof _lzma _markupbase _md5 \
         _msi _multibytecodec _multiprocessing _opcode _opcode_metadata _operator _osx_support \
         _overlapped _peg_parser _pickle _posixshmem _posixsubprocess _py_abc _py_warnings \
         _pydatetime _pydecimal _pyio _pylong _pyrepl _queue _random _remote_debugging _scproxy _sha1 \
         _sha2 _sha256 _sha3 _sha512 _signal _sitebuiltins _socket _sqlite3 _sre _ssl _stat \
         _statistics _string _strptime _struct _suggestions _symtable _sysconfig \
         _sysconfigdata_x86_64_conda_cos6_linux_gnu _sysconfigdata_x86_64_conda_linux_gnu _thread \
         _threading_local _tkinter _tokenize _tracemalloc _types _typing _uuid _warnings _weakref \
         _weakrefset _winapi _wmi _zoneinfo _zstd abc aifc annotationlib antigravity argparse array \
         ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 \
         cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys \
         compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv \
         ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest dummy_threading \
         email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter \
         fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip \
         hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress \
         itertools json keyword lib lib2to3 linecache locale logging lzma mailbox mailcap marshal \
         math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath \
         nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle \
         pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty \
         pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib \
         resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site \
         smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse \
         ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig \
         syslog tabnanny tarfile telnetlib tempfile termios test textwrap this threading time timeit \
         tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types \
         typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg \
         winsound wsgiref xdrlib xml xmlrpc xxlimited xxsubtype zipapp zipfile zipimport zlib \
         zoneinfo",
    )
});

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- pyproject.toml
[tool.setuptools.packages.find]
where = ['lib']
[tool.pytest.ini_options]
pythonpath = 'helpers'
[tool.poetry]
packages = [{ include = 'poems', from = 'verse' }]
[tool.hatch.build.targets.wheel]
packages = ['hatched/egg']
//- lib/shop/__init__.py
//- lib/shop/models.py
//- lib/shop/models/__init__.py
//- lib/shop/json.py
//- lib/shop/views/__init__.py
//- lib/shop/views/cart.py main
//- lib/shop/views/sibling.py
//- lib/shop/fast.pyx
//- lib/shop/native.pyi
//- lib/shop/both.py
//- lib/shop/both.pyi
//- lib/shop/stub.pyi
//- lib/spaces/inner/deep.py
//- helpers/factory.py
//- verse/poems/__init__.py
//- hatched/egg/__init__.py
//- src/direct.py
//- scripts/run.py
//- scripts/random.py
//- scripts/requests.py main
//- scripts/logging/data.json
//- services/one/setup.py
//- services/one/src/one/__init__.py
//- services/two/setup.cfg
[options]
package_dir =
    = python
//- services/two/python/two/__init__.py
//- tests/__init__.py
//- tests/test_models.py
//- tests/requests/__init__.py
";

    #[test]
    fn ix3_python_absolute() {
        check(
            TREE,
            "
            tests/test_models.py: shop *
            tests/test_models.py: shop.models Cart
            tests/test_models.py: shop models views name
            tests/test_models.py: shop.views.cart *
            tests/test_models.py: shop.missing *
            tests/test_models.py: tests.test_models f
            tests/test_models.py: requests *
            tests/test_models.py: factory make
            tests/test_models.py: poems *
            tests/test_models.py: egg *
            tests/test_models.py: direct *
            tests/test_models.py: one *
            tests/test_models.py: two x
            tests/test_models.py: shop.fast f
            tests/test_models.py: shop.native f
            tests/test_models.py: shop both
            lib/shop/stub.pyi: shop both
            tests/test_models.py: numpy.linalg norm
            ",
            &expect![[r#"
                tests/test_models.py: shop * -> lib/shop/__init__.py
                tests/test_models.py: shop.models Cart -> lib/shop/models/__init__.py
                tests/test_models.py: shop models views name -> lib/shop/__init__.py lib/shop/models/__init__.py lib/shop/views/__init__.py
                tests/test_models.py: shop.views.cart * -> lib/shop/views/cart.py
                tests/test_models.py: shop.missing * -> UNRESOLVED
                tests/test_models.py: tests.test_models f -> tests/test_models.py
                tests/test_models.py: requests * -> external requests
                tests/test_models.py: factory make -> helpers/factory.py
                tests/test_models.py: poems * -> verse/poems/__init__.py
                tests/test_models.py: egg * -> hatched/egg/__init__.py
                tests/test_models.py: direct * -> src/direct.py
                tests/test_models.py: one * -> services/one/src/one/__init__.py
                tests/test_models.py: two x -> services/two/python/two/__init__.py
                tests/test_models.py: shop.fast f -> lib/shop/fast.pyx
                tests/test_models.py: shop.native f -> lib/shop/native.pyi
                tests/test_models.py: shop both -> lib/shop/both.py
                lib/shop/stub.pyi: shop both -> lib/shop/both.pyi
                tests/test_models.py: numpy.linalg norm -> external numpy
            "#]],
        );
    }

    #[test]
    fn ix3_python_relative() {
        check(
            TREE,
            "
            lib/shop/views/cart.py: . *
            lib/shop/views/cart.py: .. models
            lib/shop/views/cart.py: ..models Cart
            lib/shop/views/cart.py: ..json dumps
            lib/shop/views/cart.py: .nothing x
            lib/shop/views/cart.py: ...... x
            lib/shop/__init__.py: . views json
            lib/shop/__init__.py: .views cart Cart
            scripts/run.py: . random
            ",
            &expect![[r#"
                lib/shop/views/cart.py: . * -> lib/shop/views/__init__.py
                lib/shop/views/cart.py: .. models -> lib/shop/models/__init__.py
                lib/shop/views/cart.py: ..models Cart -> lib/shop/models/__init__.py
                lib/shop/views/cart.py: ..json dumps -> lib/shop/json.py
                lib/shop/views/cart.py: .nothing x -> UNRESOLVED
                lib/shop/views/cart.py: ...... x -> UNRESOLVED
                lib/shop/__init__.py: . views json -> lib/shop/json.py lib/shop/views/__init__.py
                lib/shop/__init__.py: .views cart Cart -> lib/shop/views/__init__.py lib/shop/views/cart.py
                scripts/run.py: . random -> scripts/random.py
            "#]],
        );
    }

    #[test]
    fn ix3_python_standard_library_and_what_shadows_it() {
        check(
            TREE,
            "
            lib/shop/models.py: json *
            lib/shop/models.py: os.path join
            lib/shop/models.py: random *
            lib/shop/views/cart.py: cart *
            lib/shop/views/cart.py: sibling *
            lib/shop/views/__init__.py: sibling *
            lib/shop/models.py: distutils *
            scripts/run.py: random *
            scripts/random.py: random *
            scripts/run.py: requests *
            scripts/requests.py: requests *
            scripts/run.py: logging *
            ",
            &expect![[r#"
                lib/shop/models.py: json * -> builtin
                lib/shop/models.py: os.path join -> builtin
                lib/shop/models.py: random * -> builtin
                lib/shop/views/cart.py: cart * -> external cart
                lib/shop/views/cart.py: sibling * -> lib/shop/views/sibling.py
                lib/shop/views/__init__.py: sibling * -> external sibling
                lib/shop/models.py: distutils * -> builtin
                scripts/run.py: random * -> scripts/random.py
                scripts/random.py: random * -> builtin
                scripts/run.py: requests * -> scripts/requests.py
                scripts/requests.py: requests * -> external requests
                scripts/run.py: logging * -> builtin
            "#]],
        );
    }

    #[test]
    fn ix3_python_folders_without_init_are_packages_last() {
        check(
            TREE,
            "
            scripts/run.py: spaces.inner.deep x
            scripts/run.py: spaces.inner deep
            scripts/run.py: spaces.inner *
            scripts/run.py: spaces.other *
            ",
            &expect![[r#"
                scripts/run.py: spaces.inner.deep x -> lib/spaces/inner/deep.py
                scripts/run.py: spaces.inner deep -> lib/spaces/inner/deep.py
                scripts/run.py: spaces.inner * -> external spaces
                scripts/run.py: spaces.other * -> external spaces
            "#]],
        );
    }

    #[test]
    fn ix3_python_hostile_manifests() {
        check(
            "
//- pyproject.toml
[tool.pytest
//- a/pyproject.toml
tool = 3
//- b/pyproject.toml
[tool.setuptools]
package-dir = [1, { '' = 2 }]
packages = 'x'
[tool.poetry]
packages = [1, {}]
//- c/setup.cfg
=
pythonpath = ../../../.. /etc
    ../..
//- x.py
",
            "
            x.py: a *
            x.py: .. x
            x.py: .....a.b.c. x
            x.py: . *
            x.py: '' *
            ",
            &expect![[r#"
                x.py: a * -> external a
                x.py: .. x -> UNRESOLVED
                x.py: .....a.b.c. x -> UNRESOLVED
                x.py: . * -> UNRESOLVED
                x.py: '' * -> UNRESOLVED
            "#]],
        );
    }
}
