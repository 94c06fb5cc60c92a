//! What each synchronous call of `fs` and its kin becomes. A function that is not here has no form that waits.

use super::model::How;

/// The family that a module belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// `fs`, `graceful-fs`: promises lie in `fs.promises`.
    Plain,
    /// `fs-extra`: the function without `Sync` gives a promise where it is given no callback.
    Extra,
}

/// Where a module belongs, by its specifier.
pub(super) fn family(specifier: &str) -> Option<Family> {
    match specifier {
        "fs" | "node:fs" | "graceful-fs" => Some(Family::Plain),
        "fs-extra" | "fs-extra/esm" => Some(Family::Extra),
        _ => None,
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A promise function of this name takes the same arguments and gives the same.
    Same(&'static str),
    /// `access(path).then(() => true, () => false)`
    Exists,
    /// There is none, and why.
    None(&'static str),
}

/// Both have them.
const SAME: &[(&str, &str)] = &[
    ("accessSync", "access"),
    ("appendFileSync", "appendFile"),
    ("chmodSync", "chmod"),
    ("chownSync", "chown"),
    ("copyFileSync", "copyFile"),
    ("cpSync", "cp"),
    ("lchownSync", "lchown"),
    ("linkSync", "link"),
    ("lstatSync", "lstat"),
    ("lutimesSync", "lutimes"),
    ("mkdirSync", "mkdir"),
    ("mkdtempSync", "mkdtemp"),
    ("readFileSync", "readFile"),
    ("readdirSync", "readdir"),
    ("readlinkSync", "readlink"),
    ("realpathSync", "realpath"),
    ("renameSync", "rename"),
    ("rmSync", "rm"),
    ("rmdirSync", "rmdir"),
    ("statSync", "stat"),
    ("statfsSync", "statfs"),
    ("symlinkSync", "symlink"),
    ("truncateSync", "truncate"),
    ("unlinkSync", "unlink"),
    ("utimesSync", "utimes"),
    ("writeFileSync", "writeFile"),
];

const EXTRA: &[(&str, &str)] = &[
    ("copySync", "copy"),
    ("createFileSync", "createFile"),
    ("createLinkSync", "createLink"),
    ("createSymlinkSync", "createSymlink"),
    ("emptyDirSync", "emptyDir"),
    ("emptydirSync", "emptydir"),
    ("ensureDirSync", "ensureDir"),
    ("ensureFileSync", "ensureFile"),
    ("ensureLinkSync", "ensureLink"),
    ("ensureSymlinkSync", "ensureSymlink"),
    ("existsSync", "pathExists"),
    ("mkdirpSync", "mkdirp"),
    ("mkdirsSync", "mkdirs"),
    ("moveSync", "move"),
    ("outputFileSync", "outputFile"),
    ("outputJSONSync", "outputJSON"),
    ("outputJsonSync", "outputJson"),
    ("pathExistsSync", "pathExists"),
    ("readJSONSync", "readJSON"),
    ("readJsonSync", "readJson"),
    ("removeSync", "remove"),
    ("writeJSONSync", "writeJSON"),
    ("writeJsonSync", "writeJson"),
];

/// They work on a number that `openSync` gave, where promises work on a `FileHandle`.
const DESCRIPTORS: &[&str] = &[
    "closeSync",
    "fchmodSync",
    "fchownSync",
    "fdatasyncSync",
    "fstatSync",
    "fsyncSync",
    "ftruncateSync",
    "futimesSync",
    "openSync",
    "readSync",
    "readvSync",
    "writeSync",
    "writevSync",
];

/// Calls that change nothing, so that several may be under way at once.
const READS: &[&str] = &[
    "access",
    "exists",
    "lstat",
    "pathExists",
    "readFile",
    "readJSON",
    "readJson",
    "readdir",
    "readlink",
    "realpath",
    "stat",
    "statfs",
];

/// What becomes of a synchronous function; `None` where the name is no such function.
pub(super) fn form(family: Family, name: &str) -> Option<Form> {
    let in_table =
        |table: &'static [(&str, &str)]| table.iter().find(|(it, _)| *it == name).map(|it| it.1);
    if family == Family::Extra
        && let Some(found) = in_table(EXTRA)
    {
        return Some(Form::Same(found));
    }
    if name == "existsSync" {
        return Some(Form::Exists);
    }
    if let Some(found) = in_table(SAME) {
        return Some(Form::Same(found));
    }
    if DESCRIPTORS.contains(&name) {
        return Some(Form::None(
            "takes a file descriptor, but the promise form takes a `FileHandle`",
        ));
    }
    match name {
        "opendirSync" => {
            Some(Form::None("returns a directory that is read with synchronous calls"))
        }
        "globSync" => {
            Some(Form::None("returns an array, but the promise form returns an iterator"))
        }
        "openAsBlobSync" | "mkdtempDisposableSync" => Some(Form::None("has no promise form")),
        _ => None,
    }
}

pub(super) fn is_descriptor(name: &str) -> bool {
    DESCRIPTORS.contains(&name)
}

/// Does the call only look?
pub(super) fn only_reads(name: &str) -> bool {
    READS.contains(&name)
}

/// What a call does to the files among its arguments. Making a folder with all above it and removing what may be gone do
/// no harm twice.
pub(super) fn touches(name: &str, options: &str) -> &'static [(usize, How)] {
    let says = |word: &str| options.contains(word);
    match name {
        "accessSync" | "existsSync" | "lstatSync" | "pathExistsSync" | "readdirSync"
        | "statSync" => &[(0, How::Looks)],
        "readFileSync" | "readJSONSync" | "readJsonSync" | "readlinkSync" => &[(0, How::Reads)],
        "appendFileSync" | "outputFileSync" | "outputJSONSync" | "outputJsonSync"
        | "truncateSync" | "writeFileSync" | "writeJSONSync" | "writeJsonSync" => {
            // It fails where the file is there already, as it did before.
            if says("wx") || says("ax") { &[(0, How::Claims)] } else { &[(0, How::Writes)] }
        }
        "copyFileSync" | "copySync" | "cpSync" => &[(1, How::Writes)],
        "renameSync" | "moveSync" => &[(0, How::Claims), (1, How::Writes)],
        "linkSync" | "symlinkSync" => &[(1, How::Claims)],
        "mkdirSync" if !says("recursive") => &[(0, How::Claims)],
        "rmSync" if !says("force") => &[(0, How::Claims)],
        "rmdirSync" | "unlinkSync" => &[(0, How::Claims)],
        _ => &[],
    }
}
