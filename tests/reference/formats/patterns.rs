//! Random patterns: made by rules, made of arbitrary parts, or changed; and strings that may match
//! them.

use crate::random::Random;

/// Patterns in the form that people write.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", r"^(\d{1,3}\.){3}\d{1,3}$", r"^[^\s@]+@[^\s@]+\.[a-z]{2,}$",
    r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$", r"^(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:a|b)+))?$",
    r"^\p{L}[\p{L}\p{N}_]*$", r"(?i)^(true|false|kelvin|straße)$", r"^([0-9]+(ns|us|µs|ms|s|m|h))+$",
    r"\bfoo\b|\Bbar", r"^/((?P<a>[^/]+)/)*$", r"(?m)^a$|(?s:.)x", r"^\Qa.b\E*$", r"^[[:alpha:]][[:^digit:]]{0,3}$",
];

/// Parts that have a meaning in a pattern, at least at some places.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "a", "b", "k", "s", "S", "ſ", "é", "日", ".", "^", "$", "|", "(", ")", "(?:", "(?i)", "(?i:", "(?s)", "(?m)",
    "(?U)", "(?-i)", "(?i-s:", "(?P<n>", "(?<n>", "(?P<", "(?<", "(?", "(?x)", "(?R)", "(?u)", "(?=", "(?#", "*",
    "+", "?", "*?", "{2}", "{0}", "{1,3}", "{2,}", "{,2}", "{40}", "{1001}", "{3,1}", "{01}", "{", "}", "[", "]",
    "[^", "[a-z]", "[^a]", "-", "&&", "--", "~~", "[:alpha:]", "[:^space:]", "[:foo:]", ":]", r"\d", r"\D", r"\s",
    r"\S", r"\w", r"\W", r"\b", r"\B", r"\A", r"\z", r"\Z", r"\C", r"\Q", r"\E", r"\pL", r"\PL", r"\p{Greek}",
    r"\p{^Lu}", r"\p{Old_Italic}", r"\p{", r"\p", r"\1", r"\12", r"\0", r"\101", r"\x41", r"\x{e9}", r"\x{", r"\x",
    r"\u{61}", r"\U", r"\h", r"\R", r"\G", r"\K", r"\<", r"\>", r"\-", r"\_", r"\é", r"\.", r"\\", r"\n", r"\t",
    r"\a", r"\e", r"\b{start}", "\\", "\n", " ", "#", "0", "1", "_", "µ", "μ", "K", "\u{212a}", "<", ">", "'", ",",
];

pub(crate) fn pattern(random: &mut Random) -> String {
    match random.below(10) {
        0 => (*random.pick(WHOLE)).to_owned(),
        1 | 2 => {
            let whole = *random.pick(WHOLE);
            random.mutated(whole, PARTS)
        }
        3..=5 => (0..=random.below(8)).map(|_| *random.pick(PARTS)).collect(),
        _ => {
            let mut pattern = String::new();
            alternatives(random, 3, &mut pattern);
            if random.once_in(4) {
                pattern = random.mutated(&pattern, PARTS);
            }
            pattern
        }
    }
}

fn alternatives(random: &mut Random, depth: usize, out: &mut String) {
    for i in 0..=random.below(2) {
        if i > 0 {
            out.push('|');
        }
        for _ in 0..=random.below(3) {
            atom(random, depth, out);
            out.push_str(random.part(&[
                "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "??", "{0}",
            ]));
        }
    }
}

fn atom(random: &mut Random, depth: usize, out: &mut String) {
    #[rustfmt::skip]
    const SIMPLE: &[&str] = &[
        "a", "b", "c", "k", "K", "s", "é", "É", "σ", "日", "1", "_", " ", r"\.", r"\n", r"\x{212a}", r"\x61",
        r"\141", ".", "^", "$", r"\b", r"\B", r"\A", r"\z", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\pL",
        r"\PL", r"\p{Lu}", r"\p{Greek}", r"\p{^Nd}", r"\p{Any}", r"\p{ascii}", r"\Qa*\E", "ǅ", "ß", "\u{130}",
        "\u{131}",
    ];
    match random.below(8) {
        0 | 1 if depth > 0 => {
            out.push_str(random.part(&[
                "(", "(?:", "(?i:", "(?s:", "(?m:", "(?i-s:", "(?U:", "(?P<n>", "(?<m>", "(?-i:",
                "((?i)", "((?-i)",
            ]));
            alternatives(random, depth - 1, out);
            out.push(')');
        }
        2 | 3 => class(random, out),
        4 => out.push_str(random.part(&["(?i)", "(?-i)", "(?s)", "(?m)", "(?-s)", "(?-m)", ""])),
        _ => out.push_str(random.part(SIMPLE)),
    }
}

