//! The modules that come with Node, Bun, Deno and other hosts.

/// Sorted. Those that exist only under `node:` (`node:test`, `node:sqlite`) are known by the prefix.
const NODE: &[&str] = &[
    "_http_agent",
    "_http_client",
    "_http_common",
    "_http_incoming",
    "_http_outgoing",
    "_http_server",
    "_stream_duplex",
    "_stream_passthrough",
    "_stream_readable",
    "_stream_transform",
    "_stream_wrap",
    "_stream_writable",
    "_tls_common",
    "_tls_wrap",
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
    "repl",
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "sys",
    "timers",
    "timers/promises",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

const HOSTS: &[&str] = &["node:", "bun:", "deno:", "cloudflare:", "workerd:", "fastly:"];

pub(super) fn is_builtin(specifier: &str) -> bool {
    HOSTS.iter().any(|host| specifier.starts_with(host)) || NODE.binary_search(&specifier).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn ix3_the_list_of_builtins_can_be_searched() {
        assert!(super::NODE.is_sorted());
    }
}
