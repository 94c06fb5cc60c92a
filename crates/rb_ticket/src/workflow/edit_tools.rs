//! What a model may call while it works on a ticket: the read-only tools of the index, and edits of a private copy.
//!
//! The copy is in memory, on top of the worktree. A resumed run makes the same calls again and comes to the same copy.

use std::collections::BTreeMap;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_flow::ask::Tools;
use rb_models::Tool;
use rb_tools::{Repository, Toolbox};
use rb_workspace::answer::{self, AnswerError, Edit, NewFile};
use rb_workspace::patch::{self, Entry, File, Tree};
use serde_json::{Value, json};

/// The files of the worktree with the edits so far.
pub(crate) struct Overlay<'t> {
    below: &'t dyn Tree,
    /// `None` for a file that is gone.
    changed: BTreeMap<RepoPath, Option<File>>,
}

impl<'t> Overlay<'t> {
    pub(crate) fn new(below: &'t dyn Tree) -> Self {
        Overlay { below, changed: BTreeMap::new() }
    }

    /// Carries out edits, all or none.
    pub(crate) fn edit(
        &mut self,
        edits: &[Edit<'_>],
        new_files: &[NewFile<'_>],
    ) -> Result<Vec<RepoPath>, AnswerError> {
        let resolved = answer::resolve_edits(edits, new_files, self)?;
        let changes = match patch::apply(&resolved.patch, self) {
            Ok(changes) => changes,
            Err(patch::ApplyError::Conflicts(found)) => return Err(AnswerError::Conflicts(found)),
            Err(patch::ApplyError::Tree(error)) => return Err(AnswerError::Tree(error)),
        };
        let paths = changes.iter().map(|change| change.path.clone()).collect();
        for change in changes {
            self.changed.insert(change.path, change.after);
        }
        Ok(paths)
    }

    pub(crate) fn put(&mut self, path: RepoPath, file: Option<File>) {
        self.changed.insert(path, file);
    }

    fn text(&self, path: &RepoPath) -> Option<String> {
        let file = self.changed.get(path)?.as_ref()?;
        Some(String::from_utf8_lossy(&file.bytes).into_owned())
    }

    /// The patch that the edits come to; `None` where they come to nothing.
    pub(crate) fn patch(&self) -> Result<Option<Vec<u8>>, String> {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for (path, changed) in &self.changed {
            let entry = self.below.entry(path).map_err(|error| error.to_string())?;
            if let Some(Entry::File(file)) = entry {
                before.insert(path.clone(), file);
            }
            if let Some(file) = changed {
                after.insert(path.clone(), file.clone());
            }
        }
        let patch = patch::diff(&before, &after).map_err(|error| error.to_string())?;
        Ok((!patch.files.is_empty()).then(|| patch::write(&patch)))
    }
}

impl Tree for Overlay<'_> {
    fn entry(&self, path: &RepoPath) -> Result<Option<Entry>, FsError> {
        match self.changed.get(path) {
            Some(Some(file)) => Ok(Some(Entry::File(file.clone()))),
            Some(None) => Ok(None),
            None => self.below.entry(path),
        }
    }

    fn paths(&self) -> Result<Vec<RepoPath>, FsError> {
        let mut paths = self.below.paths()?;
        paths.retain(|path| !self.changed.contains_key(path));
        let here = self.changed.iter().filter(|(_, file)| file.is_some());
        paths.extend(here.map(|(path, _)| path.clone()));
        Ok(paths)
    }
}

pub(crate) struct EditTools<'w> {
    pub(crate) on: Repository<'w>,
    pub(crate) toolbox: Toolbox,
    pub(crate) copy: Overlay<'w>,
}

const EDIT: &str = "edit_file";
const WRITE: &str = "write_file";
const DELETE: &str = "delete_file";
const DIFF: &str = "show_diff";

