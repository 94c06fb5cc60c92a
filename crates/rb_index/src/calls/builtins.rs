//! What languages bring along: names that are there without a declaration, and how they speak of an object itself.
//!
//! The lists are short on purpose: what is used all the time. A name that is missing here ends as unresolved, not as wrong.

use std::sync::LazyLock;

use rb_lang::Language;
use rustc_hash::FxHashSet;

/// Languages that call each other's code and share their built-in names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    Ecma,
    Python,
    Rust,
    Go,
    Jvm,
    C,
    CSharp,
    Ruby,
    Php,
    Swift,
    Elixir,
    Lua,
    Shell,
    Other,
}

impl Family {
    pub(super) fn of(language: Language) -> Family {
        match language {
            Language::JavaScript | Language::TypeScript | Language::Tsx => Family::Ecma,
            Language::Python => Family::Python,
            Language::Rust => Family::Rust,
            Language::Go => Family::Go,
            Language::Java | Language::Kotlin | Language::Scala => Family::Jvm,
            Language::C | Language::Cpp => Family::C,
            Language::CSharp => Family::CSharp,
            Language::Ruby => Family::Ruby,
            Language::Php => Family::Php,
            Language::Swift => Family::Swift,
            Language::Elixir => Family::Elixir,
            Language::Lua => Family::Lua,
            Language::Bash => Family::Shell,
            _ => Family::Other,
        }
    }

    /// Is it there without a declaration?
    pub(super) fn is_builtin(self, name: &str) -> bool {
        BUILTINS[self as usize].contains(name)
    }

    /// Does a bare name inside a class mean its members too?
    pub(super) fn has_implicit_self(self) -> bool {
        matches!(self, Family::Jvm | Family::C | Family::CSharp | Family::Ruby | Family::Swift)
    }

    /// Do files show what stands in their modules or namespaces as if it stood at the top?
    pub(super) fn has_open_modules(self) -> bool {
        matches!(self, Family::C | Family::CSharp | Family::Php | Family::Elixir)
    }

    /// The constructor of a class, where it has a name of its own.
    pub(super) fn constructor(self) -> Option<&'static str> {
        match self {
            Family::Ecma => Some("constructor"),
            Family::Python => Some("__init__"),
            Family::Ruby => Some("initialize"),
            Family::Php => Some("__construct"),
            Family::Swift => Some("init"),
            _ => None,
        }
    }
}

/// The object or the class that the code is part of.
pub(super) fn is_self(name: &str) -> bool {
    matches!(name, "self" | "this" | "cls" | "Self" | "$this" | "static")
}

/// Do so many types from elsewhere have it, that one declaration in the tree says nothing?
pub(super) fn is_common_method(name: &str) -> bool {
    COMMON_METHODS.contains(name)
}

/// What the class extends.
pub(super) fn is_super(name: &str) -> bool {
    matches!(name, "super" | "base" | "parent")
}

static BUILTINS: LazyLock<[FxHashSet<&str>; 14]> =
    LazyLock::new(|| LISTS.map(|list| list.split_whitespace().collect()));

static COMMON_METHODS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| METHODS.split_whitespace().collect());

