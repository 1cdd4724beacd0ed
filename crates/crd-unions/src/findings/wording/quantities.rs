//! Phrases with a number: "exactly one of `a` and `b`", "only one field may be set", "setting more
//! than one is an error".

use crate::findings::wording::sentence::{Sentence, Subject};
use crate::findings::wording::statement::{Statement, StatementFields};

/// A quantity such as "at most one".
struct Quantity {
    /// The position after the words.
    end: usize,
    kind: QuantityKind,
}

#[derive(Clone, Copy, PartialEq)]
enum QuantityKind {
    Exactly,
    AtMost,
    /// "one" without another word.
    Bare,
}

const EXACT: [&[&str]; 7] = [
    &["one", "and", "only", "one"],
    &["exactly", "one"],
    &["precisely", "one"],
    &["just", "one"],
    &["exactly", "1"],
    &["exactly", "a", "single"],
    &["a", "single"],
];

const AT_MOST: [&[&str]; 14] = [
    &["only", "one"],
    &["at", "most", "one"],
    &["at", "maximum", "one"],
    &["no", "more", "than", "one"],
    &["not", "more", "than", "one"],
    &["a", "maximum", "of", "one"],
    &["maximum", "one"],
    &["up", "to", "one"],
    &["at", "most", "1"],
    &["only", "1"],
    &["no", "more", "than", "1"],
    &["only", "a", "single"],
    &["at", "most", "a", "single"],
    &["no", "two"],
];

/// Nouns for the fields of an object.
const FIELD_NOUNS: [&str; 8] = [
    "fields",
    "members",
    "properties",
    "attributes",
    "subfields",
    "sub-fields",
    "options",
    "keys",
];

const FIELD_NOUN: [&str; 6] = [
    "field",
    "member",
    "property",
    "attribute",
    "subfield",
    "sub-field",
];

const IMPERATIVES: [&str; 14] = [
    "specify",
    "set",
    "use",
    "choose",
    "provide",
    "pick",
    "select",
    "define",
    "configure",
    "give",
    "supply",
    "enter",
    "fill",
    "take",
];

/// Verbs for the effect of fields, not for their presence: "only one of `a` and `b` is used".
const EFFECTS: [&str; 19] = [
    "needed",
    "necessary",
    "applied",
    "applies",
    "takes",
    "wins",
    "considered",
    "honored",
    "honoured",
    "effective",
    "evaluated",
    "running",
    "active",
    "true",
    "returned",
    "created",
    "respected",
    "is",
    "satisfied",
];

/// Returns the statement of a phrase with a number at a position.
pub(crate) fn quantity_statement(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    if let Some(statement) = more_than_one(sentence, description, start) {
        return Some(statement);
    }
    let quantity = quantity(sentence, start)?;
    if sentence.is_in_condition(start) || follows_other_quantity(sentence, start) {
        return None;
    }
    let phrase = quantified_fields(sentence, &quantity)?;
    let is_required = sentence.word(phrase.verb) == "is"
        && sentence.word(phrase.verb + 1) == "required"
        && quantity.kind != QuantityKind::AtMost;
    let is_about_effect = !is_required
        && (EFFECTS.contains(&sentence.word(phrase.verb))
            && (sentence.word(phrase.verb) != "is" || is_effect_after(sentence, phrase.verb + 1))
            || is_effect_after(sentence, phrase.verb + 2) && sentence.word(phrase.verb) == "will");
    let tells_several = (start..sentence.tokens.len()).any(|position| {
        sentence.has_words(position, &["or", "both"])
            || sentence.has_words(position, &["both", "may"])
            || sentence.has_words(position, &["one", "or", "more"])
    });
    if is_about_effect || tells_several {
        return None;
    }
    let imperative = start
        .checked_sub(1)
        .filter(|previous| IMPERATIVES.contains(&sentence.word(*previous)));
    let obligation = obligation_end(sentence, phrase.verb);
    let is_exactly = match quantity.kind {
        QuantityKind::Exactly => true,
        QuantityKind::AtMost => false,
        QuantityKind::Bare => {
            let is_presence = obligation.is_some() || presence_follows(sentence, phrase.verb);
            let is_about_values = matches!(sentence.subject, Subject::Property { .. });
            if !is_presence && (is_about_values && imperative.is_none() || !phrase.is_exact) {
                return None;
            }
            obligation.is_some()
        }
    };
    if is_enumeration_of_values(sentence, &phrase) {
        return None;
    }
    let words_start = match quantity.kind {
        QuantityKind::Bare => imperative.unwrap_or(start),
        _ => start,
    };
    let words_end = match (quantity.kind, obligation) {
        // "one of them must be chosen"
        (QuantityKind::Bare, Some(end)) if phrase.is_pronoun => end,
        _ => phrase.words_end,
    };
    Some(Statement {
        fields: phrase.fields,
        center: None,
        is_exactly,
        is_certain: quantity.kind != QuantityKind::Bare,
        words: sentence
            .text(description, words_start, words_end)
            .to_owned(),
    })
}

