//! What differs between the languages: the kinds of node and the words that the checks look for, one table each.
//!
//! The names are those of the tree-sitter grammars; a test holds them against the grammars.

use rb_lang::Language;

/// The languages whose trees are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Ecma,
    Go,
    Java,
    Ruby,
}

/// A kind of node and the word for it in messages.
pub(super) type Word = (&'static str, &'static str);

/// A part of a chain like `a.b(c).d`.
pub(super) struct Link {
    pub(super) kind: &'static str,
    /// The field that holds the rest of the chain; "" for the first child.
    pub(super) rest: &'static str,
    pub(super) is_dot: bool,
}

pub(super) struct Syntax {
    pub(super) family: Family,
    /// Functions and methods that have a name.
    pub(super) functions: &'static [&'static str],
    /// Functions without a body, as in traits and interfaces.
    pub(super) signatures: &'static [&'static str],
    pub(super) closures: &'static [&'static str],
    /// Nodes that give a closure a name when it is their `value`.
    pub(super) closure_names: &'static [&'static str],
    /// Types with fields.
    pub(super) classes: &'static [&'static str],
    /// All declarations of types.
    pub(super) types: &'static [&'static str],
    /// Nodes that are a level of indentation.
    pub(super) blocks: &'static [&'static str],
    /// Statements whose body may stand without braces.
    pub(super) open_bodies: &'static [&'static str],
    pub(super) loops: &'static [Word],
    /// Conditionals with the word `if`.
    pub(super) ifs: &'static [Word],
    /// All other conditionals.
    pub(super) choices: &'static [Word],
    pub(super) links: &'static [Link],
    /// The names of the object that a method belongs to.
    pub(super) selves: &'static [&'static str],
    pub(super) constructors: &'static [&'static str],
    /// Types that should be wrapped.
    pub(super) primitives: &'static [&'static str],
    /// Types of collections, and the nodes that are one whatever they hold.
    pub(super) collections: &'static [&'static str],
    pub(super) collection_kinds: &'static [&'static str],
    /// Assignments that always change something.
    pub(super) changes: &'static [&'static str],
    /// Methods that change their object.
    pub(super) mutators: &'static [&'static str],
    /// Methods that do so if nobody uses their result.
    pub(super) statement_mutators: &'static [&'static str],
}

/// `None` for a language without checks.
pub(super) fn syntax(language: Language) -> Option<&'static Syntax> {
    match language {
        Language::Rust => Some(&RUST),
        Language::Python => Some(&PYTHON),
        Language::JavaScript | Language::TypeScript | Language::Tsx => Some(&ECMA),
        Language::Go => Some(&GO),
        Language::Java => Some(&JAVA),
        Language::Ruby => Some(&RUBY),
        _ => None,
    }
}

const fn dot(kind: &'static str, rest: &'static str) -> Link {
    Link { kind, rest, is_dot: true }
}

const fn link(kind: &'static str, rest: &'static str) -> Link {
    Link { kind, rest, is_dot: false }
}

static RUST: Syntax = Syntax {
    family: Family::Rust,
    functions: &["function_item"],
    signatures: &["function_signature_item"],
    closures: &["closure_expression"],
    closure_names: &[],
    classes: &["struct_item"],
    types: &["struct_item", "enum_item", "union_item", "trait_item", "type_item"],
    blocks: &["block", "match_block"],
    open_bodies: &[],
    loops: &[("for_expression", "for"), ("while_expression", "while"), ("loop_expression", "loop")],
    ifs: &[("if_expression", "if")],
    choices: &[("match_expression", "match")],
    links: &[
        dot("field_expression", "value"),
        link("call_expression", "function"),
        link("generic_function", "function"),
        link("index_expression", ""),
        link("try_expression", ""),
        link("await_expression", ""),
        link("parenthesized_expression", ""),
    ],
    selves: &["self"],
    constructors: &["new"],
    primitives: &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char", "str", "String",
    ],
    collections: &[
        "Vec",
        "VecDeque",
        "LinkedList",
        "HashMap",
        "BTreeMap",
        "HashSet",
        "BTreeSet",
        "BinaryHeap",
    ],
    collection_kinds: &["array_type"],
    changes: &["compound_assignment_expr", "assignment_expression"],
    mutators: &[],
    statement_mutators: &[],
};