fn class(random: &mut Random, out: &mut String) {
    #[rustfmt::skip]
    const ITEMS: &[&str] = &[
        "a", "b", "k", "s", "é", "σ", "日", "a-c", "A-Z", "0-9", "é-ü", "a-é", r"\d", r"\D", r"\w", r"\W", r"\s",
        r"\S", r"\pL", r"\PL", r"\p{Lu}", r"\P{Ll}", "[:alpha:]", "[:^alpha:]", "[:word:]", "[:lower:]",
        "[:upper:]", "&&", "--", "~~", "[", "^", "-", ".", "$", "|", "(", r"\]", r"\-", r"\n", r"\x{212a}", "[:a",
        r"\x00-\x{10FFFF}", r"\x{d800}-\x{dfff}", r"\x{d7ff}-\x{e000}", "\u{17f}", "#", " ",
    ];
    out.push_str(random.part(&["[", "[", "[^"]));
    if random.once_in(10) {
        out.push(']');
    }
    for _ in 0..=random.below(3) {
        out.push_str(random.part(ITEMS));
    }
    if random.once_in(10) {
        out.push('-');
    }
    out.push(']');
}

/// Returns a string of characters that often match, or of pieces of the pattern.
pub(crate) fn text(random: &mut Random, pattern: &str) -> String {
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "a", "b", "c", "k", "K", "\u{212a}", "s", "S", "ſ", "é", "É", "σ", "ς", "Σ", "日", "1", "٣", "_", " ", "\n",
        "\t", "\u{b}", ".", "-", "[", "]", "^", "&", "~", "{2}", "foo", "ab", "A", "Z", "ǅ", "ǆ", "ß", "ẞ", "i",
        "I", "\u{130}", "\u{131}", "µ", "μ", "\u{85}", "\u{2028}", "\u{1f600}", "(", "|", "$", "#", "x", "\\",
    ];
    let chars: Vec<char> = pattern.chars().collect();
    let mut text = String::new();
    for _ in 0..random.below(6) {
        if random.once_in(4) && !chars.is_empty() {
            text.push(*random.pick(&chars));
        } else {
            text.push_str(random.part(PIECES));
        }
    }
    text
}

/// Returns a pattern for each character class: by category, by script, by Perl or POSIX name;
/// plain, case-insensitive, and negated.
pub(crate) fn classes() -> Vec<String> {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "LC", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
        "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs",
        "Co", "Any", "Assigned", "ASCII", "Latin", "Greek", "Cyrillic", "Han", "Common", "Inherited", "Arabic",
        "Hebrew", "Hiragana", "Hangul", "Thai", "Cherokee", "Georgian", "Deseret", "Adlam", "Nko",
        "Uppercase_Letter", "digit", "combining mark", "Cased-Letter", "OTHER",
    ];
    let sets = [
        r"\d",
        r"\w",
        r"\s",
        "[[:alpha:]]",
        "[[:upper:]]",
        "[[:punct:]]",
        "[[:word:]]",
        "[a-z]",
        "[^K]",
        "k",
        "s",
        "µ",
        ".",
    ];
    let properties = NAMES.iter().map(|name| format!(r"\p{{{name}}}"));
    let all: Vec<String> = properties.chain(sets.map(str::to_owned)).collect();
    let mut patterns: Vec<String> = all.iter().map(|set| format!("^{set}$")).collect();
    // DIFFERENCES.md has the class that Go does not match without regard to case.
    let folded = all
        .iter()
        .filter(|set| ![r"\p{LC}", r"\p{Cased-Letter}"].contains(&set.as_str()));
    for set in folded {
        patterns.push(format!("(?i)^{set}$"));
        if set.starts_with(r"\p") {
            patterns.push(format!("(?i)^[^{set}]$"));
        }
    }
    patterns
}

/// Returns any character, more often a character of the first planes.
pub(crate) fn any_char(random: &mut Random) -> String {
    let end = *random.pick(&[0x250, 0x600, 0x3000, 0x1_0000, 0x2_0000, 0x11_0000]);
    let code = u32::try_from(random.below(end)).unwrap_or(0);
    match char::from_u32(code) {
        // These characters got an uppercase letter after Unicode 15, which is Go's version.
        None | Some('\u{19b}' | '\u{264}') => "a".to_owned(),
        Some(c) => c.to_string(),
    }
}