fn quantity(sentence: &Sentence<'_>, start: usize) -> Option<Quantity> {
    let quantity = |end, kind| Some(Quantity { end, kind });
    // "a single one of"
    let after_one = |end: usize| end + usize::from(sentence.word(end) == "one");
    if let Some(end) = sentence.phrase_end(start, &EXACT) {
        // "a single field may be set" is not an obligation.
        let is_obligation = sentence.word(start) != "a" || has_obligation(sentence, end);
        let kind = if is_obligation {
            QuantityKind::Exactly
        } else {
            QuantityKind::AtMost
        };
        return quantity(after_one(end), kind);
    }
    // "one (and only one) of"
    if sentence.word(start) == "one"
        && sentence.mark(start + 1) == "("
        && sentence.has_words(start + 2, &["and", "only", "one"])
    {
        return quantity(start + 6, QuantityKind::Exactly);
    }
    if let Some(end) = sentence.phrase_end(start, &AT_MOST) {
        return quantity(after_one(end), QuantityKind::AtMost);
    }
    (sentence.word(start) == "one").then_some(Quantity {
        end: start + 1,
        kind: QuantityKind::Bare,
    })
}

fn has_obligation(sentence: &Sentence<'_>, start: usize) -> bool {
    let mut positions = start..sentence.tokens.len();
    positions.any(|position| matches!(sentence.word(position), "must" | "has" | "needs" | "shall"))
}

/// Returns true if the words before a bare "one" give it another meaning: "at least one", "each
/// one", or if the words are the end of a longer quantity.
fn follows_other_quantity(sentence: &Sentence<'_>, start: usize) -> bool {
    let previous = start.checked_sub(1).map(|previous| sentence.word(previous));
    matches!(
        previous,
        Some(
            "least"
                | "any"
                | "each"
                | "every"
                | "no"
                | "this"
                | "that"
                | "which"
                | "than"
                | "only"
                | "exactly"
                | "most"
                | "precisely"
                | "just"
                | "another"
                | "the"
                | "maximum"
                | "to"
                | "not"
                | "single"
                | "a"
        )
    )
}

/// The fields that a quantity is about.
struct QuantifiedFields {
    fields: StatementFields,
    /// The position after the words that the finding cites.
    words_end: usize,
    /// The position of the verb.
    verb: usize,
    /// True if the fields are named letter for letter.
    is_exact: bool,
    /// True if a pronoun stands for the fields.
    is_pronoun: bool,
}

