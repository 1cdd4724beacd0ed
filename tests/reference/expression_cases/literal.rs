//! Random literals, in all forms of the syntax.

use std::fmt::Write;

use union_random::Random;

use crate::edges::{BYTES, DOUBLES, INTS, UINTS};

/// Returns a literal of the string.
pub(crate) fn text(random: &mut Random, text: &str) -> String {
    let quote = *random.pick(&["'", "'", "\"", "'''", "\"\"\""]);
    let is_plain = !text.contains(['\\', '\'', '"', '\n', '\r']);
    if is_plain && random.chance(15) {
        return format!("r{quote}{text}{quote}");
    }
    let escapes = random.chance(10);
    let mut literal = quote.to_owned();
    for letter in text.chars() {
        // Writing to a string never fails.
        let _ = match letter {
            '\\' => write!(literal, "\\\\"),
            '\'' | '"' => write!(literal, "\\{letter}"),
            '\n' => write!(literal, "\\n"),
            '\r' => write!(literal, "\\r"),
            '\t' if escapes => write!(literal, "\\t"),
            letter if letter < ' ' || letter == '\u{7f}' => {
                write!(literal, "\\x{:02x}", u32::from(letter))
            }
            letter if escapes && letter > '\u{ffff}' => {
                write!(literal, "\\U{:08x}", u32::from(letter))
            }
            letter if escapes && letter > '~' => write!(literal, "\\u{:04X}", u32::from(letter)),
            letter => write!(literal, "{letter}"),
        };
    }
    literal.push_str(quote);
    literal
}

pub(crate) fn int(random: &mut Random) -> String {
    let number = if random.chance(50) {
        i64::try_from(random.below(12)).unwrap_or(0) - 3
    } else {
        *random.pick(INTS)
    };
    match number {
        ..0 if random.chance(90) => format!("({number})"),
        0.. if random.chance(5) => format!("0x{number:x}"),
        number => number.to_string(),
    }
}

pub(crate) fn uint(random: &mut Random) -> String {
    let number = if random.chance(50) {
        random.below(9) as u64
    } else {
        *random.pick(UINTS)
    };
    if random.chance(5) {
        format!("0x{number:X}U")
    } else {
        format!("{number}u")
    }
}

pub(crate) fn double(random: &mut Random) -> String {
    let number = *random.pick(DOUBLES);
    if number.starts_with('-') {
        format!("({number})")
    } else {
        number.to_owned()
    }
}

pub(crate) fn bytes(random: &mut Random) -> String {
    (*random.pick(BYTES)).to_owned()
}
