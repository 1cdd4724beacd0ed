//! Scalars of every type of YAML 1.1, and strings that are similar to such scalars.

use union_random::Random;

/// Words that are not strings in YAML 1.1, such as bools, and ordinary words.
const WORDS: [&str; 62] = [
    "y",
    "Y",
    "yes",
    "Yes",
    "YES",
    "n",
    "N",
    "no",
    "No",
    "NO",
    "true",
    "True",
    "TRUE",
    "false",
    "False",
    "FALSE",
    "on",
    "On",
    "ON",
    "off",
    "Off",
    "OFF",
    "~",
    "null",
    "Null",
    "NULL",
    ".nan",
    ".NaN",
    ".NAN",
    ".inf",
    ".Inf",
    ".INF",
    "+.inf",
    "-.inf",
    "-.INF",
    "+.nan",
    "<<",
    "=",
    "nil",
    "None",
    "a",
    "b",
    "key",
    "spec",
    "metadata",
    "a b",
    "a:b",
    "a#b",
    "http://x/y?z",
    "-a",
    "?a",
    ":a",
    "é",
    "日本",
    "😀",
    "a,b",
    "x[0]",
    "{x}",
    "100m",
    "1Gi",
    "v1",
    "apps/v1",
];

/// Numbers at the edges of 32 and 64 bits and of doubles.
const NUMBERS: [&str; 44] = [
    "0",
    "-0",
    "+0",
    "00",
    "1",
    "-1",
    "+1",
    "08",
    "09",
    "010",
    "0777",
    "0644",
    "1e3",
    "1E3",
    "1.0",
    "1.",
    ".5",
    "-.5",
    "+.5",
    "1e400",
    "-1e400",
    "1e-400",
    "4.9e-324",
    "2.4e-324",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1e21",
    "1e20",
    "999999999999999999999",
    "4611686018427387904.0",
    "9007199254740993.0",
    "123456789.5",
    "16777217.0",
    "1e38",
    "3.5e38",
    "0.0001",
    "0.00001",
    "1000000.0",
    "1e6",
    "7.038531e-26",
];

const TIMES: [&str; 12] = [
    "2001-01-01",
    "2001-1-1",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14T21:59:43Z",
    "2001-12-14 21:59:43.10",
    "2001-12-14 21:59:43.10 -5",
    "2001-02-30",
    "2000-02-29",
    "1900-02-29",
    "2001-13-01",
    "12:30:45",
    "190:20:30.15",
];

/// Characters that a change may add to a scalar.
const ADDED: [char; 34] = [
    '0', '1', '7', '8', '9', '_', '.', '-', '+', 'e', 'E', 'x', 'b', 'o', 'X', 'B', 'O', 'f', 'F',
    ':', 'n', 'a', 'i', 'y', ' ', '\'', '"', '\\', '#', ',', '~', '<', '!', '?',
];

fn digits(random: &mut Random, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let length = match random.below(8) {
        0 => 18 + random.below(4),
        1 => 60 + random.below(8),
        _ => 1 + random.below(6),
    };
    let digits = (0..length).map(|_| {
        if random.chance(6) {
            '_'
        } else {
            *random.pick(&alphabet)
        }
    });
    digits.collect()
}

fn number(random: &mut Random) -> String {
    let sign = *random.pick(&["", "", "", "-", "+"]);
    let (prefix, alphabet) = random.weighted(&[
        (8, ("", "0123456789")),
        (2, ("0", "01234567")),
        (1, ("0", "0123456789")),
        (2, ("0x", "0123456789abcdefABCDEF")),
        (1, ("0X", "0123456789abcdef")),
        (2, ("0b", "01")),
        (1, ("0b-", "01")),
        (1, ("0B", "01")),
        (2, ("0o", "01234567")),
        (1, ("0O", "012345678")),
        (1, ("0_", "0123456789")),
    ]);
    let mut text = format!("{sign}{prefix}{}", digits(random, alphabet));
    if random.chance(35) {
        text.push('.');
        if random.chance(85) {
            text += &digits(random, "0123456789");
        }
    }
    if random.chance(25) {
        text += *random.pick(&["e", "E", "e+", "e-", "E-", "p"]);
        text += &random.below(420).to_string();
    }
    text
}

/// Returns a scalar without quotes. At some positions, the result is not a valid plain scalar.
pub(crate) fn scalar(random: &mut Random) -> String {
    let mut text = match random.below(10) {
        0..=3 => (*random.pick(&WORDS)).to_owned(),
        4 | 5 => (*random.pick(&NUMBERS)).to_owned(),
        6 => (*random.pick(&TIMES)).to_owned(),
        7 => format!("{} {}", random.pick(&WORDS), random.pick(&WORDS)),
        _ => number(random),
    };
    if random.chance(20) {
        text = near(random, &text);
    }
    text
}

/// Returns the string with a small change.
fn near(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.below(chars.len() + 1);
    match random.below(4) {
        0 => chars.insert(at, *random.pick(&ADDED)),
        1 if at < chars.len() => {
            chars.remove(at);
        }
        2 if at < chars.len() => {
            let c = chars[at];
            chars[at] = if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            };
        }
        3 if at < chars.len() => chars[at] = *random.pick(&ADDED),
        _ => chars.push(*random.pick(&ADDED)),
    }
    chars.into_iter().collect()
}