static PYTHON: Syntax = Syntax {
    family: Family::Python,
    functions: &["function_definition"],
    signatures: &[],
    closures: &["lambda"],
    closure_names: &[],
    classes: &["class_definition"],
    types: &["class_definition"],
    blocks: &["block"],
    open_bodies: &[],
    loops: &[("for_statement", "for"), ("while_statement", "while")],
    ifs: &[("if_statement", "if"), ("conditional_expression", "if")],
    choices: &[("match_statement", "match")],
    links: &[
        dot("attribute", "object"),
        link("call", "function"),
        link("subscript", "value"),
        link("parenthesized_expression", ""),
    ],
    selves: &["self", "cls", "super"],
    constructors: &["__init__", "__new__", "__post_init__"],
    primitives: &["int", "str", "float", "bool", "bytes", "complex"],
    collections: &[
        "list",
        "dict",
        "set",
        "frozenset",
        "deque",
        "defaultdict",
        "List",
        "Dict",
        "Set",
        "FrozenSet",
        "Deque",
        "Sequence",
        "Mapping",
    ],
    collection_kinds: &[
        "list",
        "dictionary",
        "set",
        "list_comprehension",
        "dictionary_comprehension",
        "set_comprehension",
    ],
    changes: &["augmented_assignment"],
    mutators: &["append", "extend", "pop", "popitem", "setdefault"],
    statement_mutators: &[
        "insert", "remove", "clear", "sort", "reverse", "update", "add", "discard",
    ],
};

/// JavaScript and TypeScript. Some kinds are in one of the two grammars only.
static ECMA: Syntax = Syntax {
    family: Family::Ecma,
    functions: &["function_declaration", "generator_function_declaration", "method_definition"],
    signatures: &["function_signature", "method_signature", "abstract_method_signature"],
    closures: &["arrow_function", "function_expression", "generator_function"],
    closure_names: &["variable_declarator", "pair", "public_field_definition", "field_definition"],
    classes: &["class_declaration", "abstract_class_declaration", "class"],
    types: &[
        "class_declaration",
        "abstract_class_declaration",
        "class",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
    ],
    blocks: &["statement_block", "switch_body"],
    open_bodies: &[
        "if_statement",
        "else_clause",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
    ],
    loops: &[
        ("for_statement", "for"),
        ("for_in_statement", "for"),
        ("while_statement", "while"),
        ("do_statement", "do"),
    ],
    ifs: &[("if_statement", "if")],
    choices: &[("switch_statement", "switch"), ("ternary_expression", "?:")],
    links: &[
        dot("member_expression", "object"),
        link("call_expression", "function"),
        link("subscript_expression", "object"),
        link("non_null_expression", ""),
        link("parenthesized_expression", ""),
    ],
    selves: &["this", "super"],
    constructors: &["constructor"],
    primitives: &["number", "string", "boolean", "bigint"],
    collections: &[
        "Array",
        "Map",
        "Set",
        "WeakMap",
        "WeakSet",
        "ReadonlyArray",
        "ReadonlyMap",
        "ReadonlySet",
        "Record",
    ],
    collection_kinds: &["array_type", "array"],
    changes: &["assignment_expression", "augmented_assignment_expression", "update_expression"],
    mutators: &[
        "push",
        "pop",
        "shift",
        "unshift",
        "splice",
        "sort",
        "reverse",
        "fill",
        "copyWithin",
    ],
    statement_mutators: &["set", "add", "delete", "clear"],
};

static GO: Syntax = Syntax {
    family: Family::Go,
    functions: &["function_declaration", "method_declaration"],
    signatures: &["method_elem"],
    closures: &["func_literal"],
    closure_names: &[],
    classes: &["type_spec"],
    types: &["type_spec", "type_alias"],
    blocks: &["block", "expression_case", "type_case", "communication_case", "default_case"],
    open_bodies: &[],
    loops: &[("for_statement", "for")],
    ifs: &[("if_statement", "if")],
    choices: &[("expression_switch_statement", "switch"), ("type_switch_statement", "switch")],
    links: &[
        dot("selector_expression", "operand"),
        link("call_expression", "function"),
        link("index_expression", "operand"),
        link("slice_expression", "operand"),
        link("type_assertion_expression", "operand"),
        link("parenthesized_expression", ""),
    ],
    // A receiver has a name of its own.
    selves: &[],
    constructors: &[],
    primitives: &[
        "int",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "uintptr",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "byte",
        "rune",
        "string",
        "bool",
    ],
    collections: &[],
    collection_kinds: &["slice_type", "array_type", "map_type"],
    changes: &["assignment_statement", "inc_statement", "dec_statement"],
    mutators: &[],
    statement_mutators: &[],
};

