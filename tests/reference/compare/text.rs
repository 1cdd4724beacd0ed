//! Odd strings, to test quoting.

use union_random::Random;

const ODD: [char; 26] = [
    'a',
    'b',
    'Z',
    '0',
    ' ',
    '"',
    '\\',
    '\'',
    '`',
    '\n',
    '\t',
    '\u{7}',
    '\u{b}',
    '\u{1b}',
    '\u{7f}',
    'ß',
    '\u{a0}',
    '\u{ad}',
    '\u{301}',
    '\u{200b}',
    '\u{2028}',
    '\u{e000}',
    '\u{fffd}',
    '日',
    '🦀',
    '\u{10ffff}',
];

/// Returns a string of any characters.
pub(crate) fn any(random: &mut Random) -> String {
    if random.chance(70) {
        return (*random.pick(&["Alpha", "BETA", "gamma", ""])).to_owned();
    }
    (0..=random.below(5)).map(|_| *random.pick(&ODD)).collect()
}

/// Returns the name of a field.
pub(crate) fn name(random: &mut Random) -> String {
    (*random.pick(&["alpha", "$beta", "größe", "x.y", "two words", "a-b", "_"])).to_owned()
}
