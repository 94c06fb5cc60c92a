//! Names that need no declaration: of the language, of a browser, of a server, of a test runner.
//!
//! A list that is too long costs a finding now and then; one that is too short raises a false alarm.

use rb_lang::Language;

const ECMA: &str = "AbortController AbortSignal Array ArrayBuffer Atomics BigInt Blob Boolean Buffer Bun CSS \
    Crypto CustomEvent DOMException DOMParser DataView Date Deno Document Element Error Event EventSource \
    EventTarget File FileReader FormData Function HTMLElement Headers Image Infinity Intl Iterator JSON JSX \
    KeyboardEvent Map Math MessageChannel MouseEvent MutationObserver NaN Node Number NodeJS Object Performance \
    Promise Proxy React ReadableStream Reflect RegExp Request ResizeObserver Response Set String Symbol \
    TextDecoder TextEncoder TransformStream TypeError RangeError URL URLSearchParams Uint8Array WeakMap WeakRef \
    WeakSet WebAssembly WebSocket Worker WritableStream XMLHttpRequest __dirname __filename after afterAll \
    afterEach alert arguments assert atob before beforeAll beforeEach btoa cancelAnimationFrame clearImmediate \
    clearInterval clearTimeout console context crypto decodeURI decodeURIComponent define describe document \
    encodeURI encodeURIComponent escape eval event expect exports expectTypeOf assertType fetch global globalThis history \
    importScripts isFinite isNaN it jest localStorage location module name navigator onTestFinished parent \
    parseFloat parseInt performance postMessage process queueMicrotask require requestAnimationFrame screen \
    self sessionStorage setImmediate setInterval setTimeout specify status structuredClone suite test top \
    undefined unescape vi vitest window";

const PYTHON: &str = "ArithmeticError AssertionError AttributeError BaseException BlockingIOError \
    BrokenPipeError BufferError BytesWarning ConnectionError DeprecationWarning EOFError Ellipsis \
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FutureWarning GeneratorExit \
    IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError \
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError \
    NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError \
    ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration \
    StopIteration SyntaxError SystemError SystemExit TimeoutError True TypeError UnboundLocalError \
    UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError __debug__ \
    __doc__ __file__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii basestring bin bool \
    breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod \
    enumerate eval exec exit file filter float format frozenset getattr globals hasattr hash help hex id input int \
    isinstance issubclass iter len license list locals long map max memoryview min next object oct open ord pow \
    print property quit range raw_input reload repr reversed round set setattr slice sorted staticmethod str sum \
    super tuple type unichr unicode vars xrange zip reveal_type";

const GO: &str = "any append bool byte cap clear close comparable complex complex128 complex64 copy delete error \
    false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println \
    real recover rune string true uint uint16 uint32 uint64 uint8 uintptr C";

const RUST: &str = "AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend \
    Fn FnMut FnOnce From FromIterator Hash Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result \
    Self Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec assert assert_eq assert_ne bool cfg char \
    compile_error concat crate dbg debug_assert derive drop env eprint eprintln f32 f64 false format i128 i16 \
    i32 i64 i8 include include_bytes include_str isize line macro_rules matches module_path option_env panic print \
    println self static std core alloc str stringify super todo true u128 u16 u32 u64 u8 unimplemented unreachable usize vec write writeln";

/// Is the name known without anybody declaring it?
pub(crate) fn is_global(language: Language, name: &str) -> bool {
    let words = match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => ECMA,
        Language::Python => PYTHON,
        Language::Go => GO,
        Language::Rust => RUST,
        _ => "",
    };
    words.split_whitespace().any(|word| word == name)
}
