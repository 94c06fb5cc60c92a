//! The drivers that are known: their packages, what those give, and how each marks a parameter.

/// Who runs the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Driver {
    Pg,
    Mysql,
    Mysql2,
    BetterSqlite,
    NodeSqlite,
    Sqlite3,
    Knex,
    Sequelize,
    Prisma,
    PostgresJs,
    PgPromise,
}

/// The language of the statement, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Postgres,
    Mysql,
    Sqlite,
    Any,
}

/// How parameters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// `?`
    Question,
    /// `$1`
    Dollar,
}

/// What an expression stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Handle {
    /// A package as a whole.
    Package(Driver),
    /// Something to be called with `new`.
    Class(Driver),
    /// Something that gives a connection when it is called.
    Maker(Driver),
    /// What statements are given to.
    Connection(Driver),
    /// A file of the project as a whole.
    File(String),
}

/// What a package gives as a whole: by default import, namespace or `require`.
pub(super) fn package(specifier: &str) -> Option<Handle> {
    Some(match specifier {
        "pg" | "@neondatabase/serverless" => Handle::Package(Driver::Pg),
        "mysql" => Handle::Package(Driver::Mysql),
        "mysql2" | "mysql2/promise" | "mysql2/promise.js" => Handle::Package(Driver::Mysql2),
        "better-sqlite3" => Handle::Class(Driver::BetterSqlite),
        "node:sqlite" => Handle::Package(Driver::NodeSqlite),
        "sqlite3" | "sqlite" => Handle::Package(Driver::Sqlite3),
        "knex" => Handle::Maker(Driver::Knex),
        "sequelize" | "@sequelize/core" | "sequelize-typescript" => {
            Handle::Class(Driver::Sequelize)
        }
        "@prisma/client" => Handle::Package(Driver::Prisma),
        "postgres" => Handle::Maker(Driver::PostgresJs),
        "pg-promise" => Handle::Package(Driver::PgPromise),
        _ => return None,
    })
}

impl Handle {
    /// `handle.name`
    pub(super) fn member(&self, name: &str) -> Option<Handle> {
        let same = || Some(self.clone());
        match (self, name) {
            (Handle::Package(_) | Handle::Class(_) | Handle::Maker(_), "default")
            | (Handle::Package(Driver::Pg), "native")
            | (Handle::Class(Driver::BetterSqlite), "Database")
            | (Handle::Class(Driver::Sequelize), "Sequelize")
            | (Handle::Maker(Driver::Knex), "knex" | "Knex") => same(),
            (Handle::Package(Driver::Pg), "Pool" | "Client") => Some(Handle::Class(Driver::Pg)),
            (
                Handle::Package(it @ (Driver::Mysql | Driver::Mysql2)),
                "createPool" | "createConnection",
            ) => Some(Handle::Maker(*it)),
            (Handle::Package(Driver::Sqlite3), "Database") => Some(Handle::Class(Driver::Sqlite3)),
            (Handle::Package(Driver::Sqlite3), "open") => Some(Handle::Maker(Driver::Sqlite3)),
            (Handle::Package(Driver::NodeSqlite), "DatabaseSync") => {
                Some(Handle::Class(Driver::NodeSqlite))
            }
            (Handle::Package(Driver::Prisma), "PrismaClient") => {
                Some(Handle::Class(Driver::Prisma))
            }
            _ => None,
        }
    }

    /// `handle(…)`
    pub(super) fn called(&self) -> Option<Handle> {
        match self {
            Handle::Maker(it) | Handle::Connection(it @ Driver::Knex) => {
                Some(Handle::Connection(*it))
            }
            // `require('pg-promise')()(connection)`
            Handle::Package(Driver::PgPromise) => Some(Handle::Maker(Driver::PgPromise)),
            // `Database(file)` works without `new`, too.
            Handle::Class(Driver::BetterSqlite) => Some(Handle::Connection(Driver::BetterSqlite)),
            _ => None,
        }
    }

