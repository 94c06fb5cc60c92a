//! Any text can be scanned and fenced: findings lie inside of it, on characters, in order, and are the same twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rb_trust::{Fence, Label, Place, REPORTED, Source, scan, total};

fuzz_target!(|data: &[u8]| {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let place = match first % 5 {
        0 => Place::Message,
        1 => Place::Prose,
        2 => Place::Code,
        3 => Place::Data,
        _ => Place::Guide,
    };
    let text = String::from_utf8_lossy(rest);
    let findings = scan(&text, place);
    for it in &findings {
        assert!(it.start < it.end && text.get(it.start..it.end).is_some());
        assert!((REPORTED..=100).contains(&it.score));
    }
    assert!(findings.is_sorted_by_key(|it| (it.start, it.end)));
    assert!(total(&findings) <= 100);
    assert_eq!(findings, scan(&text, place));

    let fence = Fence::new([*first; 16]);
    let label = Label { source: Source::File, name: text.chars().take(40).collect() };
    if let Ok(fenced) = fence.around(&label, &text) {
        assert_eq!(fenced.matches(fence.mark()).count(), 2);
    }
});
