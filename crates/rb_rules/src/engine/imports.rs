//! Import lists that a fix changed, laid out as the formatter of the project would: on one line where they fit, a name a line
//! otherwise. Nothing is done where the project has no formatter; the order of names stays.

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier};
use oxc_span::GetSpan;
use rb_core::{Edit, edit};
use rb_ecma::{Module, with_module};
use rb_lang::Language;

use crate::world::World;

/// What Biome and Prettier take for a line where nothing is set.
const WIDTH: usize = 80;

/// Where a width is set, and by which word.
const SETTINGS: &[(&str, &str)] = &[
    ("biome.json", "lineWidth"),
    ("biome.jsonc", "lineWidth"),
    (".prettierrc", "printWidth"),
    (".prettierrc.json", "printWidth"),
];

/// The text with its changed imports laid out; `None` where nothing is to be done.
pub(super) fn laid_out(world: &dyn World, path: &str, before: &str, after: &str) -> Option<String> {
    let width = width(world, path)?;
    let language = Language::of_path(path.as_bytes())?;
    let edits = with_module(language, after, |module| {
        let declarations = module.import_declarations();
        let changed = declarations.filter(|it| !before.contains(module.slice(it.span)));
        changed.filter_map(|it| layout(module, it, width)).collect::<Vec<Edit>>()
    })?;
    if edits.is_empty() { None } else { edit::apply(after, &edits).ok() }
}

/// The width of a line by the nearest settings of a formatter; `None` where the project has none.
fn width(world: &dyn World, path: &str) -> Option<usize> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        folder = above;
        let set = width_in(world, &format!("{folder}/"));
        if set.is_some() {
            return set;
        }
    }
    width_in(world, "")
}

fn width_in(world: &dyn World, folder: &str) -> Option<usize> {
    SETTINGS.iter().find_map(|(file, word)| {
        let text = world.text(&format!("{folder}{file}"))?;
        let set = text.split_once(&format!("\"{word}\"")).map(|(_, rest)| rest);
        let digits = set.map(|rest| rest.trim_start_matches([':', ' ', '\n', '\t']));
        let number: Option<String> =
            digits.map(|it| it.chars().take_while(char::is_ascii_digit).collect());
        Some(number.and_then(|it| it.parse().ok()).unwrap_or(WIDTH))
    })
}

fn layout<'a>(module: &Module<'a>, it: &ImportDeclaration<'a>, width: usize) -> Option<Edit> {
    let named: Vec<&str> = it
        .specifiers
        .as_ref()?
        .iter()
        .filter(|it| matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_)))
        .map(|it| module.slice(it.span()))
        .collect();
    let text = module.slice(it.span);
    let (head, rest) = text.split_once('{')?;
    let (_, tail) = rest.split_once('}')?;
    if named.is_empty() || module.has_comment(it.span) {
        return None;
    }
    let style = module.style();
    let one = format!("{head}{}{tail}", style.braced(&named.join(", ")));
    let fits = one.chars().count() <= width;
    let is_long = text.contains('\n');
    let laid = if fits && is_long {
        one
    } else if !fits && !is_long && named.len() > 1 {
        let eol = style.line_end;
        let inner = named.join(&format!(",{eol}{}", style.indent));
        let comma = if style.trailing_commas { "," } else { "" };
        format!("{head}{{{eol}{}{inner}{comma}{eol}}}{tail}", style.indent)
    } else {
        return None;
    };
    Some(Edit::replace(it.span.start, it.span.end, laid))
}
