//! What people ask for, as tables: words on one side, recipes and rules on the other.

use rb_rules::Category;

/// What serves a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serves {
    Recipe(&'static str),
    /// Rules that belong to one order, by the name of their bundle.
    Bundle(&'static str),
    Category(Category),
    Rule(&'static str),
}

/// Something that a directive may be about.
pub(crate) struct Concept {
    /// What is looked for, in words that follow "looked for".
    pub(crate) about: &'static str,
    pub(crate) serves: &'static [Serves],
    /// Of each list one must stand in the part: a word, the beginning of one (`stem*`), or some in a row (`dead+code`).
    pub(crate) all: &'static [&'static str],
    /// None of these may: they make it about something else.
    pub(crate) none: &'static str,
    pub(crate) way: Way,
    /// Only where nothing else was found: who asks for one thing does not ask for everything.
    pub(crate) is_general: bool,
}

/// What serves a concept leads from one state to another. Who asks for the way back does not ask for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Words do not tell.
    Any,
    /// What is found goes.
    Removal,
    /// Words that name the state before and the one after, written as those of `Concept::all`.
    Change { before: &'static str, after: &'static str },
}

const fn concept(
    about: &'static str,
    serves: &'static [Serves],
    all: &'static [&'static str],
    none: &'static str,
) -> Concept {
    Concept { about, serves, all, none, way: Way::Any, is_general: false }
}

impl Concept {
    const fn that(self, way: Way) -> Concept {
        Concept { way, ..self }
    }
}

const FILES: &str = "file files filesystem* fs disk* io readfile* writefile* fileops file+system* readdir* filehandling";
const SYNC: &str = "sync synchronous* blocking* blocks block";
const ASYNC: &str =
    "async asynchronous* asyncify promise* promisif* nonblocking non+blocking await*";
/// What can be made asynchronous and is no file.
const NOT_FILES: &str = "database* db sql quer* http* request* network* redis socket* callback* worker* queue* endpoint* api apis \
    crypto* process* exec* spawn*";

const TO_ASYNC: Way = Way::Change {
    before: "sync synchronous* blocking* blocks block readfilesync writefilesync appendfilesync existssync readdirsync \
        statsync lstatsync mkdirsync rmsync rmdirsync unlinksync renamesync copyfilesync accesssync",
    after: ASYNC,
};
const TO_PARAMETERS: Way = Way::Change {
    before: "raw interpolat* concatenat* template+string* template+literal* string+build*",
    after: "parameter* parametri* bind* placeholder* prepared",
};
const TO_INDEX: Way = Way::Change {
    before: "linear* naive* nested+loop* quadratic*",
    after: "index indexed indexes indexing hash* map maps set sets constant+time dictionar*",
};
const TO_DIRECT: Way = Way::Change {
    before: "barrel* index+file* reexport* re+export*",
    after: "direct direct+import* directly",
};
const TO_PARALLEL: Way = Way::Change {
    before: "sequential* serial serially one+by+one",
    after: "parallel* concurrent* promise+all",
};
const TO_LAZY: Way =
    Way::Change { before: "eager* static+import* statically", after: "lazy* lazily dynamic*" };

