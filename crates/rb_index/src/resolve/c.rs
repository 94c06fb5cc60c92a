//! C, C++ and Objective-C: headers by path.
//!
//! Which folders a build hands to the compiler is not known. They are guessed: the includer's own folder, `include`,
//! `src` and the like on the way up from it, and any folder where just one file of the tree fits the path.

use std::sync::LazyLock;

use rb_lang::{Import, ImportKind};
use rustc_hash::FxHashSet;

use super::paths::{self, Endings};
use super::{Resolution, found, words};
use crate::tree::{FileId, Tree};

pub(super) struct CResolver<'t> {
    tree: &'t Tree,
    files: Endings<'t>,
}

pub(super) fn is_manifest(_name: &str) -> bool {
    false
}

/// Folders that builds put on the search path, below every folder around the includer.
const ROOTS: &[&str] = &["", "include", "src", "inc", "lib"];

impl<'t> CResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        CResolver { tree, files: Endings::new(tree, |_| true) }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = import.specifier.replace('\\', "/");
        match import.kind {
            ImportKind::SystemInclude => self.system(from, &path),
            _ => self.quoted(from, &path),
        }
    }

    fn quoted(&self, from: FileId, path: &str) -> Resolution {
        match self.on_the_way_up(from, path, ROOTS).or_else(|| self.anywhere(from, path)) {
            None if is_standard(path) => Resolution::Builtin,
            file => found(file),
        }
    }

    fn system(&self, from: FileId, path: &str) -> Resolution {
        // A tree that has its own `string.h` in some folder still means the system's, unless it is in `include`.
        let standard = is_standard(path);
        let file = if standard {
            self.on_the_way_up(from, path, &["include"])
        } else {
            self.on_the_way_up(from, path, ROOTS).or_else(|| self.anywhere(from, path))
        };
        match file {
            Some(file) => found(Some(file)),
            None if standard => Resolution::Builtin,
            None => Resolution::External(library(path).into()),
        }
    }

    fn on_the_way_up(&self, from: FileId, path: &str, roots: &[&str]) -> Option<FileId> {
        let own = paths::folder(&self.tree.get(from).path);
        paths::folders_up(own).find_map(|folder| {
            roots.iter().find_map(|root| {
                let root = if root.is_empty() { folder.to_owned() } else { paths::below(folder, root) };
                self.tree.find(&paths::join(&root, path)?)
            })
        })
    }

    /// The one file that the path fits, or else the nearest of those in an `include` folder.
    fn anywhere(&self, from: FileId, path: &str) -> Option<FileId> {
        let path = path.trim_start_matches("./");
        if path.starts_with("../") || path.starts_with('/') || path.is_empty() {
            return None;
        }
        if let [file] = self.files.find(path) {
            return Some(*file);
        }
        let included = self.files.find(&format!("include/{path}"));
        match *paths::nearest(self.tree, from, included) {
            [file] => Some(file),
            _ => None,
        }
    }
}

fn is_standard(path: &str) -> bool {
    STANDARD.contains(path)
        || path.split_once('/').is_some_and(|(first, _)| STANDARD_FOLDERS.contains(first))
}

/// What a header is known by: `openssl` of `openssl/ssl.h`, `zlib` of `zlib.h`.
fn library(path: &str) -> &str {
    path.split_once('/').map_or(paths::stem(path), |(first, _)| first)
}

/// Folders of system headers, and frameworks of Apple's systems.
static STANDARD_FOLDERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "arpa asm asm-generic bits bsd experimental gnu linux mach mach-o net netinet sys \
         CommonCrypto CoreFoundation CoreServices Foundation IOKit Security SystemConfiguration dispatch",
    )
});

