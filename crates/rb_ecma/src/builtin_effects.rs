//! Effects of functions, methods and constructors that come with the language: one table for every analysis of effects.
//!
//! The analyses ask questions of different strength. From strong to weak:
//!
//! - `Module::is_total`: it reads, and cannot throw. The value may be computed earlier, later or not at all.
//! - `Module::is_pure0`, `is_pure1`: no effect, by types that are written. Edits that no person looks at stand on these.
//! - `Module::is_readonly_async`: it waits, and only reads. It may begin earlier.
//! - what `rb_recipes` calls quiet: code of a module that can go because nobody would notice.
//! - what goes by names, without types: enough to report something or to leave it alone, never to edit.

/// `Math.max`, `Object.keys`
pub(crate) fn is_pure_static(owner: &str, name: &str) -> bool {
    match owner {
        "Math" => name != "random",
        "Object" => ["keys", "values", "entries", "fromEntries", "is", "hasOwn"].contains(&name),
        "Array" => ["isArray", "from", "of"].contains(&name),
        "Number" => ["isFinite", "isInteger", "isNaN", "isSafeInteger", "parseFloat", "parseInt"]
            .contains(&name),
        "JSON" => ["parse", "stringify"].contains(&name),
        "String" => ["fromCharCode", "raw"].contains(&name),
        _ => false,
    }
}

/// Those that call what they are given.
pub(crate) const CALLING_METHODS: &[&str] = &[
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "map",
    "reduce",
    "reduceRight",
    "replace",
    "replaceAll",
    "some",
    "then",
    "toSorted",
];

/// Methods of arrays and texts that change nothing.
pub const PURE_METHODS: &[&str] = &[
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "concat",
    "endsWith",
    "entries",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "localeCompare",
    "map",
    "match",
    "normalize",
    "padEnd",
    "padStart",
    "reduce",
    "reduceRight",
    "repeat",
    "replace",
    "replaceAll",
    "search",
    "slice",
    "some",
    "split",
    "startsWith",
    "substring",
    "toFixed",
    "toLowerCase",
    "toReversed",
    "toSorted",
    "toString",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
    "values",
];

/// Functions without effect that never throw for primitive values.
pub const PURE_FUNCTIONS: &[&str] =
    &["Boolean", "Number", "String", "isFinite", "isNaN", "parseFloat", "parseInt"];

/// By name: a function that changes nothing, though it may throw or make something new.
pub fn is_quiet_function(name: &str) -> bool {
    const OTHERS: &[&str] =
        &["BigInt", "Symbol", "decodeURIComponent", "encodeURIComponent", "structuredClone"];
    PURE_FUNCTIONS.contains(&name) || OTHERS.contains(&name)
}

/// By name: a method that changes nothing, whatever it is called on.
pub fn is_quiet_method(name: &str) -> bool {
    const OTHERS: &[&str] =
        &["get", "getTime", "has", "hasOwnProperty", "matchAll", "substr", "test", "toISOString"];
    PURE_METHODS.contains(&name) || OTHERS.contains(&name)
}

/// By name: a class whose constructor changes nothing, though it may throw.
pub fn is_quiet_class(name: &str) -> bool {
    const OTHERS: &[&str] = &["Array", "Date", "Map", "RegExp", "Set", "URL", "URLSearchParams"];
    OTHERS.contains(&name) || name.ends_with("Error")
}