impl Tools for EditTools<'_> {
    fn list(&self) -> Vec<Tool> {
        let read = Toolbox::specs().into_iter().map(|spec| Tool {
            name: spec.name.to_owned(),
            description: spec.description.to_owned(),
            input: spec.input,
        });
        read.chain(own_tools()).collect()
    }

    fn call(&mut self, name: &str, input: &Value) -> Result<String, String> {
        let text = |key: &str| {
            input[key].as_str().ok_or_else(|| format!("`{key}` is missing, or is not a text."))
        };
        match name {
            EDIT => {
                let (path, search, replace) = (text("path")?, text("search")?, text("replace")?);
                let edited = self.copy.edit(&[Edit { path, search, replace }], &[]);
                edited.map(|paths| said("Edited", &paths)).map_err(|error| refused(&error))
            }
            WRITE => {
                let (path, content) = (text("path")?, text("content")?);
                self.write(path, content)
            }
            DELETE => {
                let path = self.existing(text("path")?)?;
                self.copy.put(path.clone(), None);
                Ok(said("Deleted", &[path]))
            }
            DIFF => Ok(match self.copy.patch()? {
                Some(patch) => String::from_utf8_lossy(&patch).into_owned(),
                None => "Nothing was changed yet.".to_owned(),
            }),
            _ => self.look(name, input),
        }
    }
}

impl EditTools<'_> {
    fn write(&mut self, path: &str, content: &str) -> Result<String, String> {
        let place = RepoPath::new(path).map_err(|error| error.to_string())?;
        let mode = match self.copy.entry(&place).map_err(|error| error.to_string())? {
            Some(Entry::File(file)) => file.mode,
            Some(_) => return Err(format!("`{path}` is not a plain file.")),
            None => File::regular("").mode,
        };
        self.copy.put(place.clone(), Some(File { bytes: content.as_bytes().to_vec(), mode }));
        Ok(said("Wrote", &[place]))
    }

    fn existing(&self, path: &str) -> Result<RepoPath, String> {
        let place = RepoPath::new(path).map_err(|error| error.to_string())?;
        match self.copy.entry(&place).map_err(|error| error.to_string())? {
            Some(Entry::File(_)) => Ok(place),
            Some(_) | None => Err(format!("`{path}` is not a file of the repository.")),
        }
    }

    /// A tool of the index. It does not know the edits, so a file that has some is shown from the copy.
    fn look(&mut self, name: &str, input: &Value) -> Result<String, String> {
        let edited = input["path"].as_str().and_then(|path| RepoPath::new(path).ok());
        if let (true, Some(text)) =
            (name == "read_file", edited.as_ref().and_then(|path| self.copy.text(path)))
        {
            let numbered = text.lines().enumerate();
            let lines = numbered.map(|(at, line)| format!("{:>5} {line}\n", at + 1));
            return Ok(format!("With your edits:\n{}", lines.collect::<String>()));
        }
        let output = self.toolbox.call(self.on, name, input);
        output.map(|output| output.text).map_err(|error| error.to_string())
    }
}

/// A call has one edit, so its number says nothing.
fn refused(error: &AnswerError) -> String {
    let words = error.to_string();
    format!("Nothing was changed: {}", words.strip_prefix("edit 1, ").unwrap_or(&words))
}

fn said(verb: &str, paths: &[RepoPath]) -> String {
    let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    format!("{verb} {}.", names.join(", "))
}

fn own_tools() -> Vec<Tool> {
    let tool = |name: &str, description: &str, keys: &[(&str, &str)]| {
        let properties: serde_json::Map<String, Value> = keys
            .iter()
            .map(|(key, about)| {
                ((*key).to_owned(), json!({"type": "string", "description": about}))
            })
            .collect();
        let required: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
        let input = json!({"type": "object", "properties": properties, "required": required,
            "additionalProperties": false});
        Tool { name: name.to_owned(), description: description.to_owned(), input }
    };
    let path = ("path", "The path of the file, relative to the root of the repository.");
    vec![
        tool(
            EDIT,
            "Replaces a text of a file. The text must occur exactly once.",
            &[
                path,
                ("search", "The text, as it stands in the file, with line breaks and indentation."),
                ("replace", "What takes its place."),
            ],
        ),
        tool(WRITE, "Writes a whole file, new or old.", &[path, ("content", "The whole content.")]),
        tool(DELETE, "Deletes a file.", &[path]),
        tool(DIFF, "Shows all changes so far as a diff.", &[]),
    ]
}
