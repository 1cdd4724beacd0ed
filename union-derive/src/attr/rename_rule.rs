//! The rules in `values = "..."` and `fields = "..."`, which convert the names of variants. The
//! rules have the same names as in serde's `rename_all`.

/// A rule that converts the name of a variant to a name in JSON.
#[derive(Clone, Copy)]
pub(crate) enum RenameRule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// The names of the rules, in the order of serde's documentation.
const RULES: [(&str, RenameRule); 8] = [
    ("lowercase", RenameRule::Lower),
    ("UPPERCASE", RenameRule::Upper),
    ("PascalCase", RenameRule::Pascal),
    ("camelCase", RenameRule::Camel),
    ("snake_case", RenameRule::Snake),
    ("SCREAMING_SNAKE_CASE", RenameRule::ScreamingSnake),
    ("kebab-case", RenameRule::Kebab),
    ("SCREAMING-KEBAB-CASE", RenameRule::ScreamingKebab),
];

impl RenameRule {
    pub(crate) fn parse(string: &str) -> Option<Self> {
        let mut rules = RULES.into_iter();
        rules.find_map(|(name, rule)| (name == string).then_some(rule))
    }

    /// Returns the names of all rules, each in quotes.
    pub(super) fn quoted_names() -> String {
        let names: Vec<String> = RULES.map(|(name, _)| format!("\"{name}\"")).into();
        names.join(", ")
    }

    /// Converts the name of a variant. An abbreviation counts as one word, as in the names of
    /// Kubernetes: `URLRewrite` becomes `urlRewrite`, whereas serde converts it to `uRLRewrite`.
    pub(crate) fn apply(self, variant: &str) -> String {
        match self {
            Self::Lower => variant.to_lowercase(),
            Self::Upper => variant.to_uppercase(),
            Self::Pascal => variant.to_owned(),
            Self::Camel => {
                let (first_word, remaining) = split_first_word(variant);
                first_word.to_lowercase() + remaining
            }
            Self::Snake => split_words(variant).join("_").to_lowercase(),
            Self::ScreamingSnake => split_words(variant).join("_").to_uppercase(),
            Self::Kebab => split_words(variant).join("-").to_lowercase(),
            Self::ScreamingKebab => split_words(variant).join("-").to_uppercase(),
        }
    }
}

fn split_words(variant: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut remaining = variant;
    while !remaining.is_empty() {
        let (word, after_word) = split_first_word(remaining);
        words.push(word);
        remaining = after_word;
    }
    words
}

/// Splits a name after its first word. A new word begins at an upper-case letter after a lower-case
/// letter, such as the `A` in `DownwardAPI`, and at an upper-case letter before a lower-case
/// letter, such as the second `S` in `NFSShare`.
fn split_first_word(name: &str) -> (&str, &str) {
    let mut previous_char = None;
    let mut chars = name.char_indices().peekable();
    while let Some((index, char)) = chars.next() {
        let is_after_lower = previous_char.is_some_and(char::is_lowercase);
        let is_before_lower = chars
            .peek()
            .is_some_and(|(_, next_char)| next_char.is_lowercase());
        let is_word_start =
            previous_char.is_some() && char.is_uppercase() && (is_after_lower || is_before_lower);
        if is_word_start && let Some(split) = name.split_at_checked(index) {
            return split;
        }
        previous_char = Some(char);
    }
    (name, "")
}
