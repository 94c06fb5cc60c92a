"""How text becomes words: shared by every program here, and the part that a reader of the table must repeat exactly."""
import re

SOURCE = (".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".rs", ".go", ".java", ".rb", ".php", ".vue",
          ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".kt", ".swift", ".scala")
TEST = re.compile(r"(^|/)(tests?|__tests__|specs?|fixtures|testdata|examples?|benches|benchmarks?|docs?)(/|$)"
                  r"|\.test\.|\.spec\.|_test\.|(^|/)test_|Tests?\.(java|kt|cs|swift|php|scala)$")
VENDORED = re.compile(r"(^|/)(vendor|third_party|node_modules|dist|generated|locales?|i18n|migrations)(/|$)|\.min\.|\.pb\.|_pb2|\.generated\.")
PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
DEFINITION = re.compile(
    r"^\s*(?:(?:export|default|async|static|public|private|protected|internal|override|abstract|final|open|unsafe|virtual"
    r"|suspend|sealed|data|pub(?:\([^)]*\))?)\s+)*"
    r"(?:class|def|function\*?|func|fn|fun|struct|enum|trait|interface|type|const|impl|module|protocol|object)\s+"
    r"(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_]\w*)"
    r"|^\s+(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|await|with|using|lock|function|match|loop)\b)"
    r"(?:[\w<>\[\],.?*&:]+\s+){0,6}([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?::\s*[^{;=]+)?(?:throws [\w., ]+)?\{\s*$")
HASH_COMMENTS = (".py", ".rb")
COMMENT = re.compile(r"^\s*(?://|/\*|\*(?![\w(])|\"\"\"|''')")


def words(text):
    """Sub-words in order: runs of ASCII letters cut at case changes, runs of digits; lower case; 2 to 24 letters, 2 to 4 digits."""
    return [w.lower() for w in PART.findall(text) if 2 <= len(w) <= (4 if w[0].isdigit() else 24)]


def distinct(items, limit):
    return list(dict.fromkeys(items))[:limit]


def is_source(path):
    return path.endswith(SOURCE) and not TEST.search(path) and not VENDORED.search(path)


def defined_name(line):
    """The name that a line of source defines, if it defines one: with a keyword, or as a method that opens a block."""
    found = DEFINITION.match(line[:400])
    return found and (found.group(1) or found.group(2))


def split_roles(lines, path):
    """Divides lines of source into the words of defined names, of comments, and of the rest."""
    symbol, doc, body = [], [], []
    for line in lines:
        if COMMENT.match(line) or path.endswith(HASH_COMMENTS) and line.lstrip().startswith("#"):
            doc += words(line)
            continue
        symbol += words(defined_name(line) or "")
        body += words(line)
    return symbol, doc, body
