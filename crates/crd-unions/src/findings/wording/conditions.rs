//! Conditions that forbid a field: "cannot be used if `b` is set", "if `b` is set, this must be
//! empty", "only valid when `b` is not set".

use crate::findings::wording::relations::subject_before;
use crate::findings::wording::sentence::Sentence;
use crate::findings::wording::statement::{Statement, StatementFields};

/// Returns the statement of a condition at a position.
pub(crate) fn condition_statement(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    forbidden_if(sentence, description, start)
        .or_else(|| if_then_forbidden(sentence, description, start))
        .or_else(|| only_if_absent(sentence, description, start))
        .or_else(|| allowed_unless(sentence, description, start))
}

/// The start and the end of words that forbid fields: "must not be set", "has to be left out".
struct Prohibition {
    end: usize,
}

fn prohibition(sentence: &Sentence<'_>, start: usize) -> Option<Prohibition> {
    if let Some(modal_end) = sentence.negated_modal_end(start) {
        let presence = sentence.presence(modal_end)?;
        return presence
            .is_present
            .then_some(Prohibition { end: presence.end });
    }
    if let Some(end) = sentence.error_end(start) {
        return Some(Prohibition { end });
    }
    if let Some(end) = sentence.phrase_end(start, &[&["do", "not"], &["don't"], &["not", "to"]]) {
        let verbs = ["set", "use", "specify", "provide", "define", "configure"];
        return verbs.contains(&sentence.word(end)).then(|| {
            let object = usize::from(matches!(sentence.word(end + 1), "this" | "it"));
            let noun = usize::from(sentence.word(end + 2) == "field");
            Prohibition {
                end: end + 1 + object + object * noun,
            }
        });
    }
    if matches!(sentence.word(start), "leave" | "omit") {
        let mut end = start + 1;
        while matches!(sentence.word(end), "this" | "it" | "field" | "the" | "as") {
            end += 1;
        }
        let is_left_out = matches!(
            sentence.word(end),
            "empty" | "unset" | "blank" | "unspecified" | "out" | "undefined"
        );
        return (is_left_out || sentence.word(start) == "omit").then_some(Prohibition {
            end: end + usize::from(is_left_out),
        });
    }
    let modal_end = sentence.phrase_end(
        start,
        &[
            &["must"],
            &["has", "to"],
            &["have", "to"],
            &["needs", "to"],
            &["need", "to"],
            &["should"],
            &["shall"],
        ],
    )?;
    let presence = sentence.presence(modal_end)?;
    (!presence.is_present && sentence.negated_modal_end(start).is_none())
        .then_some(Prohibition { end: presence.end })
}

/// A condition on the presence of fields.
struct Condition {
    fields: Vec<usize>,
    is_present: bool,
    end: usize,
}

/// Returns the condition after "if" or "when": "`a` or `b` is set".
fn condition(sentence: &Sentence<'_>, start: usize) -> Option<Condition> {
    let enumeration = sentence.enumeration(start);
    if enumeration.properties.is_empty() || enumeration.unresolved_count > 0 {
        return None;
    }
    let presence = sentence.presence(enumeration.end)?;
    Some(Condition {
        fields: enumeration.properties,
        is_present: presence.is_present,
        end: presence.end,
    })
}

fn is_conditional_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "when" | "while" | "where" | "whenever" | "once"
    )
}

fn star(subject: &[usize], others: &[usize], words: String) -> Option<Statement> {
    let others: Vec<usize> = others
        .iter()
        .copied()
        .filter(|other| !subject.contains(other))
        .collect();
    if subject.is_empty() || others.is_empty() {
        return None;
    }
    // The rule of the center excludes the center from each other field.
    let center = match (subject, &*others) {
        ([center], [_, _, ..]) | ([_, _, ..], [center]) => Some(*center),
        _ => None,
    };
    Some(Statement {
        fields: StatementFields::Listed([subject, &others].concat()),
        center,
        is_exactly: false,
        is_certain: true,
        words,
    })
}

/// Returns the statement of "cannot be used if `b` is set".
fn forbidden_if(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    let prohibition = prohibition(sentence, start)?;
    let conditional = prohibition.end + usize::from(sentence.mark(prohibition.end) == ",");
    if !is_conditional_word(sentence.word(conditional)) {
        return None;
    }
    let condition = condition(sentence, conditional + 1)?;
    if !condition.is_present {
        return None;
    }
    let words = sentence
        .text(description, start, conditional + 1)
        .to_owned();
    star(&subject_before(sentence, start), &condition.fields, words)
}

