//! Strings that match a pattern.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, Hir, HirKind};
use union_random::Random;

/// Returns a random string that matches a pattern, except for anchors inside the pattern. Returns
/// `None` if the pattern cannot be parsed.
pub(crate) fn matching_string(pattern: &str, random: &mut Random) -> Option<String> {
    let hir = Parser::new().parse(pattern).ok()?;
    let mut string = String::new();
    push_match(&hir, random, &mut string);
    Some(string)
}

fn push_match(hir: &Hir, random: &mut Random, out: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => out.extend(random_character(class, random)),
        HirKind::Repetition(repetition) => {
            let min = repetition.min;
            let max = repetition.max.unwrap_or(min + 3).min(min + 3);
            let extra = random.below(usize::try_from(max - min).unwrap() + 1);
            for _ in 0..usize::try_from(min).unwrap() + extra {
                push_match(&repetition.sub, random, out);
            }
        }
        HirKind::Capture(capture) => push_match(&capture.sub, random, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| push_match(part, random, out)),
        HirKind::Alternation(branches) => push_match(random.pick(branches), random, out),
    }
}

/// Returns a character of a class, if possible one that people write in names.
fn random_character(class: &Class, random: &mut Random) -> Option<char> {
    let characters: Vec<char> = match class {
        Class::Unicode(class) => {
            let ranges = class.ranges().iter();
            ranges
                .flat_map(|range| (range.start()..=range.end()).take(100))
                .take(300)
                .collect()
        }
        Class::Bytes(class) => {
            let ranges = class.ranges().iter();
            ranges
                .flat_map(|range| range.start()..=range.end())
                .map(char::from)
                .collect()
        }
    };
    let usual: Vec<char> = characters
        .iter()
        .copied()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let characters = if usual.is_empty() { characters } else { usual };
    (!characters.is_empty()).then(|| *random.pick(&characters))
}