static JAVA: Syntax = Syntax {
    family: Family::Java,
    functions: &[
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
    ],
    signatures: &[],
    closures: &["lambda_expression"],
    closure_names: &[],
    classes: &["class_declaration", "record_declaration", "enum_declaration"],
    types: &[
        "class_declaration",
        "record_declaration",
        "enum_declaration",
        "interface_declaration",
        "annotation_type_declaration",
    ],
    blocks: &["block", "switch_block"],
    open_bodies: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
    ],
    loops: &[
        ("for_statement", "for"),
        ("enhanced_for_statement", "for"),
        ("while_statement", "while"),
        ("do_statement", "do"),
    ],
    ifs: &[("if_statement", "if")],
    choices: &[("switch_expression", "switch"), ("ternary_expression", "?:")],
    links: &[
        dot("method_invocation", "object"),
        dot("field_access", "object"),
        link("array_access", "array"),
        link("parenthesized_expression", ""),
    ],
    selves: &["this", "super"],
    constructors: &[],
    primitives: &[
        "byte",
        "short",
        "int",
        "long",
        "float",
        "double",
        "char",
        "boolean",
        "String",
        "Byte",
        "Short",
        "Integer",
        "Long",
        "Float",
        "Double",
        "Character",
        "Boolean",
        "CharSequence",
    ],
    collections: &[
        "Collection",
        "List",
        "ArrayList",
        "LinkedList",
        "Set",
        "HashSet",
        "TreeSet",
        "LinkedHashSet",
        "EnumSet",
        "Map",
        "HashMap",
        "TreeMap",
        "LinkedHashMap",
        "EnumMap",
        "Queue",
        "Deque",
        "ArrayDeque",
        "PriorityQueue",
        "Stack",
        "Vector",
    ],
    collection_kinds: &["array_type"],
    changes: &["assignment_expression", "update_expression"],
    mutators: &["pop", "poll"],
    statement_mutators: &[
        "add",
        "addAll",
        "put",
        "putAll",
        "remove",
        "removeAll",
        "removeIf",
        "clear",
        "set",
        "sort",
        "push",
        "offer",
        "append",
        "insert",
        "replaceAll",
    ],
};

static RUBY: Syntax = Syntax {
    family: Family::Ruby,
    functions: &["method", "singleton_method"],
    signatures: &[],
    closures: &["block", "do_block", "lambda"],
    closure_names: &[],
    classes: &["class"],
    types: &["class", "module"],
    blocks: &["then", "else", "do", "block", "do_block", "begin"],
    open_bodies: &[],
    loops: &[
        ("for", "for"),
        ("while", "while"),
        ("until", "until"),
        ("while_modifier", "while"),
        ("until_modifier", "until"),
    ],
    ifs: &[
        ("if", "if"),
        ("unless", "unless"),
        ("if_modifier", "if"),
        ("unless_modifier", "unless"),
    ],
    choices: &[("case", "case"), ("case_match", "case"), ("conditional", "?:")],
    links: &[dot("call", "receiver"), link("element_reference", "object")],
    selves: &["self", "super"],
    constructors: &["initialize"],
    primitives: &[],
    collections: &["Array", "Hash", "Set"],
    collection_kinds: &["array", "hash", "string_array", "symbol_array"],
    changes: &["operator_assignment"],
    mutators: &[
        "push",
        "pop",
        "shift",
        "unshift",
        "append",
        "prepend",
        "concat",
        "clear",
        "insert",
        "replace",
        "store",
        "delete_at",
        "delete_if",
        "keep_if",
    ],
    statement_mutators: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(syntax: &Syntax) -> Vec<&'static str> {
        let words = [syntax.loops, syntax.ifs, syntax.choices].concat();
        let lists = [
            syntax.functions,
            syntax.signatures,
            syntax.closures,
            syntax.closure_names,
            syntax.classes,
            syntax.types,
            syntax.blocks,
            syntax.open_bodies,
            syntax.collection_kinds,
            syntax.changes,
        ];
        lists
            .concat()
            .into_iter()
            .chain(words.into_iter().map(|(kind, _)| kind))
            .chain(syntax.links.iter().map(|link| link.kind))
            .collect()
    }

    #[test]
    fn ka4_the_grammars_know_all_kinds_of_the_tables() {
        let check = |syntax: &Syntax, languages: &[Language]| {
            for kind in kinds(syntax) {
                let is_known = languages.iter().any(|&language| {
                    let grammar = rb_lang::grammar(language).unwrap();
                    grammar.id_for_node_kind(kind, true) != 0
                });
                assert!(is_known, "{languages:?}: {kind}");
            }
            for link in syntax.links.iter().filter(|link| !link.rest.is_empty()) {
                let grammar = rb_lang::grammar(languages[0]).unwrap();
                assert!(grammar.field_id_for_name(link.rest).is_some(), "{}", link.rest);
            }
        };
        check(&RUST, &[Language::Rust]);
        check(&PYTHON, &[Language::Python]);
        check(&ECMA, &[Language::TypeScript, Language::JavaScript]);
        check(&GO, &[Language::Go]);
        check(&JAVA, &[Language::Java]);
        check(&RUBY, &[Language::Ruby]);
    }
}
