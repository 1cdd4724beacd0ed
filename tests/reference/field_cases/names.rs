//! Names with a mistake.

use union_random::Random;

/// A mistake in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mistake {
    Swapped,
    Dropped,
    Doubled,
    OtherLetter,
    OtherCase,
    AllCapitals,
    Plural,
    /// The name is replaced by one of the [`KEYWORDS`].
    Keyword,
    /// The name is replaced by one of the [`ODD`] names.
    Odd,
}

impl Mistake {
    pub(crate) const ALL: [Self; 9] = [
        Self::Swapped,
        Self::Dropped,
        Self::Doubled,
        Self::OtherLetter,
        Self::OtherCase,
        Self::AllCapitals,
        Self::Plural,
        Self::Keyword,
        Self::Odd,
    ];

    /// Makes the mistake in a name. The result can equal the name.
    pub(crate) fn make(self, name: &str, random: &mut Random) -> String {
        let mut letters: Vec<char> = name.chars().collect();
        let end = letters.len();
        if end == 0 && !matches!(self, Self::Keyword | Self::Odd) {
            return "x".to_owned();
        }
        let at = random.below(end.max(1));
        match self {
            Self::Swapped => letters.swap(at, (at + 1) % end),
            Self::Dropped => drop(letters.remove(at)),
            Self::Doubled => letters.insert(at, letters[at]),
            Self::OtherLetter => letters[at] = *random.pick(&['x', 'e', 'n', '_', '-', '0']),
            Self::OtherCase => {
                letters[at] = if letters[at].is_ascii_lowercase() {
                    letters[at].to_ascii_uppercase()
                } else {
                    letters[at].to_ascii_lowercase()
                };
            }
            Self::AllCapitals => return name.to_ascii_uppercase(),
            Self::Plural => letters.push('s'),
            Self::Keyword => return (*random.pick(&KEYWORDS)).to_owned(),
            Self::Odd => return (*random.pick(&ODD)).to_owned(),
        }
        letters.into_iter().collect()
    }
}

/// Names of fields of other objects, and words that some parsers treat in a special way.
const KEYWORDS: [&str; 20] = [
    "apiVersion",
    "kind",
    "metadata",
    "spec",
    "status",
    "type",
    "default",
    "properties",
    "items",
    "additionalProperties",
    "x-kubernetes-preserve-unknown-fields",
    "$ref",
    "$schema",
    "name",
    "labels",
    "null",
    "true",
    "__proto__",
    "<<",
    "self",
];

/// Names with characters that field paths use, such as dots, and names with rare characters.
pub(crate) const ODD: [&str; 18] = [
    "",
    ".",
    "a.b",
    "a..b",
    "[0]",
    "x[0]",
    "x[",
    "]",
    "q\"t",
    "it's",
    "back\\slash",
    "a b",
    " a",
    "k/x.y",
    "größe",
    "日本",
    "\u{1f642}",
    "1",
];
