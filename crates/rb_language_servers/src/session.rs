//! A talk with a server about one project: it is greeted, shown files, asked, and sent home.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::connection::Connection;
use crate::error::ServerError;
use crate::job::RunningJob;
use crate::position::Encoding;
use crate::renamer::{LanguageServers, Limits};
use crate::server::Server;
use crate::uri;

/// A server has so long to leave by itself.
const GOODBYE: Duration = Duration::from_secs(3);

pub(crate) struct Session {
    connection: Connection,
    pub(crate) server: &'static Server,
    pub(crate) encoding: Encoding,
    root: PathBuf,
    /// Open files with their versions.
    open: BTreeMap<String, i64>,
    capabilities: Value,
    limits: Limits,
    /// Ends the server when all else is done.
    _job: RunningJob,
}

/// A place in a file: path within the project, line from 1. No path for a place outside of it.
pub(crate) type Place = (Option<String>, u32);

impl Session {
    /// Starts the server and waits until it has answered for the first time.
    pub(crate) fn start(
        servers: &LanguageServers,
        server: &'static Server,
        program: PathBuf,
    ) -> Result<Self, ServerError> {
        // Addresses of files hold no links.
        let root = servers.root.canonicalize().unwrap_or_else(|_| servers.root.clone());
        let servers = LanguageServers { root: root.clone(), ..servers.clone() };
        let (job, pipes) = RunningJob::start(&servers, server, program)?;
        let root_uri = uri::of(&root);
        let mut connection =
            Connection::new(server, pipes, &root_uri, job.ended(), &servers.cancel);
        let limits = servers.limits;
        let greeting = greeting(server, &root, &root_uri);
        let mut result = connection.request("initialize", greeting, limits.load)?;
        let encoding = match result["capabilities"]["positionEncoding"].as_str() {
            Some("utf-8") => Encoding::Utf8,
            None | Some("utf-16") => Encoding::Utf16,
            Some(other) => {
                let why =
                    format!("it counts in {}, which was not offered", crate::error::quoted(other));
                return Err(ServerError::Protocol { server: server.name, why });
            }
        };
        let capabilities = result["capabilities"].take();
        connection.notify("initialized", json!({}), limits.call)?;
        let settings = json!({ "settings": { server.section: (server.settings)() } });
        connection.notify("workspace/didChangeConfiguration", settings, limits.call)?;
        let open = BTreeMap::new();
        Ok(Session { connection, server, encoding, root, open, capabilities, limits, _job: job })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn uri(&self, path: &str) -> String {
        uri::of(&self.root.join(path))
    }

    /// Shows a file with this text, or another text of a file that was shown before.
    pub(crate) fn show(&mut self, path: &str, text: &str) -> Result<(), ServerError> {
        let uri = self.uri(path);
        let version = self.open.entry(path.to_owned()).or_insert(0);
        *version += 1;
        let version = *version;
        if version == 1 {
            let language = self.server.language_of(path);
            let document =
                json!({ "uri": uri, "languageId": language, "version": version, "text": text });
            let params = json!({ "textDocument": document });
            return self.connection.notify("textDocument/didOpen", params, self.limits.call);
        }
        let params = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.connection.notify("textDocument/didChange", params, self.limits.call)
    }

    /// With which a file was last shown.
    pub(crate) fn version(&self, path: &str) -> Option<i64> {
        self.open.get(path).copied()
    }

    /// Waits until the project is read, and stops where the server says that it could not.
    pub(crate) fn until_loaded(&mut self) -> Result<(), ServerError> {
        self.connection.until_loaded(self.limits.load)?;
        match self.connection.loading.trouble.clone() {
            Some(why) => Err(ServerError::NotLoaded { server: self.server.name, why }),
            None => Ok(()),
        }
    }

    fn can(&self, what: &str) -> bool {
        let value = &self.capabilities[what];
        !value.is_null() && *value != false
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, ServerError> {
        self.connection.request(method, params, self.limits.call)
    }

    pub(crate) fn symbols(&mut self, path: &str) -> Result<Value, ServerError> {
        let params = json!({ "textDocument": { "uri": self.uri(path) } });
        self.ask("textDocument/documentSymbol", params)
    }

    fn at(&self, path: &str, position: &Value) -> Value {
        json!({ "textDocument": { "uri": self.uri(path) }, "position": position })
    }

    /// Whether the server renames what is there. It says why not, or says nothing.
    pub(crate) fn prepare_rename(
        &mut self,
        path: &str,
        position: &Value,
    ) -> Result<(), ServerError> {
        let server = self.server.name;
        let refused = |why: &str| ServerError::Refused { server, why: why.to_owned() };
        if !self.can("renameProvider") {
            return Err(refused("it does not rename"));
        }
        if self.capabilities["renameProvider"]["prepareProvider"] != true {
            return Ok(());
        }
        let params = self.at(path, position);
        let answer = self.ask("textDocument/prepareRename", params)?;
        if answer.is_null() { Err(refused("this cannot be renamed")) } else { Ok(()) }
    }

    pub(crate) fn rename(
        &mut self,
        path: &str,
        position: &Value,
        to: &str,
    ) -> Result<Value, ServerError> {
        let mut params = self.at(path, position);
        params["newName"] = to.into();
        self.ask("textDocument/rename", params)
    }

    /// All places that refer to what is there, its declaration among them, sorted. None where the server cannot say.
    pub(crate) fn references(
        &mut self,
        path: &str,
        position: &Value,
    ) -> Result<Option<Vec<Place>>, ServerError> {
        if !self.can("referencesProvider") {
            return Ok(None);
        }
        let mut params = self.at(path, position);
        params["context"] = json!({ "includeDeclaration": true });
        let answer = self.ask("textDocument/references", params)?;
        let mut places = self.places(&answer);
        places.sort();
        Ok(Some(places))
    }

    /// Where what is there is declared; no place where the server does not know.
    pub(crate) fn definition(
        &mut self,
        path: &str,
        position: &Value,
    ) -> Result<Vec<Place>, ServerError> {
        let params = self.at(path, position);
        match self.ask("textDocument/definition", params) {
            Ok(answer) => Ok(self.places(&answer)),
            Err(ServerError::Refused { .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// One location, a list of them, or of links.
    fn places(&self, answer: &Value) -> Vec<Place> {
        let one = std::slice::from_ref(answer);
        let list = answer.as_array().map_or(one, Vec::as_slice);
        let place = |it: &Value| {
            let uri = it["uri"].as_str().or_else(|| it["targetUri"].as_str())?;
            let range =
                if it["range"].is_object() { &it["range"] } else { &it["targetSelectionRange"] };
            let line = u32::try_from(range["start"]["line"].as_u64()?).ok()?;
            Some((uri::within(&self.root, uri), line.saturating_add(1)))
        };
        list.iter().filter_map(place).collect()
    }

    /// Lets it leave by itself; what does not is ended.
    pub(crate) fn finish(mut self) {
        if self.connection.request("shutdown", Value::Null, GOODBYE).is_ok() {
            let _ = self.connection.notify("exit", Value::Null, GOODBYE);
        }
    }
}

fn greeting(server: &Server, root: &Path, root_uri: &str) -> Value {
    json!({
        // In the sandbox our number is another program's, or nobody's.
        "processId": null,
        "clientInfo": { "name": "refactor-bot" },
        "rootUri": root_uri,
        "rootPath": root.to_string_lossy(),
        "workspaceFolders": [{ "uri": root_uri, "name": "project" }],
        "initializationOptions": server.options(),
        "capabilities": {
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "window": { "workDoneProgress": true },
            "workspace": {
                "configuration": true,
                "workspaceFolders": true,
                "workspaceEdit": {
                    "documentChanges": true,
                    // The Eclipse server moves files only for clients that support all three; what it moves is checked.
                    "resourceOperations": ["create", "rename", "delete"],
                    "failureHandling": "abort",
                },
            },
            "textDocument": {
                "synchronization": { "didSave": false },
                "rename": { "prepareSupport": true },
                "references": {},
                "definition": { "linkSupport": false },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            },
            "experimental": { "serverStatusNotification": true },
        },
    })
}