fn quantified_fields(sentence: &Sentence<'_>, quantity: &Quantity) -> Option<QuantifiedFields> {
    let position = quantity.end;
    let all_fields = |words_end: usize, verb: usize| {
        let excluded = excluded_fields(sentence, words_end);
        QuantifiedFields {
            fields: StatementFields::All { excluded },
            words_end,
            verb,
            is_exact: true,
            is_pronoun: false,
        }
    };
    if let Some(noun_end) = field_noun_end(sentence, position)
        && quantity.kind != QuantityKind::Bare
    {
        let verb = after_parentheses(sentence, noun_end);
        return presence_follows(sentence, verb).then(|| all_fields(noun_end, verb));
    }
    if sentence.word(position) != "of" {
        return (quantity.kind != QuantityKind::Bare && presence_follows(sentence, position))
            .then(|| fields_around(sentence, position))
            .flatten();
    }
    if let Some(end) = pronoun_end(sentence, position + 1) {
        return fields_of_pronoun(sentence, position, end);
    }
    let noun = skip_determiners(sentence, position + 1);
    let has_noun = FIELD_NOUNS.contains(&sentence.word(noun)) || sentence.word(noun) == "following";
    let is_following = sentence.word(noun.saturating_sub(1)) == "following" || has_noun;
    if is_following && let Some(listed) = listed_after_colon(sentence, noun) {
        return Some(QuantifiedFields {
            words_end: noun + usize::from(has_noun),
            verb: noun + usize::from(has_noun),
            ..listed
        });
    }
    let has_unknown_list = sentence.word(noun) == "following"
        && (noun..sentence.tokens.len()).any(|at| sentence.mark(at) == ":");
    if has_noun && !has_unknown_list {
        let verb = noun + 1 + usize::from(matches!(sentence.word(noun + 1), "below" | "above"));
        return Some(all_fields(noun + 1, verb));
    }
    let enumeration = sentence.enumeration(position + 1);
    if enumeration.properties.len() > 1 && enumeration.unresolved_count == 0 {
        return Some(QuantifiedFields {
            fields: StatementFields::Listed(enumeration.properties),
            words_end: position + 1,
            verb: enumeration.end,
            is_exact: enumeration.is_exact,
            is_pronoun: false,
        });
    }
    // "exactly one of the following must be set", without a list.
    let has_list = (noun..sentence.tokens.len()).any(|at| sentence.mark(at) == ":");
    if is_following && !has_list {
        return Some(all_fields(noun, noun));
    }
    None
}

/// Returns the position after a pronoun for fields: "them", "these", "the two".
fn pronoun_end(sentence: &Sentence<'_>, position: usize) -> Option<usize> {
    let is_noun = |position: usize| {
        FIELD_NOUNS.contains(&sentence.word(position)) || sentence.mention(position).is_some()
    };
    let is_number =
        |position: usize| matches!(sentence.word(position), "two" | "three" | "four" | "five");
    match sentence.word(position) {
        "the" | "these" | "those" if is_number(position + 1) && !is_noun(position + 2) => {
            Some(position + 2)
        }
        "them" | "these" | "those" if !FIELD_NOUNS.contains(&sentence.word(position + 1)) => {
            Some(position + 1)
        }
        _ => None,
    }
}

/// Returns the fields that a pronoun stands for: the fields that are named before in the sentence,
/// or in the preceding sentence.
fn fields_of_pronoun(
    sentence: &Sentence<'_>,
    position: usize,
    end: usize,
) -> Option<QuantifiedFields> {
    let mut properties = sentence.named_properties(0..position);
    if properties.len() < 2 {
        properties = sentence.previous_mentions.to_vec();
    }
    (properties.len() > 1).then_some(QuantifiedFields {
        fields: StatementFields::Listed(properties),
        words_end: end,
        verb: end,
        is_exact: true,
        is_pronoun: true,
    })
}

/// Returns the position after words such as "the following".
fn skip_determiners(sentence: &Sentence<'_>, position: usize) -> usize {
    const DETERMINERS: [&str; 14] = [
        "the",
        "these",
        "those",
        "its",
        "following",
        "below",
        "above",
        "two",
        "three",
        "optional",
        "listed",
        "available",
        "their",
        "all",
    ];
    let mut position = position;
    while DETERMINERS.contains(&sentence.word(position)) {
        position += 1;
    }
    position
}

