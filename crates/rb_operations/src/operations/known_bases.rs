//! Base classes of the standard library whose members are known, so that a class that extends one is not refused altogether.

use crate::project::word_ranges;

/// May a base class outside of the project have a member of this name? Yes for those that are not known.
pub(super) fn base_has_member(base: &str, name: &str) -> bool {
    if is_dunder_like(name) {
        return true;
    }
    if let Some(fields) = base.strip_prefix("namedtuple(") {
        return TUPLE.contains(&name) || word_ranges(fields, name).next().is_some();
    }
    if base.ends_with("TestCase") && name.starts_with("assert") {
        return true;
    }
    let last = base.rsplit('.').next().unwrap_or(base);
    let is_builtin = base.starts_with("builtins.") || !base.contains('.');
    if is_builtin && (last.ends_with("Error") || last.ends_with("Warning")) {
        return EXCEPTION.contains(&name);
    }
    let is_base = |known: &str| known == base || format!("builtins.{known}") == base;
    let mut known = KNOWN.iter().filter(|(known, _)| is_base(known)).peekable();
    known.peek().is_none() || known.any(|(_, members)| members.contains(&name))
}

fn is_dunder_like(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

const NONE: &[&str] = &[];

/// Of `BaseException` and of the errors that carry more than their arguments.
const EXCEPTION: &[&str] = &[
    "add_note",
    "args",
    "characters_written",
    "encoding",
    "end",
    "end_lineno",
    "end_offset",
    "errno",
    "filename",
    "filename2",
    "lineno",
    "msg",
    "name",
    "name_from",
    "obj",
    "object",
    "offset",
    "path",
    "print_file_and_line",
    "reason",
    "start",
    "strerror",
    "text",
    "value",
    "winerror",
    "with_traceback",
];

const ENUM: &[&str] = &[
    "_generate_next_value_",
    "_ignore_",
    "_member_map_",
    "_member_names_",
    "_member_type_",
    "_missing_",
    "_name_",
    "_numeric_repr_",
    "_order_",
    "_sort_order_",
    "_unhashable_values_",
    "_use_args_",
    "_value2member_map_",
    "_value_",
    "_value_repr_",
    "mro",
    "name",
    "value",
];

const INT: &[&str] = &[
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "denominator",
    "from_bytes",
    "imag",
    "is_integer",
    "numerator",
    "real",
    "to_bytes",
];

const STR: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];

const DICT: &[&str] = &[
    "clear",
    "copy",
    "fromkeys",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
    "move_to_end",
    "default_factory",
    "most_common",
    "elements",
    "subtract",
    "total",
    "data",
];

const LIST: &[&str] = &[
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort", "data",
];

const SET: &[&str] = &[
    "add",
    "clear",
    "copy",
    "difference",
    "difference_update",
    "discard",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "symmetric_difference_update",
    "union",
    "update",
];

const TUPLE: &[&str] =
    &["count", "index", "_asdict", "_field_defaults", "_fields", "_make", "_replace"];

const TEST_CASE: &[&str] = &[
    "addClassCleanup",
    "addCleanup",
    "addTypeEqualityFunc",
    "countTestCases",
    "debug",
    "defaultTestResult",
    "doClassCleanups",
    "doCleanups",
    "enterClassContext",
    "enterContext",
    "fail",
    "failureException",
    "id",
    "longMessage",
    "maxDiff",
    "run",
    "setUp",
    "setUpClass",
    "shortDescription",
    "skipTest",
    "subTest",
    "tearDown",
    "tearDownClass",
    "_addSkip",
    "_baseAssertEqual",
    "_callCleanup",
    "_callSetUp",
    "_callTearDown",
    "_callTestMethod",
    "_classSetupFailed",
    "_class_cleanups",
    "_cleanups",
    "_deprecate",
    "_diffThreshold",
    "_formatMessage",
    "_getAssertEqualityFunc",
    "_outcome",
    "_subtest",
    "_testMethodDoc",
    "_testMethodName",
    "_truncateMessage",
    "_type_equality_funcs",
    "addAsyncCleanup",
    "asyncSetUp",
    "asyncTearDown",
    "enterAsyncContext",
    "loop_factory",
];

/// A base with members of two kinds is here twice.
const KNOWN: &[(&str, &[&str])] = &[
    ("object", NONE),
    ("Exception", EXCEPTION),
    ("BaseException", EXCEPTION),
    ("dict", DICT),
    ("list", LIST),
    ("set", SET),
    ("frozenset", SET),
    ("tuple", TUPLE),
    ("int", INT),
    ("str", STR),
    ("abc.ABC", &["register", "mro", "_abc_impl"]),
    ("typing.Generic", &["_is_protocol"]),
    ("typing.Protocol", &["_is_protocol", "_is_runtime_protocol"]),
    ("typing_extensions.Protocol", &["_is_protocol", "_is_runtime_protocol"]),
    ("typing.NamedTuple", TUPLE),
    ("enum.Enum", ENUM),
    ("enum.Flag", ENUM),
    ("enum.IntEnum", ENUM),
    ("enum.IntEnum", INT),
    ("enum.IntFlag", ENUM),
    ("enum.IntFlag", INT),
    ("enum.StrEnum", ENUM),
    ("enum.StrEnum", STR),
    ("collections.OrderedDict", DICT),
    ("collections.defaultdict", DICT),
    ("collections.Counter", DICT),
    ("collections.UserDict", DICT),
    ("collections.UserList", LIST),
    ("collections.abc.Hashable", NONE),
    ("collections.abc.Callable", NONE),
    ("collections.abc.Sized", NONE),
    ("collections.abc.Iterable", NONE),
    ("collections.abc.Iterator", NONE),
    ("collections.abc.Container", NONE),
    ("collections.abc.Collection", NONE),
    ("collections.abc.Mapping", DICT),
    ("collections.abc.MutableMapping", DICT),
    ("collections.abc.Sequence", LIST),
    ("collections.abc.MutableSequence", LIST),
    ("typing.Hashable", NONE),
    ("typing.Callable", NONE),
    ("typing.Sized", NONE),
    ("typing.Iterable", NONE),
    ("typing.Iterator", NONE),
    ("typing.Container", NONE),
    ("typing.Collection", NONE),
    ("typing.Mapping", DICT),
    ("typing.MutableMapping", DICT),
    ("typing.Sequence", LIST),
    ("typing.MutableSequence", LIST),
    ("unittest.TestCase", TEST_CASE),
    ("unittest.case.TestCase", TEST_CASE),
    ("unittest.IsolatedAsyncioTestCase", TEST_CASE),
];