/// Returns the statement of "if `b` is set, this must be empty".
fn if_then_forbidden(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    if !is_conditional_word(sentence.word(start)) {
        return None;
    }
    if sentence.word(start + 1) == "one" {
        return if_one_then_other(sentence, description, start);
    }
    let condition = condition(sentence, start + 1)?;
    if !condition.is_present {
        return None;
    }
    let mut position = condition.end;
    while sentence.mark(position) == "," || sentence.word(position) == "then" {
        position += 1;
    }
    if let Some(statement) = neither_other(sentence, description, position, &condition) {
        return Some(statement);
    }
    let subject = sentence.enumeration(position);
    let (fields, mut verb) = if subject.properties.is_empty() {
        // Without a subject, the property itself is the subject: "if `b` is set, must be empty".
        (sentence.own_property().into_iter().collect(), position)
    } else if subject.unresolved_count > 0 {
        return None;
    } else {
        (subject.properties, subject.end)
    };
    while matches!(sentence.word(verb), "field" | "fields" | "also" | "both") {
        verb += 1;
    }
    let prohibition = prohibition(sentence, verb)?;
    let words = sentence.text(description, verb, prohibition.end).to_owned();
    star(&fields, &condition.fields, words)
}

/// Returns the statement of "if this field is set then neither of the other fields can be".
fn neither_other(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
    condition: &Condition,
) -> Option<Statement> {
    let noun = sentence.phrase_end(
        start,
        &[
            &["neither", "of", "the", "other"],
            &["none", "of", "the", "other"],
            &["no", "other"],
            &["all", "other"],
        ],
    )?;
    let end = noun + 1;
    let is_forbidden = if sentence.word(start) == "all" {
        prohibition(sentence, end).is_some()
    } else {
        matches!(
            sentence.word(end),
            "can" | "may" | "must" | "should" | "is" | "are"
        )
    };
    let [center] = *condition.fields else {
        return None;
    };
    (is_forbidden
        && matches!(
            sentence.word(noun),
            "field" | "fields" | "option" | "options"
        ))
    .then(|| Statement {
        fields: StatementFields::AllAround,
        center: Some(center),
        is_exactly: false,
        is_certain: true,
        words: sentence.text(description, start, end).to_owned(),
    })
}

/// Returns the statement of "if one is set, the other must be unset".
fn if_one_then_other(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    let presence = sentence.presence(start + 2)?;
    let mut position = presence.end;
    while sentence.mark(position) == "," || matches!(sentence.word(position), "then" | "the") {
        position += 1;
    }
    if !presence.is_present || !matches!(sentence.word(position), "other" | "others") {
        return None;
    }
    let prohibition = prohibition(sentence, position + 1)?;
    let mut fields = sentence.previous_mentions.to_vec();
    if let Some(own) = sentence.own_property()
        && fields.len() == 1
        && !fields.contains(&own)
    {
        fields.insert(0, own);
    }
    let words = sentence
        .text(description, start, prohibition.end)
        .to_owned();
    (fields.len() > 1).then_some(Statement {
        fields: StatementFields::Listed(fields),
        center: None,
        is_exactly: false,
        is_certain: true,
        words,
    })
}

/// Returns the statement of "only valid when `b` is not set".
fn only_if_absent(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    if sentence.word(start) != "only" {
        return None;
    }
    let mut position = start + 1;
    let auxiliary = usize::from(sentence.word(position) == "be");
    let is_permission = matches!(
        sentence.word(position + auxiliary),
        "valid" | "allowed" | "permitted" | "accepted" | "possible" | "supported"
    );
    // "only used if" is about the effect, "may only be used if" about the presence.
    let previous = start.checked_sub(1).map(|previous| sentence.word(previous));
    let has_modal = matches!(previous, Some("can" | "may" | "must" | "should" | "shall"));
    let is_presence = matches!(
        sentence.word(position + auxiliary),
        "set" | "specified" | "given" | "provided" | "used" | "defined" | "present" | "configured"
    ) && (has_modal || auxiliary > 0);
    if !is_permission && !is_presence {
        return None;
    }
    position += auxiliary + 1;
    if !is_conditional_word(sentence.word(position)) {
        return None;
    }
    let condition = condition(sentence, position + 1)?;
    if condition.is_present {
        return None;
    }
    let absence_start = (position + 1..condition.end)
        .find(|at| matches!(sentence.word(*at), "is" | "are" | "has" | "not"))
        .unwrap_or(condition.end);
    let words = format!(
        "{} ... {}",
        sentence.text(description, start, position + 1),
        sentence.text(description, absence_start, condition.end)
    );
    let subject = subject_before(sentence, start - usize::from(has_modal));
    star(&subject, &condition.fields, words)
}

/// Returns the statement of "may be set unless `b` is set".
fn allowed_unless(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    if sentence.word(start) != "unless" {
        return None;
    }
    let is_permission = (start.saturating_sub(4)..start).any(|position| {
        matches!(
            sentence.word(position),
            "may" | "can" | "allowed" | "permitted" | "valid"
        )
    });
    let is_prohibition = (start.saturating_sub(6)..start).any(|position| {
        sentence.negated_modal_end(position).is_some() || sentence.word(position) == "not"
    });
    let condition = condition(sentence, start + 1)?;
    if !is_permission || is_prohibition || !condition.is_present {
        return None;
    }
    let words = sentence.text(description, start, condition.end).to_owned();
    let own: Vec<usize> = sentence.own_property().into_iter().collect();
    star(&own, &condition.fields, words)
}
