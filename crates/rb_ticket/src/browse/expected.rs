//! The pictures that a ticket expects pages to look like.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ticket::{Source, Ticket};

/// The attachments that are files beside the ticket, by name, with absolute paths.
///
/// They are read where the ticket lies, never in the worktree: a change cannot replace what it is compared with.
pub fn expected_pictures(ticket: &Ticket) -> BTreeMap<String, PathBuf> {
    let Source::File(file) = &ticket.source else { return BTreeMap::new() };
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let local = ticket.attachments.iter().filter(|it| !it.location.contains("://"));
    let file = |location: &str| std::path::absolute(folder.join(location)).ok();
    let files = local.filter_map(|it| Some((it.name.clone(), file(&it.location)?)));
    files.filter(|(_, file)| file.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ticket::Attachment;

    #[test]
    fn tk3_only_files_beside_the_ticket_are_expected_pictures() {
        let folder = tempfile::tempdir().unwrap();
        rb_testkit::write_fixture(folder.path(), "//- tickets/cart.png\npixels\n");
        let attachment = |name: &str, location: &str| Attachment {
            name: name.to_owned(),
            location: location.to_owned(),
        };
        let attachments = vec![
            attachment("cart.png", "cart.png"),
            attachment("gone.png", "gone.png"),
            attachment("far.png", "https://example.com/far.png"),
        ];
        let source = Source::File(folder.path().join("tickets/shop.md").display().to_string());
        let ticket = Ticket { attachments, source, ..Ticket::empty() };
        let expected = folder.path().join("tickets/cart.png");
        let expected = BTreeMap::from([("cart.png".to_owned(), expected)]);
        assert_eq!(expected_pictures(&ticket), expected);
        let from_elsewhere = Ticket { source: Source::Stdin, ..ticket };
        assert_eq!(expected_pictures(&from_elsewhere), BTreeMap::new());
    }
}