/// Returns the fields of "only one may be set": the fields that the sentence lists after a colon or
/// names before, or else the fields of the preceding sentence.
fn fields_around(sentence: &Sentence<'_>, position: usize) -> Option<QuantifiedFields> {
    if let Some(listed) = listed_after_colon(sentence, position) {
        return Some(listed);
    }
    let mut properties = sentence.unmixed_properties(0..position);
    if properties.len() < 2 {
        properties = sentence.previous_mentions.to_vec();
    }
    (properties.len() > 1).then_some(QuantifiedFields {
        fields: StatementFields::Listed(properties),
        words_end: position,
        verb: position,
        is_exact: true,
        is_pronoun: true,
    })
}

/// Returns the position after a noun for one field. If the object consists of alternatives, the
/// noun may be any word: "exactly one mode must be set".
fn field_noun_end(sentence: &Sentence<'_>, position: usize) -> Option<usize> {
    if FIELD_NOUN.contains(&sentence.word(position)) {
        return Some(position + 1);
    }
    let is_other_noun = sentence.consists_of_alternatives && sentence.word(position) != "of";
    (1..=2).map(|words| position + words).find(|end| {
        let mut nouns = position..*end;
        let are_words = nouns.all(|noun| !sentence.word(noun).is_empty());
        is_other_noun && are_words && presence_follows(sentence, *end)
    })
}

/// Returns the position after words in parentheses at a position.
fn after_parentheses(sentence: &Sentence<'_>, position: usize) -> usize {
    if sentence.mark(position) != "(" {
        return position;
    }
    let mut positions = position..sentence.tokens.len();
    positions
        .find(|position| sentence.mark(*position) == ")")
        .map_or(position, |closing| closing + 1)
}

/// Returns the fields of a list after a colon: "one of the following must be set: `a`, `b`".
fn listed_after_colon(sentence: &Sentence<'_>, start: usize) -> Option<QuantifiedFields> {
    let mut positions = start..sentence.tokens.len();
    let colon = positions.find(|position| sentence.mark(*position) == ":")?;
    let enumeration = sentence.enumeration(colon + 1);
    (enumeration.properties.len() > 1 && enumeration.unresolved_count == 0).then_some(
        QuantifiedFields {
            fields: StatementFields::Listed(enumeration.properties),
            words_end: start,
            verb: start,
            is_exact: enumeration.is_exact,
            is_pronoun: false,
        },
    )
}

/// Returns the fields that a sentence excludes: "besides `name`", "except `type`".
fn excluded_fields(sentence: &Sentence<'_>, after: usize) -> Vec<usize> {
    let mut excluded = Vec::new();
    for position in 0..sentence.tokens.len() {
        let is_exception = matches!(
            sentence.word(position),
            "besides" | "except" | "excluding" | "beside"
        ) || sentence.has_words(position, &["other", "than"])
            || sentence.has_words(position, &["apart", "from"])
            || sentence.has_words(position, &["in", "addition", "to"]) && position >= after;
        if is_exception {
            let names = (position + 1..sentence.tokens.len()).take(12);
            let mentions = names.filter_map(|position| sentence.mention(position));
            excluded.extend(mentions.map(|mention| mention.property));
        }
    }
    excluded
}

/// Returns the position after "must be set", "has to be chosen" or "is required".
fn obligation_end(sentence: &Sentence<'_>, verb: usize) -> Option<usize> {
    if sentence.has_words(verb, &["is", "required"]) {
        return Some(verb + 2);
    }
    let modal_end = sentence.phrase_end(
        verb,
        &[
            &["must"],
            &["has", "to"],
            &["have", "to"],
            &["needs", "to"],
            &["need", "to"],
            &["shall"],
        ],
    )?;
    let presence = sentence.presence(modal_end)?;
    presence.is_present.then_some(presence.end)
}

