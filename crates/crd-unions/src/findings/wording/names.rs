//! The names of properties, and the words of a description that mean a property.

use std::collections::BTreeMap;

use crate::findings::wording::tokens::{Token, TokenKind};
use crate::solver::name_similarity::normalize_name;

/// The properties of an object by their names.
pub(crate) struct PropertyNames<'s> {
    names: Vec<&'s str>,
    by_name: BTreeMap<&'s str, usize>,
    /// The properties by their normalized names; `None` if several properties share the name.
    by_normalized_name: BTreeMap<String, Option<usize>>,
}

/// A word that means a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The position of the property.
    pub(crate) property: usize,
    pub(crate) strength: MentionStrength,
    /// True if the word is the JSON name, letter for letter.
    pub(crate) is_exact: bool,
}

/// The certainty that a word means a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MentionStrength {
    /// An ordinary word that is also a name: `service`.
    Plain,
    /// A word in quotes, or a word that is not English: `valueFrom`.
    Name,
}

impl<'s> PropertyNames<'s> {
    pub(crate) fn new(names: impl IntoIterator<Item = &'s str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let mut by_normalized_name: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (property, name) in names.iter().enumerate() {
            by_normalized_name
                .entry(normalize_name(name))
                .and_modify(|known| *known = None)
                .or_insert(Some(property));
        }
        let positions = names.iter().enumerate();
        Self {
            by_name: positions
                .map(|(property, name)| (*name, property))
                .collect(),
            by_normalized_name,
            names,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, property: usize) -> &'s str {
        self.names.get(property).copied().unwrap_or_default()
    }

    /// Returns the property that a token means. A token may have the path of the object before the
    /// name, as in `spec.name`; `object_name` is the last name of this path.
    pub(crate) fn mention(&self, token: &Token<'_>, object_name: Option<&str>) -> Option<Mention> {
        if token.kind == TokenKind::Mark {
            return None;
        }
        let text = token.text.trim_matches(['.', '$']);
        let text = text.trim_end_matches("[]").trim_end_matches("[*]");
        let name = match text.rsplit_once('.') {
            None => text,
            Some((path, name)) => {
                let parent = path.rsplit('.').next().unwrap_or_default();
                let is_object = ["spec", "self"].contains(&parent)
                    || object_name.is_some_and(|object_name| {
                        normalize_name(object_name) == normalize_name(parent)
                    });
                if !is_object {
                    return None;
                }
                name
            }
        };
        let exact = self.by_name.get(name).copied();
        let is_shaped_as_name = is_shaped_as_name(name);
        let has_capital = name.starts_with(|c: char| c.is_uppercase());
        // Descriptions often have the names of Go fields or of the fields of another format.
        let other_spelling = || {
            let is_other_spelling = is_shaped_as_name || has_capital;
            is_other_spelling
                .then(|| self.by_normalized_name.get(&normalize_name(name)).copied())
                .flatten()
                .flatten()
        };
        let property = exact.or_else(other_spelling)?;
        let is_name = token.kind == TokenKind::Quoted || is_shaped_as_name;
        Some(Mention {
            property,
            strength: if is_name {
                MentionStrength::Name
            } else {
                MentionStrength::Plain
            },
            is_exact: exact.is_some(),
        })
    }
}

/// Returns true if a word is written like a field: `valueFrom`, `NodeName`, `node_name`.
pub(crate) fn is_shaped_as_name(word: &str) -> bool {
    let mut chars = word.chars();
    let first = chars.next();
    let has_lowercase = word.chars().any(char::is_lowercase);
    first.is_some_and(char::is_alphabetic)
        && has_lowercase
        && (chars.clone().any(char::is_uppercase) || word.contains('_'))
}