pub(crate) static CONCEPTS: &[Concept] = &[
    concept(
        "synchronous file calls",
        &[Serves::Recipe("fs-async")],
        &[ASYNC, FILES],
        "upload* download* s3 callback*",
    ).that(TO_ASYNC),
    concept(
        "synchronous file calls",
        &[Serves::Recipe("fs-async")],
        &[SYNC, FILES],
        "synchroniz* synchronis*",
    ).that(TO_ASYNC),
    concept("synchronous file calls", &[Serves::Recipe("fs-async")], &[SYNC, ASYNC], NOT_FILES).that(TO_ASYNC),
    concept(
        "synchronous file calls",
        &[Serves::Recipe("fs-async")],
        &[
            "readfilesync writefilesync appendfilesync existssync readdirsync statsync lstatsync mkdirsync rmsync \
        rmdirsync unlinksync renamesync copyfilesync accesssync fs+sync fs+promises",
        ],
        "",
    ).that(TO_ASYNC),
    concept(
        "values in SQL strings",
        &[Serves::Recipe("sql-parameters")],
        &[
            "sql quer* statement* database* db where+clause*",
            "parameter* parametri* bind* placeholder* prepared injection* injectable interpolat* concatenat* unsafe \
        sanitiz* sanitis* escap* template+string* template+literal* string+build* raw harden* secur*",
        ],
        "dependency+inject*",
    ).that(TO_PARAMETERS),
    concept(
        "values in SQL strings",
        &[Serves::Recipe("sql-parameters")],
        &["sqli prepared+statement* bind+variable*"],
        "",
    ).that(TO_PARAMETERS),
    concept(
        "security problems that are visible in the code",
        &[Serves::Recipe("sql-parameters"), Serves::Rule("server-auth-actions")],
        &["harden* security vulnerabilit* owasp injection+attack*"],
        "sql dependency+inject* header* dependencies npm",
    ),
    concept(
        "searches in loops",
        &[Serves::Recipe("indexed-lookup")],
        &["quadratic* nested+loop* linear+search* linear+scan* indexed+lookup* n+squared o+n+2"],
        "",
    ).that(TO_INDEX),
    concept(
        "searches in loops",
        &[Serves::Recipe("indexed-lookup")],
        &[
            "lookup* look+up* search* find finds includes indexof scan*",
            "index* hash* map maps set sets naive* linear* constant+time loop* dictionar*",
        ],
        "sql database* db elastic* engine* seo text vector*",
    ).that(TO_INDEX),
    concept(
        "unused imports",
        &[Serves::Recipe("unused-imports")],
        &[
            "import* require requires",
            "unused unneeded unnecessary superfluous redundant needless* stale dead leftover clean* tidy* prune* \
        obsolete extraneous not+used never+used",
        ],
        "barrel*",
    ).that(Way::Removal),
    concept(
        "unused code",
        &[Serves::Recipe("dead-code")],
        &[
            "dead+code unused+code unreachable* unreferenced* deadcode dead+function* code+that+nothing+uses \
        code+nobody+uses obsolete+code unused+symbol*",
        ],
        "",
    ).that(Way::Removal),
    concept(
        "unused code",
        &[Serves::Recipe("dead-code")],
        &[
            "unused dead orphan* never+called never+used not+used",
            "code function* variable* class classes method* helper* member* type types constant* branch* private* \
        enum* interface* local* declaration*",
        ],
        "",
    ).that(Way::Removal),
    concept(
        "unused imports and code",
        &[Serves::Recipe("unused-imports"), Serves::Recipe("dead-code")],
        &[
            "clean+up cleanup cleaning+up tidy tidy+up declutter* spring+clean*",
            "code codebase repo repository project everything whole source sources",
        ],
        "import* test* doc* comment* css style* naming name* type* depend* log*",
    ).that(Way::Removal),
    concept(
        "imports through barrel files",
        &[Serves::Recipe("own-barrels"), Serves::Rule("bundle-barrel-imports")],
        &["barrel* index+file* reexport* re+export* direct+import* import+directly"],
        "",
    ).that(TO_DIRECT),
    concept(
        "sequential awaits that could run in parallel",
        &[Serves::Bundle("waterfalls")],
        &[
            "waterfall* paralleli* parallel+await* parallel+fetch* parallel+data* parallel+request* sequential+await* \
        sequential+request* sequential+fetch* request*+sequential* fetch*+sequential* await*+sequential* independent+await* independent+promise* promise+all in+parallel \
        concurrent+fetch* serial+request*",
        ],
        "test* ci",
    ).that(TO_PARALLEL),
    concept(
        "packages that increase the bundle size",
        &[Serves::Bundle("bundle")],
        &[
            "bundle bundles bundle+size* bundlesize tree+shak* treeshak* javascript+payload js+payload first+load+js \
        smaller+build",
        ],
        "",
    ),
    concept(
        "components that could load lazily",
        &[
            Serves::Rule("bundle-dynamic-imports"),
            Serves::Rule("bundle-conditional"),
            Serves::Rule("bundle-preload"),
        ],
        &["code+split* codesplit* lazy+load* lazyload* lazily+load* dynamic+import* next+dynamic"],
        "",
    ).that(TO_LAZY),
    concept(
        "third-party scripts that could load later",
        &[Serves::Rule("bundle-defer-third-party"), Serves::Rule("rendering-script-defer-async")],
        &["third+party analytics tracking+script*", "defer* delay* postpone* hydrat* later"],
        "",
    ),
    concept(
        "needless re-renders",
        &[Serves::Bundle("rerenders")],
        &[
            "rerender* re+render* unnecessary+render* needless+render* render+too* renders+too* memoiz* memois* \
        usememo usecallback useeffect wasted+render* derived+state excessive+render*",
        ],
        "",
    ),
    concept(
        "slow server-side work",
        &[Serves::Bundle("server")],
        &[
            "server+component* servercomponent* rsc server+side serverside server+action* server+perform* ttfb \
        api+route* server+data server+fetch* server+render*",
        ],
        "test* log*",
    ),
    concept(
        "client-side requests",
        &[Serves::Category(Category::Client)],
        &["client+side clientside in+the+browser", "fetch* data request* swr"],
        "",
    ),
    concept(
        "client-side requests",
        &[Serves::Category(Category::Client)],
        &[
            "swr event+listener* passive+listener* localstorage duplicate+request* deduplicate+request* \
        dedupe+request*",
        ],
        "",
    ),
    concept(
        "slow rendering",
        &[Serves::Category(Category::Rendering)],
        &[
            "hydration* content+visibility rendering+perform* faster+rendering rendering+speed layout+thrash* \
        conditional+render* slow+rendering",
        ],
        "",
    ),
    concept(
        "slow loops and expressions",
        &[Serves::Category(Category::JavaScript)],
        &[
            "javascript js micro microoptimi* hot+loop* regex* regexp*",
            "perform* optimi* fast* hoist* speed* efficien* microoptimi*",
        ],
        "bundle build* payload",
    ),
    Concept {
        about: "patterns that the React and web guides advise against",
        serves: &[Serves::Bundle("audit")],
        all: &[
            "performance perf performant faster speed+up speedup speeding+up optimi* efficien* best+practice* \
        react+guideline* general+audit slow+app* react+audit vercel+rule* react+rule* performance+audit",
        ],
        none: "sql database* db quer* docker* ci pipeline* image* test* build* compil* memory css deploy* startup \
        install* python rust go",
        way: Way::Any,
        is_general: true,
    },
];

/// Words that say nothing about what is wanted.
pub(crate) const FILLERS: &str = "a across all an and any app application apply are as at be best by call calls can change code codebase \
    component components convert converting could delete do drop each eliminate every everything everywhere \
    existing find fix fixing for from function functions get go has have heavy how i if improve in instead \
    into is it its just let lets make module modules more my need new now of on one ones only operation operations \
    ops or other our out over own patterns place please prefer project properly proper reduce refactor \
    refactoring remove removing replace replacing repo repository request rid rule rules should so some \
    source stop strategy string strings such sure switch than that the their them then there these they this \
    those through to too turn unnecessary up update us use uses using via want we well when where which \
    whole with would you your optimize optimise migrate eliminating also general audit naive raw but however";
