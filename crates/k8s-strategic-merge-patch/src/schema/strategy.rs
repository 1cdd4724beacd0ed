//! What a patch strategy says.

/// How a field is patched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strategy {
    /// Patches that are made for it list what is to be kept.
    pub(crate) retain: bool,
    pub(crate) rest: Rest,
}

/// A strategy without `retainKeys`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Objects are merged, lists replaced. A word that is not known counts as this.
    #[default]
    Other,
    Merge,
    Replace,
}

impl Strategy {
    /// Reads `merge,retainKeys`; the proposal writes `merge|retainKeys`, which is the same here. Words are not trimmed.
    ///
    /// The error is the list of words as Go prints it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split([',', '|']).collect();
        let (retain, rest) = match words.as_slice() {
            ["retainKeys"] => (true, ""),
            [one] => (false, *one),
            ["retainKeys", other] | [other, "retainKeys"] => (true, *other),
            words => return Err(format!("[{}]", words.join(" "))),
        };
        let rest = match rest {
            "merge" => Rest::Merge,
            "replace" => Rest::Replace,
            _ => Rest::Other,
        };
        Ok(Self { retain, rest })
    }
}
