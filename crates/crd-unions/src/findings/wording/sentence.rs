//! A sentence of a description, and the phrases that its words form.

use crate::findings::wording::names::{Mention, MentionStrength, is_shaped_as_name};
use crate::findings::wording::tokens::{Token, TokenKind};

/// The maximum number of fields in an enumeration.
const MAX_FIELDS: usize = 64;

/// The subject of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The object whose properties are named.
    Object,
    /// One of the properties.
    Property {
        property: usize,
        /// True if the values of the property are strings, which a description may enumerate.
        is_string: bool,
    },
}

/// A sentence, with the properties that its words may mean.
pub(crate) struct Sentence<'d> {
    pub(crate) tokens: &'d [Token<'d>],
    /// For each token, the property that the token means.
    pub(crate) mentions: &'d [Option<Mention>],
    pub(crate) subject: Subject,
    /// True if the description is about the object, and all fields of the object are objects that
    /// may be omitted.
    pub(crate) consists_of_alternatives: bool,
    /// The properties that the preceding sentence mentions.
    pub(crate) previous_mentions: &'d [usize],
}

/// The properties in an enumeration such as "`a`, `b` or `c`".
#[derive(Clone, Debug, Default)]
pub(crate) struct Enumeration {
    pub(crate) properties: Vec<usize>,
    /// The number of names that mean no property.
    pub(crate) unresolved_count: usize,
    /// True if all names are JSON names, letter for letter.
    pub(crate) is_exact: bool,
    /// The position after the last name.
    pub(crate) end: usize,
}

impl Enumeration {
    /// Returns the properties, if there are at least two and all names mean properties.
    pub(crate) fn alternatives(&self) -> Option<&[usize]> {
        (self.properties.len() > 1 && self.unresolved_count == 0).then_some(&self.properties)
    }
}

/// The presence or absence of a field in a condition: "is set", "is not specified".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presence {
    pub(crate) is_present: bool,
    /// The position after the last word.
    pub(crate) end: usize,
}

const AUXILIARIES: [&str; 18] = [
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "has",
    "have",
    "also",
    "already",
    "both",
    "explicitly",
    "either",
    "to",
    "all",
    "left",
    "itself",
];

const PRESENT: [&str; 24] = [
    "set",
    "specified",
    "given",
    "provided",
    "used",
    "present",
    "defined",
    "configured",
    "supplied",
    "chosen",
    "selected",
    "filled",
    "populated",
    "non-nil",
    "non-empty",
    "nonempty",
    "non-null",
    "declared",
    "passed",
    "included",
    "added",
    "combined",
    "mixed",
    "assigned",
];

const ABSENT: [&str; 11] = [
    "empty",
    "unset",
    "omitted",
    "absent",
    "nil",
    "blank",
    "unspecified",
    "null",
    "removed",
    "out",
    "undefined",
];