/// In the order of `Family`.
const LISTS: [&str; 14] = [
    // Ecma, with what browsers, Node and test runners bring.
    "Array ArrayBuffer AbortController BigInt Blob Boolean Buffer CustomEvent DataView Date Deno Bun Error Event EventTarget File
     Float32Array Float64Array FormData Function Headers Infinity Int32Array Intl JSON Map Math MessageChannel MutationObserver
     Number Object Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request Response Set String Symbol
     SyntaxError TextDecoder TextEncoder TransformStream TypeError URL URLSearchParams Uint8Array WeakMap WeakRef WeakSet WebSocket
     Worker WritableStream XMLHttpRequest afterAll afterEach alert atob beforeAll beforeEach btoa cancelAnimationFrame clearInterval
     clearTimeout console crypto customElements decodeURI decodeURIComponent describe document encodeURI encodeURIComponent eval
     expect fetch globalThis history import isFinite isNaN it jest localStorage location matchMedia navigator parseFloat parseInt
     performance process queueMicrotask require requestAnimationFrame sessionStorage setImmediate setInterval setTimeout
     structuredClone suite test vi window after before __dirname module exports arguments",
    // Python
    "ArithmeticError AssertionError AttributeError BaseException BlockingIOError ConnectionError DeprecationWarning EOFError
     Ellipsis Exception FileExistsError FileNotFoundError FutureWarning ImportError IndexError KeyError KeyboardInterrupt
     LookupError MemoryError ModuleNotFoundError NameError NotImplemented NotImplementedError OSError OverflowError
     PendingDeprecationWarning PermissionError RecursionError ResourceWarning RuntimeError RuntimeWarning StopIteration SyntaxError
     SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning
     ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
     delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
     isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr
     reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__",
    // Rust
    "Box Clone Copy Debug Default Drop Eq Err Fn FnMut FnOnce From Hash Into Iterator None Ok Option Ord PartialEq Result Some
     String ToString TryFrom TryInto Vec alloc assert assert_eq assert_ne bool cfg char column compile_error concat core dbg
     debug_assert debug_assert_eq drop env eprint eprintln f32 f64 file format format_args i128 i16 i32 i64 i8 include_bytes
     include_str isize line matches module_path panic print println std str stringify thread_local todo u128 u16 u32 u64 u8
     unimplemented unreachable usize vec write writeln",
    // Go
    "any append bool byte cap clear close complex complex128 complex64 copy delete error float32 float64 imag int int16 int32
     int64 int8 len make max min new panic print println real recover rune string uint uint16 uint32 uint64 uint8 uintptr",
    // Jvm
    "AssertionError AutoCloseable Boolean Byte Character CharSequence Class Comparable Double Enum Error Exception Float
     IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer InterruptedException Iterable Long Math
     NullPointerException Number NumberFormatException Object Override Process ProcessBuilder Record Runnable Runtime
     RuntimeException Short String StringBuffer StringBuilder System Thread ThreadLocal Throwable UnsupportedOperationException
     Void also apply arrayOf assert buildList buildString check checkNotNull emptyList emptyMap emptySet error lazy let listOf
     mapOf mutableListOf mutableMapOf mutableSetOf println print repeat require requireNotNull run runCatching setOf sequence
     synchronized takeIf TODO to until use with List Map Seq Set Some None Option Either Left Right Array Nil Future Try",
    // C
    "abort abs accept access alloca assert atoi atol bind bsearch calloc ceil clock close connect cos exit exp fabs fclose fcntl
     fdopen feof ferror fflush fgetc fgets floor fmod fopen fork fprintf fputc fputs fread free freopen fscanf fseek fstat ftell
     fwrite getc getchar getenv getpid gettimeofday ioctl isalnum isalpha isatty isdigit isprint isspace isupper kill listen
     localtime log longjmp lseek lstat main malloc memchr memcmp memcpy memmove memset mkdir mktime mmap munmap offsetof open
     perror pipe poll pow printf putc putchar puts qsort raise rand read realloc recv remove rename rewind rmdir scanf select send
     setenv setjmp setlocale sigaction signal sin sizeof sleep snprintf socket sprintf sqrt srand sscanf stat std strcasecmp strcat
     strchr strcmp strcpy strcspn strdup strerror strftime strlen strncasecmp strncat strncmp strncpy strndup strpbrk strrchr
     strsep strspn strstr strtod strtok strtol strtoul strtoull system time tolower toupper uname unlink usleep va_arg va_copy
     va_end va_start vfprintf vprintf vsnprintf waitpid write static_cast dynamic_cast reinterpret_cast const_cast",
    // C#
    "Action Activator ArgumentException ArgumentNullException ArgumentOutOfRangeException Array Boolean Byte Char Console Convert
     DateTime DateTimeOffset Dictionary Double Enum Environment Exception File Func Guid HashSet IDisposable IEnumerable Int32
     Int64 InvalidOperationException List Math NotImplementedException NotSupportedException Nullable Object Path Queue Regex
     Stack Stream String StringBuilder Task Thread TimeSpan Tuple Type Uri ValueTask nameof typeof string int object",
    // Ruby
    "allow assert assert_equal assert_includes assert_match assert_nil assert_raises before after be context describe eq expect it
     let refute should subject
     Array BasicObject Class Comparable Dir ENV Encoding Enumerable Exception File FileUtils Float Hash IO Integer JSON Kernel
     Logger Math Module Mutex NoMethodError NotImplementedError Object Pathname Proc Process Random Range Rational Regexp Set
     StandardError String StringIO Struct Symbol Thread Time YAML abort alias_method at_exit attr_accessor attr_reader
     attr_writer autoload binding block_given? catch caller define_method eval exit extend fail format freeze gets include
     instance_variable_get instance_variable_set lambda load loop module_function p print printf prepend private
     private_class_method private_constant proc protected public putc puts raise rand refine require require_relative respond_to?
     send sleep sprintf srand system throw using warn yield",
    // PHP
    "ArrayAccess ArrayIterator ArrayObject Closure Countable DateTime DateTimeImmutable DateTimeInterface DateInterval
     DateTimeZone ErrorException Exception Error Generator InvalidArgumentException Iterator IteratorAggregate JsonSerializable
     LogicException PDO ReflectionClass ReflectionMethod RuntimeException SplFileInfo SplObjectStorage Stringable Throwable
     Traversable TypeError ValueError array_diff array_filter array_flip array_key_exists array_key_first array_keys array_map
     array_merge array_pop array_push array_reduce array_reverse array_search array_shift array_slice array_splice array_sum
     array_unique array_unshift array_values array_walk arsort asort assert basename call_user_func call_user_func_array ceil chr
     class_exists compact constant copy count current date define defined die dirname echo empty end error_log explode extension_loaded
     extract fclose feof fgets file file_exists file_get_contents file_put_contents filter_var floor fopen fread func_get_args
     function_exists fwrite get_class get_object_vars getenv gettype hash header htmlspecialchars implode in_array ini_get ini_set
     intdiv interface_exists intval is_a is_array is_bool is_callable is_dir is_file is_float is_int is_iterable is_null
     is_numeric is_object is_readable is_resource is_scalar is_string is_subclass_of isset iterator_to_array join json_decode
     json_encode key key_exists krsort ksort lcfirst list ltrim max mb_strlen mb_strpos mb_strtolower mb_strtoupper mb_substr md5
     method_exists microtime min mkdir mt_rand next number_format ob_get_clean ob_start ord parse_str parse_url php_sapi_name
     preg_match preg_match_all preg_quote preg_replace preg_replace_callback preg_split print_r printf property_exists rand
     random_bytes random_int range rawurlencode realpath rename reset rmdir round rsort rtrim serialize set_error_handler sha1
     sizeof sleep sort spl_autoload_register spl_object_hash spl_object_id sprintf str_contains str_ends_with str_pad str_repeat
     str_replace str_split str_starts_with strcasecmp strcmp strlen strpos strrpos strstr strtolower strtotime strtoupper strtr
     strval substr substr_count sys_get_temp_dir time touch trigger_error trim uasort ucfirst ucwords uksort uniqid unlink
     unserialize unset urldecode urlencode usleep usort var_dump var_export version_compare",
    // Swift
    "Any Array Bool Character Data Date Decimal Dictionary DispatchQueue Double Error FileManager Float Int Int32 Int64
     JSONDecoder JSONEncoder Never NSError NSLock NSObject Notification NotificationCenter ObjectIdentifier Optional Range Result
     Set String Substring Task UInt UInt32 UInt64 UInt8 URL URLRequest URLSession UUID UserDefaults abs assert assertionFailure
     debugPrint dump fatalError max min precondition preconditionFailure print stride swap type zip
     withUnsafePointer withUnsafeBytes XCTAssert XCTAssertEqual XCTAssertFalse XCTAssertNil XCTAssertNotEqual XCTAssertNotNil
     XCTAssertThrowsError XCTAssertTrue XCTFail",
    // Elixir
    "Access Agent Application Atom Base Bitwise Calendar Code Date DateTime Enum Exception File Float Function GenServer IO
     Inspect Integer Kernel Keyword List Logger Macro Map MapSet Module NaiveDateTime Node Path Port Process Protocol Range
     Regex Registry Stream String StringIO Supervisor System Task Time Tuple URI Version __MODULE__ abs apply assert assert_raise
     assert_receive alias binding case cond def defdelegate defexception defguard defimpl defmacro defmacrop defmodule defp
     defprotocol defstruct div elem exit for get_in hd if import inspect is_atom is_binary is_bitstring is_boolean is_float
     is_function is_integer is_list is_map is_nil is_number is_pid is_tuple length make_ref map_size max min node not pop_in
     put_elem put_in quote raise receive refute rem require reraise round self send sigil_r spawn spawn_link struct super tap
     test then throw tl to_charlist to_string trunc try tuple_size unless unquote update_in use with describe setup",
    // Lua
    "_G assert bit32 collectgarbage coroutine debug dofile error getfenv getmetatable io ipairs jit load loadfile loadstring
     math next os package pairs pcall print rawequal rawget rawlen rawset require select setfenv setmetatable string table
     tonumber tostring type unpack utf8 xpcall vim",
    // Shell
    "[ alias awk basename bash bg break builtin cat cd chmod chown command continue cp curl cut date declare df diff dirname du
     echo env eval exec exit export expr false fg find getopts git grep gzip hash head hostname id install jobs kill let ln
     local ls make mkdir mktemp mv printf ps pwd python python3 read readlink readonly realpath return rm rmdir sed seq set sh
     shift shopt sleep sort source stat sudo tail tar tee test time touch tr trap true tty type ulimit umask unalias uname uniq
     unset wait wc wget which xargs",
    "",
];

