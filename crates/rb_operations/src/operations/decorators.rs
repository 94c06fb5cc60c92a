//! Decorators of the standard library and of widely used packages that neither register what they decorate nor name its parameters.

/// By its full name: `functools.wraps`.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.binary_search(&name).is_ok() || name.starts_with("pytest.mark.")
}

/// Sorted.
const HARMLESS: &[&str] = &[
    "abc.abstractclassmethod",
    "abc.abstractmethod",
    "abc.abstractproperty",
    "abc.abstractstaticmethod",
    "asyncio.coroutine",
    "atexit.register",
    "attr.attrs",
    "attr.dataclass",
    "attr.define",
    "attr.frozen",
    "attr.s",
    "attrs.define",
    "attrs.frozen",
    "builtins.classmethod",
    "builtins.property",
    "builtins.staticmethod",
    "contextlib.asynccontextmanager",
    "contextlib.contextmanager",
    "dataclasses.dataclass",
    "enum.unique",
    "functools.cache",
    "functools.cached_property",
    "functools.lru_cache",
    "functools.singledispatch",
    "functools.singledispatchmethod",
    "functools.total_ordering",
    "functools.wraps",
    "types.coroutine",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.override",
    "typing.runtime_checkable",
    "typing_extensions.deprecated",
    "typing_extensions.final",
    "typing_extensions.overload",
    "typing_extensions.override",
    "typing_extensions.runtime_checkable",
    "unittest.expectedFailure",
    "unittest.mock.patch",
    "unittest.mock.patch.dict",
    "unittest.mock.patch.multiple",
    "unittest.mock.patch.object",
    "unittest.skip",
    "unittest.skipIf",
    "unittest.skipUnless",
    "warnings.deprecated",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_harmless_decorators_are_sorted() {
        assert!(HARMLESS.is_sorted());
        assert!(is_harmless("functools.wraps") && is_harmless("pytest.mark.skip"));
        assert!(!is_harmless("click.command") && !is_harmless("pytest.fixture"));
    }
}