impl Sentence<'_> {
    /// Returns the word at a position in lowercase, or an empty string for quoted names and marks.
    pub(crate) fn word(&self, position: usize) -> &str {
        match self.tokens.get(position) {
            Some(token) if token.kind == TokenKind::Word => &token.lowercase,
            _ => "",
        }
    }

    pub(crate) fn mark(&self, position: usize) -> &str {
        match self.tokens.get(position) {
            Some(token) if token.kind == TokenKind::Mark => token.text,
            _ => "",
        }
    }

    /// Returns true if the words at a position are these words.
    pub(crate) fn has_words(&self, position: usize, words: &[&str]) -> bool {
        let mut words = words.iter().enumerate();
        words.all(|(offset, word)| self.word(position + offset) == *word)
    }

    /// Returns the position after the first of these phrases that is at a position.
    pub(crate) fn phrase_end(&self, position: usize, phrases: &[&[&str]]) -> Option<usize> {
        let mut phrases = phrases.iter();
        let phrase = phrases.find(|phrase| self.has_words(position, phrase))?;
        Some(position + phrase.len())
    }

    /// Returns the property that the token at a position means.
    pub(crate) fn mention(&self, position: usize) -> Option<Mention> {
        self.mentions.get(position).copied().flatten()
    }

    /// Returns the property that the description is about.
    pub(crate) const fn own_property(&self) -> Option<usize> {
        match self.subject {
            Subject::Object => None,
            Subject::Property { property, .. } => Some(property),
        }
    }

    /// Returns the described property and the position after the words, if the words at a position
    /// are "this field" or "it".
    pub(crate) fn own_reference(&self, position: usize) -> Option<(usize, usize)> {
        let property = self.own_property()?;
        let nouns = [
            "field",
            "option",
            "setting",
            "property",
            "parameter",
            "value",
            "attribute",
            "key",
            "flag",
            "one",
        ];
        match self.word(position) {
            "this" | "the"
                if nouns.contains(&self.word(position + 1))
                    && self.mention(position + 2).is_none() =>
            {
                Some((property, position + 2))
            }
            "it" => Some((property, position + 1)),
            // "this pod" is not the field.
            "this"
                if self.word(position + 1).is_empty()
                    || STOPS.contains(&self.word(position + 1))
                    || matches!(self.word(position + 1), "or" | "and") =>
            {
                Some((property, position + 1))
            }
            _ => None,
        }
    }

    /// Returns the properties that names in a range mean, in the order of the sentence. Ordinary
    /// words do not count.
    pub(crate) fn named_properties(&self, range: std::ops::Range<usize>) -> Vec<usize> {
        let mut properties = Vec::new();
        for position in range {
            if let Some(mention) = self.mention(position)
                && mention.strength == MentionStrength::Name
                && !properties.contains(&mention.property)
            {
                properties.push(mention.property);
            }
        }
        properties
    }

    /// Returns the properties that the sentence mentions, for a pronoun in the next sentence. The
    /// result is empty if "and" joins some of the properties and "or" joins others, because the
    /// alternatives then have several fields.
    pub(crate) fn antecedents(&self) -> Vec<usize> {
        self.unmixed_properties(0..self.tokens.len())
    }

    /// Returns the named properties in a range, as [`antecedents`](Self::antecedents) does.
    pub(crate) fn unmixed_properties(&self, range: std::ops::Range<usize>) -> Vec<usize> {
        let mut previous_end = None;
        let mut conjunctions: Vec<&str> = Vec::new();
        for position in range.clone() {
            let is_name = self
                .mention(position)
                .is_some_and(|mention| mention.strength == MentionStrength::Name);
            if !is_name {
                continue;
            }
            if let Some(previous_end) = previous_end {
                let between = (previous_end..position).map(|between| self.word(between));
                conjunctions.extend(between.filter(|word| matches!(*word, "and" | "or")));
            }
            previous_end = Some(position + 1);
        }
        if conjunctions.contains(&"and") && conjunctions.contains(&"or") {
            return Vec::new();
        }
        self.named_properties(range)
    }

    /// Returns true if a range has a name in quotes that means no property.
    pub(crate) fn has_unknown_name(&self, range: std::ops::Range<usize>) -> bool {
        let is_quoted = |position: &usize| {
            let token = self.tokens.get(*position);
            token.is_some_and(|token| token.kind == TokenKind::Quoted)
        };
        let mut quoted = range.filter(is_quoted);
        quoted.any(|position| self.is_unknown_name(position))
    }

    /// Returns true if the token at a position is written like the name of a field, and means no
    /// property.
    pub(crate) fn is_unknown_name(&self, position: usize) -> bool {
        let is_name = self
            .tokens
            .get(position)
            .is_some_and(|token| match token.kind {
                TokenKind::Quoted => true,
                TokenKind::Word => is_shaped_as_name(token.text),
                TokenKind::Mark => false,
            });
        is_name && self.mention(position).is_none()
    }

    /// Returns true if the sentence is about the value of a boolean: "if true, ...".
    pub(crate) fn is_about_truth(&self) -> bool {
        (0..self.tokens.len()).any(|position| {
            matches!(self.word(position), "if" | "when" | "is" | "to" | "unless")
                && matches!(self.word(position + 1), "true" | "false")
        })
    }

    /// Returns the properties of the enumeration that starts at a position.
    pub(crate) fn enumeration(&self, start: usize) -> Enumeration {
        let mut enumeration = Enumeration {
            is_exact: true,
            end: start,
            ..Enumeration::default()
        };
        let mut position = start;
        let mut expects_item = true;
        let mut conjunctions: Vec<&str> = Vec::new();
        while let Some(token) = self.tokens.get(position) {
            if enumeration.properties.len() >= MAX_FIELDS {
                break;
            }
            if let Some((property, end)) = self.own_reference(position) {
                push_new(&mut enumeration.properties, property);
                enumeration.end = end;
                position = end;
                expects_item = false;
                continue;
            }
            if is_separator(token) {
                expects_item |= matches!(
                    &*token.lowercase,
                    "," | "or" | "and" | "/" | "nor" | "|" | "and/or" | "*" | "-" | "•"
                );
                if matches!(&*token.lowercase, "and" | "or") {
                    conjunctions.push(&token.lowercase);
                    // "`a` and `b` or `c`": the alternatives have several fields.
                    let is_mixed = conjunctions.contains(&"and") && conjunctions.contains(&"or");
                    enumeration.unresolved_count += usize::from(is_mixed);
                }
                position += 1;
                continue;
            }
            if !expects_item || STOPS.contains(&&*token.lowercase) && token.kind == TokenKind::Word
            {
                break;
            }
            let mention = self.mention(position);
            if let Some(mention) = mention {
                push_new(&mut enumeration.properties, mention.property);
                enumeration.is_exact &= mention.is_exact;
            } else {
                enumeration.unresolved_count += 1;
                if token.kind == TokenKind::Word && !is_shaped_as_name(token.text) {
                    break;
                }
            }
            position += 1;
            enumeration.end = position;
            expects_item = false;
        }
        enumeration
    }

    /// Returns the properties of the enumeration that ends before a position, as in "`a` and `b`
    /// are".
    pub(crate) fn enumeration_before(&self, end: usize) -> Vec<usize> {
        let mut properties = Vec::new();
        let mut position = end;
        while let Some(previous) = position.checked_sub(1) {
            position = previous;
            let Some(token) = self.tokens.get(position) else {
                break;
            };
            if is_separator(token) || AUXILIARIES.contains(&&*token.lowercase) {
                continue;
            }
            match self.mention(position) {
                Some(mention) if properties.len() < MAX_FIELDS => {
                    push_new(&mut properties, mention.property);
                }
                _ => break,
            }
        }
        let words = position..end;
        let has = |conjunction: &str| {
            words
                .clone()
                .any(|position| self.word(position) == conjunction)
        };
        if has("and") && has("or") {
            return Vec::new();
        }
        properties.reverse();
        properties
    }

    /// Returns the presence that the words at a position state: "is set", "are not empty". A value,
    /// as in "is set to true", is not a presence.
    pub(crate) fn presence(&self, start: usize) -> Option<Presence> {
        const MAX_WORDS: usize = 8;
        let mut is_negated = false;
        for position in start..start + MAX_WORDS {
            let word = self.word(position);
            if word == "not" || word.ends_with("n't") {
                is_negated = true;
                continue;
            }
            let is_value = self.word(position + 1) == "to" && word == "set";
            if PRESENT.contains(&word) && !is_value {
                return Some(Presence {
                    is_present: !is_negated,
                    end: position + 1,
                });
            }
            // "if the operator is Exists" is about a value.
            if word == "exists" && position == start {
                return Some(Presence {
                    is_present: true,
                    end: position + 1,
                });
            }
            if ABSENT.contains(&word) {
                return Some(Presence {
                    is_present: is_negated,
                    end: position + 1,
                });
            }
            if !AUXILIARIES.contains(&word) {
                return None;
            }
        }
        None
    }

    /// Returns the position after words that forbid: "must not", "can't", "never".
    pub(crate) fn negated_modal_end(&self, position: usize) -> Option<usize> {
        match self.word(position) {
            "cannot" | "can't" | "mustn't" | "shouldn't" | "never" => Some(position + 1),
            "can" | "must" | "may" | "should" | "shall" | "will" | "could"
                if matches!(self.word(position + 1), "not" | "never") =>
            {
                Some(position + 2)
            }
            _ => None,
        }
    }

    /// Returns the position after words that state an error: "is not allowed", "is an error".
    pub(crate) fn error_end(&self, position: usize) -> Option<usize> {
        let auxiliary = usize::from(matches!(self.word(position), "is" | "are" | "be"));
        self.phrase_end(
            position + auxiliary,
            &[
                &["not", "allowed"],
                &["not", "permitted"],
                &["not", "valid"],
                &["not", "supported"],
                &["not", "possible"],
                &["an", "error"],
                &["an", "invalid"],
                &["invalid"],
                &["forbidden"],
                &["prohibited"],
                &["disallowed"],
                &["illegal"],
                &["rejected"],
                &["refused"],
                &["denied"],
                &["unsupported"],
            ],
        )
    }

    /// Returns the position after words that join fields: "together with", "alongside", "with".
    pub(crate) fn joining_end(&self, position: usize) -> Option<usize> {
        self.phrase_end(
            position,
            &[
                &["together", "with"],
                &["along", "with"],
                &["in", "combination", "with"],
                &["in", "conjunction", "with"],
                &["in", "addition", "to"],
                &["at", "the", "same", "time", "as"],
                &["at", "the", "same", "time", "with"],
                &["simultaneously", "with"],
                &["concurrently", "with"],
                &["alongside"],
                &["with"],
            ],
        )
    }

    /// Returns the position after words that mean "together": "at the same time", "at once".
    pub(crate) fn together_end(&self, position: usize) -> Option<usize> {
        self.phrase_end(
            position,
            &[
                &["together"],
                &["at", "the", "same", "time"],
                &["at", "once"],
                &["simultaneously"],
                &["concurrently"],
                &["both"],
                &["in", "combination"],
            ],
        )
    }

    /// Returns true if a condition begins directly before a position: "if only one of".
    pub(crate) fn is_in_condition(&self, position: usize) -> bool {
        (1..=3).any(|distance| {
            let word = position
                .checked_sub(distance)
                .map(|position| self.word(position));
            matches!(
                word,
                Some("if" | "when" | "unless" | "whether" | "while" | "because" | "since")
            )
        })
    }

    /// Returns the part of the description that the tokens in a range cover.
    pub(crate) fn text<'t>(&self, description: &'t str, start: usize, end: usize) -> &'t str {
        let first = self.tokens.get(start).map(|token| token.start);
        let last = end
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map(|token| token.end);
        first
            .zip(last)
            .and_then(|(first, last)| description.get(first..last))
            .unwrap_or_default()
    }
}

/// Words at which an enumeration ends.
const STOPS: [&str; 30] = [
    "is", "are", "was", "must", "may", "can", "cannot", "should", "shall", "will", "has", "have",
    "but", "not", "never", "be", "need", "needs", "if", "when", "to", "in", "for", "which", "that",
    "could", "so", "can't", "exclude", "conflict",
];

fn is_separator(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Mark => matches!(
            token.text,
            "," | "/" | ":" | "(" | ")" | "[" | "]" | "{" | "}" | "*" | "-" | "|" | "&" | "•"
        ),
        TokenKind::Quoted => false,
        TokenKind::Word => matches!(
            &*token.lowercase,
            "or" | "and"
                | "nor"
                | "the"
                | "a"
                | "an"
                | "field"
                | "fields"
                | "property"
                | "properties"
                | "option"
                | "options"
                | "parameter"
                | "parameters"
                | "either"
                | "both"
                | "and/or"
                | "attribute"
                | "attributes"
                | "setting"
        ),
    }
}

fn push_new(properties: &mut Vec<usize>, property: usize) {
    if !properties.contains(&property) {
        properties.push(property);
    }
}