/// Methods of strings, collections, files, promises and their like, in any language.
const METHODS: &str = "__init__ abort acquire add addAll addEventListener all and_then any append appendChild apply arrayBuffer
    as_bytes as_deref as_mut as_os_str as_path as_ref as_slice as_str assert assign at bind blob blur borrow
    borrow_mut build by_ref call cancel capacity catch chain chars clear click clone cloned close cmp collect commit
    compare concat connect contains contains_key containsKey copied copy count create data debug decode default
    delete delete_all deref deref_mut destroy dispatch dispatchEvent done drain drop dump each emit empty encode end
    ends_with endswith endsWith entries entry enumerate eq equals err error every exec execute exists expect extend
    extension fail fetch file_name file_stem fileno fill filter filter_map finally find first flat flat_map flatMap
    flatten flush fn focus fold forEach format formData freeze from from_str get get_mut get_or_insert getAttribute
    getName getOrDefault getReader getValue getWriter has hash hash_code hashCode hasNext head id identity includes
    increment index indexOf info init insert insert_all insert_str inspect into into_inner into_iter invoke is_dir
    is_empty is_err is_file is_none is_ok is_some isEmpty isSet items iter iter_mut iterator join join_all json keys
    kill last len length lines listen load lock log lower main map map_err map_or match max merge message min move
    name new next nth of off ok ok_or on once open or or_else parent parse partial_cmp peek pipe pipeTo poll pop
    position post print process push put query querySelector raise read read_line read_to_end read_to_string
    readline readlines ready receive record redirect reduce register reject release remove removeAll
    removeEventListener render repeat replace request reset resize resolve result resume rev reverse reversed rfind
    rollback rsplit run save search seek select send set set_len setAttribute setdefault setUp setValue shift
    shutdown size skip sleep slice some sort sorted source spawn splice split splitn start starts_with startsWith
    startswith stat status stop strip sub submit subscribe substr substring sum swap sync take tap tearDown tell
    test text then throw title to_dict to_owned to_path_buf to_s to_string to_vec toArray toJSON toList toLowerCase
    toString toUpperCase trigger trim trim_end trim_start trunc truncate try_from try_into try_lock type unlock
    unshift unwrap unwrap_or unwrap_or_default unwrap_or_else update upper url use valid validate value valueOf
    values verify version wait walk warn warning with with_capacity wrap write write_all write_str writelines yield
    zip";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix4_lists_belong_to_their_languages() {
        let check =
            |family: Family, name: &str| assert!(family.is_builtin(name), "{family:?} {name}");
        check(Family::Ecma, "console");
        check(Family::Python, "isinstance");
        check(Family::Rust, "Some");
        check(Family::Go, "append");
        check(Family::Jvm, "StringBuilder");
        check(Family::C, "memcpy");
        check(Family::CSharp, "Console");
        check(Family::Ruby, "attr_reader");
        check(Family::Php, "array_map");
        check(Family::Swift, "fatalError");
        check(Family::Elixir, "GenServer");
        check(Family::Lua, "pcall");
        check(Family::Shell, "grep");
        assert!(!Family::Other.is_builtin("print"));
    }
}