    /// `handle.method(…)`, awaited or not.
    pub(super) fn method(&self, name: &str) -> Option<Handle> {
        let same = || Some(self.clone());
        match (self, name) {
            (Handle::Package(Driver::Sqlite3), "verbose")
            | (Handle::Connection(Driver::Pg | Driver::PgPromise), "connect")
            | (
                Handle::Connection(Driver::Mysql | Driver::Mysql2),
                "getConnection" | "promise" | "of",
            )
            | (Handle::Connection(Driver::Prisma), "$extends")
            | (Handle::Connection(Driver::PostgresJs), "reserve")
            | (Handle::Connection(Driver::Knex), _) => same(),
            _ => self.member(name)?.called(),
        }
    }

    /// Which parameter of a callback given to `handle.method(…)` is a connection again.
    pub(super) fn gives_on(&self, method: &str) -> Option<usize> {
        match (self, method) {
            (Handle::Connection(Driver::Pg), "connect")
            | (Handle::Connection(Driver::Mysql | Driver::Mysql2), "getConnection") => Some(1),
            (Handle::Connection(Driver::Prisma), "$transaction")
            | (Handle::Connection(Driver::Knex), "transaction")
            | (Handle::Connection(Driver::PostgresJs), "begin" | "savepoint")
            | (Handle::Connection(Driver::PgPromise), "task" | "taskIf" | "tx" | "txIf") => Some(0),
            _ => None,
        }
    }

    /// The connection that a type of the package stands for, by its last name.
    pub(super) fn of_type(&self, name: &str) -> Option<Handle> {
        let (driver, names): (Driver, &[&str]) = match self {
            Handle::Package(Driver::Pg) => {
                (Driver::Pg, &["Pool", "Client", "PoolClient", "ClientBase"])
            }
            Handle::Package(it @ (Driver::Mysql | Driver::Mysql2)) => {
                (*it, &["Pool", "Connection", "PoolConnection"])
            }
            Handle::Package(it @ Driver::PgPromise) => (*it, &["IDatabase", "ITask", "IConnected"]),
            Handle::Package(Driver::Sqlite3) => (Driver::Sqlite3, &["Database"]),
            Handle::Package(Driver::NodeSqlite) => (Driver::NodeSqlite, &["DatabaseSync"]),
            Handle::Package(Driver::Prisma) => {
                (Driver::Prisma, &["PrismaClient", "TransactionClient"])
            }
            Handle::Class(it @ Driver::BetterSqlite) => (*it, &["Database", "default"]),
            Handle::Class(it @ Driver::Sequelize) => (*it, &["Sequelize", "default"]),
            Handle::Maker(it @ Driver::Knex) => (*it, &["Knex", "Transaction"]),
            Handle::Maker(it @ Driver::PostgresJs) => {
                (*it, &["Sql", "TransactionSql", "ReservedSql"])
            }
            _ => return None,
        };
        names.contains(&name).then_some(Handle::Connection(driver))
    }
}

impl Driver {
    pub(super) fn name(self) -> &'static str {
        match self {
            Driver::Pg => "pg",
            Driver::Mysql => "mysql",
            Driver::Mysql2 => "mysql2",
            Driver::BetterSqlite => "better-sqlite3",
            Driver::NodeSqlite => "node:sqlite",
            Driver::Sqlite3 => "sqlite3",
            Driver::Knex => "knex",
            Driver::Sequelize => "sequelize",
            Driver::Prisma => "prisma",
            Driver::PostgresJs => "postgres",
            Driver::PgPromise => "pg-promise",
        }
    }

    pub(super) fn dialect(self) -> Dialect {
        match self {
            Driver::Pg | Driver::PostgresJs | Driver::PgPromise => Dialect::Postgres,
            Driver::Mysql | Driver::Mysql2 => Dialect::Mysql,
            Driver::BetterSqlite | Driver::NodeSqlite | Driver::Sqlite3 => Dialect::Sqlite,
            Driver::Knex | Driver::Sequelize | Driver::Prisma => Dialect::Any,
        }
    }
}