/// The headers of C and C++, POSIX, and what systems have beside them.
static STANDARD: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    words(
        "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h \
         signal.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h \
         stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h \
         algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono \
         cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable contracts \
         coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime \
         cuchar cwchar cwctype debugging deque exception execution expected filesystem flat_map flat_set format \
         forward_list fstream functional future generator hazard_pointer initializer_list inplace_vector iomanip ios \
         iosfwd iostream istream iterator latch limits linalg list locale map mdspan memory memory_resource meta mutex \
         new numbers numeric optional ostream print queue random ranges ratio rcu regex scoped_allocator semaphore \
         set shared_mutex simd source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token \
         streambuf string string_view strstream syncstream system_error text_encoding thread tuple type_traits \
         typeindex typeinfo unordered_map unordered_set utility valarray variant vector version \
         aio.h cpio.h devctl.h dirent.h dlfcn.h endian.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h \
         langinfo.h libgen.h libintl.h monetary.h mqueue.h ndbm.h netdb.h nl_types.h poll.h pthread.h pwd.h regex.h \
         sched.h search.h semaphore.h spawn.h strings.h stropts.h syslog.h tar.h termios.h trace.h ulimit.h unistd.h \
         utime.h utmpx.h wordexp.h \
         alloca.h byteswap.h crypt.h elf.h err.h error.h execinfo.h fstab.h fts.h getopt.h ifaddrs.h link.h malloc.h \
         memory.h mntent.h obstack.h paths.h printf.h pty.h resolv.h sgtty.h shadow.h stab.h stdio_ext.h sysexits.h \
         term.h termio.h ucontext.h util.h utmp.h values.h varargs.h xlocale.h features.h ieeefp.h \
         conio.h crtdbg.h direct.h dos.h intrin.h io.h process.h share.h tchar.h windows.h Windows.h winsock.h \
         winsock2.h WinSock2.h ws2tcpip.h WS2tcpip.h winbase.h windef.h winnt.h wincrypt.h shellapi.h shlobj.h \
         shlwapi.h psapi.h tlhelp32.h dbghelp.h objbase.h unknwn.h winreg.h winternl.h winioctl.h wingdi.h wincred.h sspi.h sddl.h ntsecapi.h aclapi.h accctrl.h processenv.h wtypes.h fileapi.h afunix.h winuser.h wininet.h ntstatus.h \
         cpuid.h emmintrin.h immintrin.h arm_neon.h mmintrin.h nmmintrin.h pmmintrin.h smmintrin.h tmmintrin.h \
         wmmintrin.h x86intrin.h xmmintrin.h arm_acle.h cxxabi.h unwind.h omp.h \
         libproc.h copyfile.h sandbox.h Availability.h AvailabilityMacros.h TargetConditionals.h libkern/OSAtomic.h",
    )
});

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- main.c
//- config.h
//- src/jv.c
//- src/jv.h
//- src/util/deep.c
//- src/util/string.h
//- include/jq/api.h
//- include/stdio.h
//- modules/onig/src/regint.c
//- modules/onig/src/oniguruma.h
//- modules/a/common.h
//- modules/b/common.h
//- libs/one/include/shared/x.hpp
//- libs/two/include/shared/x.hpp
//- libs/two/src/two.cpp
";

    #[test]
    fn ix3_c_includes() {
        check(
            TREE,
            "
            src/jv.c: Include jv.h
            src/util/deep.c: Include ../jv.h
            src/util/deep.c: Include jv.h
            src/util/deep.c: Include config.h
            src/util/deep.c: Include string.h
            main.c: Include jq/api.h
            main.c: Include oniguruma.h
            main.c: Include onig/src/oniguruma.h
            main.c: Include common.h
            main.c: Include ../../etc/passwd
            main.c: Include stdlib.h
            main.c: Include gtest/gtest.h
            libs/two/src/two.cpp: Include shared/x.hpp
            libs/two/src/two.cpp: Include shared\\x.hpp
            main.c: Include shared/x.hpp
            main.c: SystemInclude jq/api.h
            main.c: SystemInclude oniguruma.h
            main.c: SystemInclude string.h
            src/util/deep.c: SystemInclude string.h
            src/jv.c: SystemInclude stdio.h
            main.c: SystemInclude sys/stat.h
            libs/two/src/two.cpp: SystemInclude vector
            libs/two/src/two.cpp: SystemInclude boost/asio.hpp
            main.c: SystemInclude zlib.h
            main.c: Include ''
            main.c: Include /
            ",
            &expect![[r#"
                src/jv.c: Include jv.h -> src/jv.h
                src/util/deep.c: Include ../jv.h -> src/jv.h
                src/util/deep.c: Include jv.h -> src/jv.h
                src/util/deep.c: Include config.h -> config.h
                src/util/deep.c: Include string.h -> src/util/string.h
                main.c: Include jq/api.h -> include/jq/api.h
                main.c: Include oniguruma.h -> modules/onig/src/oniguruma.h
                main.c: Include onig/src/oniguruma.h -> modules/onig/src/oniguruma.h
                main.c: Include common.h -> UNRESOLVED
                main.c: Include ../../etc/passwd -> UNRESOLVED
                main.c: Include stdlib.h -> builtin
                main.c: Include gtest/gtest.h -> UNRESOLVED
                libs/two/src/two.cpp: Include shared/x.hpp -> libs/two/include/shared/x.hpp
                libs/two/src/two.cpp: Include shared\x.hpp -> libs/two/include/shared/x.hpp
                main.c: Include shared/x.hpp -> UNRESOLVED
                main.c: SystemInclude jq/api.h -> include/jq/api.h
                main.c: SystemInclude oniguruma.h -> modules/onig/src/oniguruma.h
                main.c: SystemInclude string.h -> builtin
                src/util/deep.c: SystemInclude string.h -> builtin
                src/jv.c: SystemInclude stdio.h -> include/stdio.h
                main.c: SystemInclude sys/stat.h -> builtin
                libs/two/src/two.cpp: SystemInclude vector -> builtin
                libs/two/src/two.cpp: SystemInclude boost/asio.hpp -> external boost
                main.c: SystemInclude zlib.h -> external zlib
                main.c: Include '' -> UNRESOLVED
                main.c: Include / -> UNRESOLVED
            "#]],
        );
    }
}
