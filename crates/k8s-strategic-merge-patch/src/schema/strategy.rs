//! The words of a patch strategy.

/// The patch strategy of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// True if patches list the fields to keep.
    pub(crate) retain_keys: bool,
    pub(crate) base: BaseStrategy,
}

/// A strategy without `retainKeys`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BaseStrategy {
    /// Merge objects and replace lists. An unknown word has this meaning.
    #[default]
    Unspecified,
    Merge,
    Replace,
}

impl Strategy {
    /// Parses `merge,retainKeys`; the proposal writes `merge|retainKeys`, which means the same
    /// here. Words are not trimmed.
    ///
    /// The error is the list of words as Go prints it.
    pub(crate) fn parse(strategy: &str) -> Result<Self, String> {
        let words: Vec<&str> = strategy.split([',', '|']).collect();
        let (retain_keys, base) = match words.as_slice() {
            ["retainKeys"] => (true, ""),
            [word] => (false, *word),
            ["retainKeys", word] | [word, "retainKeys"] => (true, *word),
            words => return Err(format!("[{}]", words.join(" "))),
        };
        let base = match base {
            "merge" => BaseStrategy::Merge,
            "replace" => BaseStrategy::Replace,
            _ => BaseStrategy::Unspecified,
        };
        Ok(Self { retain_keys, base })
    }
}
