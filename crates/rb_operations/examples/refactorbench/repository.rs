//! Reads a repository into memory.

use std::collections::BTreeMap;
use std::path::Path;

use rb_operations::testing::MemoryFiles;

/// Every text file of a folder, but for hidden ones and links.
pub(crate) fn read(root: &Path) -> Result<MemoryFiles, std::io::Error> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && let Ok(text) = String::from_utf8(std::fs::read(&path)?)
            {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                files.insert(name, text.into());
            }
        }
    }
    Ok(MemoryFiles { files })
}