/// Returns true if the words at a position permit or demand that a field is set: "may be set",
/// "can be filled in", "set".
fn presence_follows(sentence: &Sentence<'_>, verb: usize) -> bool {
    let modal = usize::from(matches!(
        sentence.word(verb),
        "may" | "can" | "should" | "must" | "shall" | "will" | "needs" | "has"
    ));
    let is_effect = modal == 0
        && matches!(sentence.word(verb), "is" | "are")
        && sentence.word(verb + 1) == "used";
    sentence
        .presence(verb + modal)
        .is_some_and(|presence| presence.is_present && !is_effect)
}

fn is_effect_after(sentence: &Sentence<'_>, position: usize) -> bool {
    matches!(
        sentence.word(position),
        "used"
            | "required"
            | "needed"
            | "necessary"
            | "applied"
            | "considered"
            | "honored"
            | "effective"
            | "evaluated"
            | "active"
            | "true"
            | "returned"
            | "created"
            | "respected"
            | "satisfied"
            | "running"
            | "picked"
    )
}

/// Returns true if a description of a string enumerates the values of the string.
fn is_enumeration_of_values(sentence: &Sentence<'_>, phrase: &QuantifiedFields) -> bool {
    let Subject::Property {
        property,
        is_string: true,
    } = sentence.subject
    else {
        return false;
    };
    let StatementFields::Listed(fields) = &phrase.fields else {
        return false;
    };
    !phrase.is_exact && !fields.contains(&property)
}

/// Returns the statement of "more than one is an error" or "must not set more than one of".
fn more_than_one(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    let mut end = sentence.phrase_end(
        start,
        &[
            &["more", "than", "one"],
            &["two", "or", "more"],
            &["several"],
            &["multiple"],
        ],
    )?;
    let mut properties = Vec::new();
    if sentence.word(end) == "of" {
        let enumeration = sentence.enumeration(end + 1);
        if enumeration.properties.len() > 1 && enumeration.unresolved_count == 0 {
            properties = enumeration.properties;
            end = enumeration.end;
        } else {
            end += 2;
            end += usize::from(FIELD_NOUNS.contains(&sentence.word(end)));
        }
    } else if FIELD_NOUN.contains(&sentence.word(end)) {
        end += 1;
    }
    let error_end = sentence.error_end(end);
    let forbidden_end = sentence
        .negated_modal_end(end)
        .and_then(|modal_end| sentence.presence(modal_end))
        .map(|presence| presence.end);
    let is_forbidden_before = (1..=3).any(|distance| {
        let position = start.checked_sub(distance);
        position.is_some_and(|position| {
            sentence
                .negated_modal_end(position)
                .is_some_and(|modal_end| modal_end + 2 > start)
                || sentence.has_words(position, &["do", "not"])
        })
    });
    let words_end = error_end
        .or(forbidden_end)
        .or_else(|| is_forbidden_before.then_some(end))
        .filter(|_| sentence.word(start) != "multiple" || sentence.word(start + 1) == "of")?;
    if properties.is_empty() {
        properties = fields_before(sentence, start);
    }
    (properties.len() > 1).then(|| Statement {
        fields: StatementFields::Listed(properties),
        center: None,
        is_exactly: false,
        is_certain: true,
        words: sentence.text(description, start, words_end).to_owned(),
    })
}

/// Returns the fields that a sentence lists or names before a position, or the fields of the
/// preceding sentence.
fn fields_before(sentence: &Sentence<'_>, position: usize) -> Vec<usize> {
    let of = (0..position).find(|position| sentence.word(*position) == "of");
    let listed = sentence.enumeration(of.map_or(0, |of| of + 1));
    let properties = match listed.alternatives() {
        Some(properties) => properties.to_vec(),
        None => sentence.named_properties(0..position),
    };
    if properties.len() > 1 {
        properties
    } else {
        sentence.previous_mentions.to_vec()
    }
}
