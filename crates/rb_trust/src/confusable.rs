//! Letters that look like other letters, and characters that are not seen at all.
//!
//! Only what is used to write Latin words in disguise is here; it is no copy of the Unicode confusables, which fold far more
//! than a reader would take for the same word.

/// The Latin letter that `c` is drawn like, when it is a letter of another script or a fancy form that compatibility
/// decomposition leaves alone. Capitals are asked for before lower-casing: `Η` is an H, `η` is like an n.
pub(crate) fn look_alike(c: char) -> Option<char> {
    let latin = match c {
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ᴀ' | 'Ꭺ' | 'ⱥ' => 'a',
        'в' | 'В' | 'β' | 'Β' | 'ʙ' | 'Ƅ' | 'ƅ' | 'Ь' | 'ь' | 'Ᏼ' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' | 'ᴄ' | 'Ꮯ' | 'ƈ' => 'c',
        'ԁ' | 'ɗ' | 'đ' | 'Đ' | 'ᴅ' | 'Ꭰ' | 'ɖ' => 'd',
        'е' | 'Е' | 'ε' | 'Ε' | 'ҽ' | 'ᴇ' | 'Ꭼ' | 'є' | 'Є' | 'ɛ' | 'ə' | 'ǝ' => 'e',
        'ғ' | 'ꜰ' | 'ƒ' | 'ſ' | 'ϝ' => 'f',
        'ɡ' | 'ɢ' | 'ց' | 'Ԍ' | 'ԍ' | 'Ꮐ' | 'ɠ' | 'ƍ' => 'g',
        'н' | 'Н' | 'һ' | 'Һ' | 'Η' | 'հ' | 'ʜ' | 'Ꮋ' | 'ħ' | 'Ħ' | 'ɦ' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'ɩ' | 'ɪ' | 'Ꭵ' | 'ї' | 'Ї' | 'ɨ' => 'i',
        'ј' | 'Ј' | 'ϳ' | 'ᴊ' | 'Ꭻ' | 'ʝ' => 'j',
        'к' | 'К' | 'κ' | 'Κ' | 'ᴋ' | 'Ꮶ' | 'ƙ' => 'k',
        'ӏ' | 'Ӏ' | 'ł' | 'Ł' | 'ʟ' | 'Ꮮ' | 'ɭ' | 'ƚ' => 'l',
        'м' | 'М' | 'Μ' | 'ᴍ' | 'Ꮇ' | 'ɱ' => 'm',
        'Ν' | 'η' | 'ո' | 'ɴ' | 'п' | 'П' | 'ƞ' | 'ɲ' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' | 'Օ' | 'ᴏ' | 'ø' | 'Ø' | 'σ' | 'ɵ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' | 'ᴘ' | 'Ꮲ' | 'ƥ' => 'p',
        'ԛ' | 'գ' | 'զ' | 'ɋ' => 'q',
        'г' | 'Г' | 'ʀ' | 'Ꮢ' | 'ɾ' | 'ɼ' | 'я' | 'Я' => 'r',
        'ѕ' | 'Ѕ' | 'ꜱ' | 'Ꮪ' | 'ʂ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' | 'ᴛ' | 'Ꭲ' | 'ƭ' | 'ŧ' => 't',
        'υ' | 'ս' | 'ʋ' | 'ᴜ' | 'μ' | 'µ' | 'ц' | 'ʉ' => 'u',
        'ν' | 'ѵ' | 'Ѵ' | 'ᴠ' | 'Ꮩ' => 'v',
        'ω' | 'ԝ' | 'Ԝ' | 'ш' | 'Ш' | 'ᴡ' | 'Ꮃ' | 'ѡ' | 'ɯ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'Υ' | 'γ' | 'ү' | 'Ү' | 'ʏ' | 'Ꮍ' | 'ყ' | 'ƴ' => 'y',
        'Ζ' | 'ᴢ' | 'Ꮓ' | 'ʐ' | 'ƶ' => 'z',
        _ => return boxed(c),
    };
    Some(latin)
}

/// Letters in squares, circles and flags: 🅰, 🅘, 🇮.
fn boxed(c: char) -> Option<char> {
    let code = u32::from(c);
    let nth = match code {
        0x1F150..=0x1F169 => code - 0x1F150,
        0x1F170..=0x1F189 => code - 0x1F170,
        0x1F1E6..=0x1F1FF => code - 0x1F1E6,
        _ => return None,
    };
    char::from_u32(u32::from(b'a') + nth)
}

/// Whether nothing is drawn for `c`, and it is no space either.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether `c` is drawn onto the letter before it and does not make another word of it.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{93c}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// The writing systems that are told apart where words mix them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Armenian,
    Cherokee,
    Other,
}

/// The script of a letter; `None` for what is no letter.
pub(crate) fn script(c: char) -> Option<Script> {
    if c.is_ascii_alphabetic() {
        return Some(Script::Latin);
    }
    if c.is_ascii() || !c.is_alphabetic() {
        return None;
    }
    Some(match c {
        '\u{aa}'
        | '\u{ba}'..='\u{24f}'
        | '\u{250}'..='\u{2af}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{1d00}'..='\u{1d7f}' => Script::Latin,
        '\u{b5}' | '\u{370}'..='\u{3ff}' => Script::Greek,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{530}'..='\u{58f}' => Script::Armenian,
        '\u{13a0}'..='\u{13ff}' => Script::Cherokee,
        _ => Script::Other,
    })
}
