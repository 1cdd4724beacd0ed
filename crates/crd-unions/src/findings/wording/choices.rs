//! Phrases for a choice: "either `a` or `b`", "not both".

use crate::findings::wording::sentence::{Enumeration, Sentence, Subject};
use crate::findings::wording::statement::{Statement, StatementFields};

const CHOICE_VERBS: [&str; 14] = [
    "use",
    "pick",
    "set",
    "specify",
    "provide",
    "choose",
    "define",
    "select",
    "configure",
    "give",
    "supply",
    "requires",
    "require",
    "accepts",
];

/// Returns the statement of a choice at a position.
pub(crate) fn choice_statement(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    not_both(sentence, description, start)
        .or_else(|| either(sentence, description, start))
        .or_else(|| between(sentence, description, start))
        .or_else(|| exclusive_or(sentence, description, start))
}

fn statement(fields: Vec<usize>, is_exactly: bool, is_certain: bool, words: String) -> Statement {
    Statement {
        fields: StatementFields::Listed(fields),
        center: None,
        is_exactly,
        is_certain,
        words,
    }
}

/// Returns the statement of "`a` or `b`, but not both".
fn not_both(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    let end = sentence.phrase_end(
        start,
        &[
            &["not", "both"],
            &["never", "both"],
            &["one", "or", "the", "other"],
        ],
    )?;
    // "may not both be empty" and "must not both be set" have another meaning or another reader.
    let previous = start.checked_sub(1);
    let follows_modal = previous.and_then(|previous| sentence.negated_modal_end(previous));
    let presence = sentence.presence(end);
    if sentence.word(end) == "be"
        || follows_modal.is_some()
        || presence.is_some_and(|presence| !presence.is_present)
    {
        return None;
    }
    let has_but = start
        .checked_sub(1)
        .is_some_and(|previous| sentence.word(previous) == "but");
    let words_start = start - usize::from(has_but);
    let either = (0..start)
        .rev()
        .find(|position| sentence.word(*position) == "either");
    // "can be either `Fast` or `Safe`, but not both" is about values.
    if sentence.has_unknown_name(either.unwrap_or(0)..start) {
        return None;
    }
    let listed = either.map(|either| sentence.enumeration(either + 1));
    let listed = listed.as_ref().and_then(Enumeration::alternatives);
    let mut fields = listed.map(<[usize]>::to_vec).unwrap_or_default();
    if fields.len() < 2 {
        fields = sentence.enumeration_before(words_start);
    }
    if fields.len() < 2 {
        fields = sentence.unmixed_properties(0..start);
        if let Some(own) = sentence.own_property()
            && fields.len() == 1
            && !fields.contains(&own)
        {
            fields.insert(0, own);
        }
    }
    if fields.len() < 2 {
        return None;
    }
    let words = sentence.text(description, words_start, end);
    let words = match either {
        Some(either) => format!(
            "{} ... {words}",
            sentence.text(description, either, either + 1)
        ),
        None => sentence.text(description, start, end).to_owned(),
    };
    Some(statement(fields, false, true, words))
}

/// Returns the statement of "use either `a` or `b`" or "either `a` or `b` must be set".
fn either(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    if sentence.word(start) != "either" || sentence.is_in_condition(start) {
        return None;
    }
    let previous = start.checked_sub(1).map(|previous| sentence.word(previous));
    let mut enumeration = sentence.enumeration(start + 1);
    let starts_with_of = sentence.word(start + 1) == "of";
    if starts_with_of {
        enumeration = sentence.enumeration(start + 2);
    }
    if enumeration.properties.len() < 2 || enumeration.unresolved_count > 0 {
        return None;
    }
    let has_or = (start + 1..enumeration.end).any(|position| sentence.word(position) == "or");
    let has_both = (enumeration.end..sentence.tokens.len())
        .any(|position| sentence.has_words(position, &["or", "both"]));
    if !has_or && !starts_with_of || has_both {
        return None;
    }
    let is_imperative = previous.is_some_and(|word| CHOICE_VERBS.contains(&word));
    let modal = sentence.word(enumeration.end);
    let is_permitted = matches!(
        modal,
        "must" | "should" | "can" | "may" | "shall" | "needs" | "has"
    );
    let presence = sentence.presence(enumeration.end + usize::from(is_permitted));
    let is_presence = is_permitted && presence.is_some_and(|presence| presence.is_present);
    let is_about_values = matches!(
        sentence.subject,
        Subject::Property {
            is_string: true,
            ..
        }
    ) && !enumeration.is_exact;
    if !is_imperative && !is_presence || is_about_values {
        return None;
    }
    let words = if is_imperative {
        let or = (start..enumeration.end)
            .rev()
            .find(|position| sentence.word(*position) == "or");
        match (sentence.own_reference(start + 1), or) {
            (Some((_, end)), Some(or)) if or == end => {
                sentence.text(description, start - 1, or + 1).to_owned()
            }
            _ => format!(
                "{} ... or",
                sentence.text(description, start - 1, start + 1)
            ),
        }
    } else {
        format!("{} ... or", sentence.text(description, start, start + 1))
    };
    let is_exactly = is_presence && matches!(modal, "must" | "needs" | "has" | "shall");
    Some(statement(enumeration.properties, is_exactly, false, words))
}

/// Returns the statement of "choose between `a` and `b`".
fn between(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    if sentence.word(start + 1) != "between"
        || !matches!(
            sentence.word(start),
            "choose" | "choice" | "decide" | "select" | "chooses"
        )
    {
        return None;
    }
    let enumeration = sentence.enumeration(start + 2);
    let fields = enumeration.alternatives()?.to_vec();
    let words = sentence.text(description, start, start + 2).to_owned();
    Some(statement(fields, false, false, words))
}

/// Returns the statement of "`a` xor `b`".
fn exclusive_or(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    if sentence.word(start) != "xor" {
        return None;
    }
    let mut fields = sentence.enumeration_before(start);
    let second = sentence.mention(start + 1)?.property;
    if fields.is_empty() || fields.contains(&second) {
        return None;
    }
    fields.push(second);
    let words = sentence.text(description, start, start + 1).to_owned();
    Some(statement(fields, false, true, words))
}
