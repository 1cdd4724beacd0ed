//! Phrases for fields that exclude each other: "mutually exclusive", "cannot both be set",
//! "conflicts with".

use crate::findings::wording::sentence::Sentence;
use crate::findings::wording::statement::{Statement, StatementFields};

/// Words for a relation without a direction.
const EXCLUSIVE: [&[&str]; 19] = [
    &["mutually", "exclusive"],
    &["mutually-exclusive"],
    &["mutually", "incompatible"],
    &["exclude", "each", "other"],
    &["exclude", "one", "another"],
    &["conflict", "with", "each", "other"],
    &["conflict", "with", "one", "another"],
    &["are", "incompatible"],
    &["incompatible", "with", "each", "other"],
    &["are", "exclusive"],
    &["cannot", "coexist"],
    &["must", "not", "coexist"],
    &["can", "not", "coexist"],
    &["exclusive", "with", "each", "other"],
    &["exclusive", "of", "each", "other"],
    &["alternatives", "to", "each", "other"],
    &["are", "alternatives"],
    &["rule", "each", "other", "out"],
    &["rule", "out", "each", "other"],
];

/// Words for a relation with the fields that follow.
const EXCLUSIVE_WITH: [&[&str]; 23] = [
    &["exclusive", "with"],
    &["exclusive", "to"],
    &["exclusive", "of"],
    &["mutually-exclusive", "with"],
    &["mutually-exclusive", "to"],
    &["conflicts", "with"],
    &["conflicting", "with"],
    &["in", "conflict", "with"],
    &["incompatible", "with"],
    &["not", "compatible", "with"],
    &["not", "be", "compatible", "with"],
    &["clashes", "with"],
    &["excludes"],
    &["precludes"],
    &["rules", "out"],
    &["forbids"],
    &["not", "in", "combination", "with"],
    &["not", "together", "with"],
    &["never", "together", "with"],
    &["not", "alongside"],
    &["only", "without"],
    &["cannot", "coexist", "with"],
    &["must", "not", "coexist", "with"],
];

/// Returns the statement of a phrase of exclusion at a position.
pub(crate) fn exclusion_statement(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    relation_with(sentence, description, start)
        .or_else(|| symmetric_relation(sentence, description, start))
        .or_else(|| forbidden_combination(sentence, description, start))
        .or_else(|| combination_is_error(sentence, description, start))
        .or_else(|| forbidden_choice_of_both(sentence, description, start))
}

fn statement(fields: Vec<usize>, center: Option<usize>, words: String) -> Option<Statement> {
    (fields.len() > 1).then_some(Statement {
        fields: StatementFields::Listed(fields),
        center,
        is_exactly: false,
        is_certain: true,
        words,
    })
}

/// Returns the subject of a phrase: the properties that are named directly before the phrase, or
/// the property that the description is about.
pub(crate) fn subject_before(sentence: &Sentence<'_>, start: usize) -> Vec<usize> {
    let subject = sentence.enumeration_before(start);
    if subject.is_empty() {
        // Another name before the phrase is the subject: "key_ref must not be set".
        if start
            .checked_sub(1)
            .is_some_and(|previous| sentence.is_unknown_name(previous))
        {
            return Vec::new();
        }
        sentence.own_property().into_iter().collect()
    } else {
        subject
    }
}

/// Returns the statement that the subject excludes the other fields.
fn star(subject: &[usize], others: Vec<usize>, words: String) -> Option<Statement> {
    let mut fields = subject.to_vec();
    for other in others {
        if !fields.contains(&other) {
            fields.push(other);
        }
    }
    let center = match (subject, fields.len()) {
        ([center], 3..) => Some(*center),
        _ => None,
    };
    (!subject.is_empty() && fields.len() > subject.len())
        .then(|| statement(fields, center, words))
        .flatten()
}

/// Returns the statement of "mutually exclusive with `b`" or "conflicts with `b`".
fn relation_with(sentence: &Sentence<'_>, description: &str, start: usize) -> Option<Statement> {
    let mut words_start = start;
    let end = if let Some(end) = sentence.phrase_end(start, &[&["mutually", "exclusive"]]) {
        // "mutually exclusive setting with"
        let mut with = end;
        while with < end + 3 && !matches!(sentence.word(with), "with" | "to" | "of" | "") {
            with += 1;
        }
        matches!(sentence.word(with), "with" | "to" | "of").then_some(with + 1)?
    } else {
        let end = sentence.phrase_end(start, &EXCLUSIVE_WITH)?;
        if start.checked_sub(1).is_some_and(|previous| {
            matches!(
                sentence.word(previous),
                "mutually" | "not" | "non" | "inclusive"
            )
        }) {
            return None;
        }
        end
    };
    if is_negated(sentence, start) {
        return None;
    }
    words_start = words_start.min(start);
    let words = sentence.text(description, words_start, end).to_owned();
    let others = sentence.enumeration(end);
    if is_about_values(sentence, start, others.end) {
        return None;
    }
    if others.properties.is_empty() {
        let own = sentence.own_property()?;
        let is_unnamed =
            (end..end + 4).any(|position| matches!(sentence.word(position), "other" | "others"));
        return is_unnamed.then_some(Statement {
            fields: StatementFields::Unnamed { property: own },
            center: None,
            is_exactly: false,
            is_certain: true,
            words,
        });
    }
    star(&subject_before(sentence, start), others.properties, words)
}

/// Returns true if a relation is about the values of fields: "this list is mutually exclusive with"
/// a field, "with a `type` of `Exact`", "if true, it is mutually exclusive with".
fn is_about_values(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    let names_elements = (start.saturating_sub(6)..start).any(|position| {
        matches!(
            sentence.word(position),
            "list" | "lists" | "keys" | "values" | "entries" | "elements" | "items" | "names"
        ) && sentence.mention(position).is_none()
    });
    let names_value = matches!(
        sentence.word(end),
        "of" | "set" | "equal" | "equals" | "being"
    ) || matches!(sentence.mark(end), "=")
        || sentence.has_words(end, &["is", "true"]);
    names_elements || names_value || sentence.is_about_truth()
}

fn is_negated(sentence: &Sentence<'_>, start: usize) -> bool {
    start.checked_sub(1).is_some_and(|previous| {
        let word = sentence.word(previous);
        word == "not" || word == "non" || word.ends_with("n't")
    })
}

/// Returns the statement of "`a` and `b` are mutually exclusive".
fn symmetric_relation(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    let end = sentence.phrase_end(start, &EXCLUSIVE)?;
    if is_negated(sentence, start) {
        return None;
    }
    let words = sentence.text(description, start, end).to_owned();
    let mut fields = sentence.enumeration_before(start);
    if fields.len() < 2 {
        fields = sentence.named_properties(0..start);
        let refers_to_own = (0..start).any(|position| sentence.own_reference(position).is_some());
        if let Some(own) = sentence.own_property().filter(|_| refers_to_own)
            && !fields.contains(&own)
        {
            fields.push(own);
        }
    }
    if fields.len() < 2 && (end..sentence.tokens.len()).any(|at| sentence.mark(at) == ":") {
        let listed = sentence.enumeration(end);
        if listed.unresolved_count == 0 {
            fields = listed.properties;
        }
    }
    if fields.len() < 2 && has_pronoun(sentence, 0, start) {
        fields = pronoun_fields(sentence, start);
    }
    let names_fields = (0..start).any(|position| {
        matches!(
            sentence.word(position),
            "these" | "the" | "all" | "following"
        ) && matches!(
            sentence.word(position + 1),
            "fields" | "members" | "properties"
        )
    });
    if fields.len() < 2 && names_fields && sentence.own_property().is_none() {
        return Some(Statement {
            fields: StatementFields::All {
                excluded: Vec::new(),
            },
            center: None,
            is_exactly: false,
            is_certain: true,
            words,
        });
    }
    statement(fields, None, words)
}

/// Returns true if a pronoun for several fields is in a range.
fn has_pronoun(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    (start..end).any(|position| {
        matches!(
            sentence.word(position),
            "they" | "both" | "these" | "them" | "two" | "three" | "four"
        )
    })
}

/// Returns the fields that a pronoun before a position stands for.
fn pronoun_fields(sentence: &Sentence<'_>, position: usize) -> Vec<usize> {
    let mut fields = sentence.named_properties(0..position);
    if let Some(own) = sentence.own_property()
        && fields.len() == 1
        && !fields.contains(&own)
    {
        fields.insert(0, own);
    }
    if fields.len() < 2 {
        fields = sentence.previous_mentions.to_vec();
        if let Some(own) = sentence.own_property()
            && fields.len() == 1
            && !fields.contains(&own)
        {
            fields.insert(0, own);
        }
    }
    fields
}

/// Returns the statement of "cannot be set together with `b`", "can't both be set" or "must not be
/// used at the same time".
fn forbidden_combination(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    let modal_end = forbidding_end(sentence, start)?;
    let has_both = (modal_end..modal_end + 3).any(|position| sentence.word(position) == "both");
    let presence = sentence.presence(modal_end);
    let predicate_end = match presence {
        Some(presence) if presence.is_present => presence.end,
        Some(_) => return None,
        // "must not be together with", "not allowed together with"
        None => modal_end + usize::from(sentence.word(modal_end) == "be"),
    };
    let is_combined = predicate_end
        .checked_sub(1)
        .is_some_and(|last| matches!(sentence.word(last), "combined" | "mixed"));
    if let Some(end) = sentence.joining_end(predicate_end) {
        // "set with a value" is about the value.
        let others = sentence.enumeration(end);
        if is_about_values(sentence, start, others.end) {
            return None;
        }
        if !others.properties.is_empty() {
            let words = sentence.text(description, start, end).to_owned();
            return star(&subject_before(sentence, start), others.properties, words);
        }
    }
    presence?;
    let together_end = sentence.together_end(predicate_end);
    // "together with restartPolicy=OnFailure" names no field of the object.
    if together_end.is_some_and(|end| sentence.word(end) == "with") {
        return None;
    }
    if together_end.is_none() && !has_both && !is_combined {
        return None;
    }
    let words_end = together_end.unwrap_or(predicate_end);
    let words_start = start + usize::from(sentence.word(start + 1) == "never");
    let words = sentence
        .text(description, words_start, words_end)
        .to_owned();
    let mut fields = sentence.enumeration_before(start);
    if fields.len() < 2 {
        // "both `a` and `b` must not be set", "the two should never be given at once"
        fields = pronoun_fields(sentence, start);
        let refers = has_pronoun(sentence, 0, modal_end + 3)
            || (0..start).any(|position| sentence.own_reference(position).is_some());
        fields.truncate(if refers { fields.len() } else { 0 });
    }
    statement(fields, None, words)
}

/// Returns the position after words that forbid a predicate: a modal, "not allowed", "do not".
pub(crate) fn forbidding_end(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    sentence
        .phrase_end(
            start,
            &[
                &["not", "allowed", "to"],
                &["not", "to"],
                &["do", "not"],
                &["don't"],
            ],
        )
        .map(|end| {
            // "do not set together with"
            let verbs = [
                "set",
                "use",
                "specify",
                "combine",
                "provide",
                "define",
                "mix",
                "configure",
            ];
            end.checked_sub(0)
                .filter(|end| verbs.contains(&sentence.word(*end)) && sentence.word(*end) != "set")
                .map_or(end, |end| end + 1)
        })
        .or_else(|| sentence.negated_modal_end(start))
        .or_else(|| {
            let end = sentence.error_end(start)?;
            (sentence.joining_end(end).is_some() || sentence.together_end(end).is_some())
                .then_some(end)
        })
}

/// Returns the statement of "setting it together with `b` is not allowed" or "setting both is an
/// error".
fn combination_is_error(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    const GERUNDS: [&str; 9] = [
        "having",
        "setting",
        "using",
        "specifying",
        "combining",
        "providing",
        "defining",
        "mixing",
        "configuring",
    ];
    if !GERUNDS.contains(&sentence.word(start)) {
        return None;
    }
    let mut error = None;
    for position in start + 1..sentence.tokens.len() {
        if let Some(end) = sentence.error_end(position) {
            error = Some((position, end));
            break;
        }
    }
    let (error_start, error_end) = error?;
    let error_words = sentence.text(description, error_start, error_end);
    if let Some((with, with_end)) = (start + 1..error_start)
        .find_map(|position| Some((position, sentence.joining_end(position)?)))
    {
        let others = sentence.enumeration(with_end);
        let subject = sentence.enumeration(start + 1);
        let subject = if subject.properties.is_empty() || subject.end > with {
            sentence.own_property().into_iter().collect()
        } else {
            subject.properties
        };
        let words = format!(
            "{} ... {error_words}",
            sentence.text(description, with, with_end)
        );
        return star(&subject, others.properties, words);
    }
    if sentence.word(start + 1) != "both" {
        return None;
    }
    let listed = sentence.enumeration(start + 1);
    let fields = if listed.properties.len() > 1 {
        listed.properties
    } else {
        pronoun_fields(sentence, start)
    };
    let words = sentence.text(description, start, error_end).to_owned();
    statement(fields, None, words)
}

/// Returns the statement of "must not have both `a` and `b`" or "it is an error to set `a` and
/// `b`".
fn forbidden_choice_of_both(
    sentence: &Sentence<'_>,
    description: &str,
    start: usize,
) -> Option<Statement> {
    const VERBS: [&str; 12] = [
        "set",
        "specify",
        "use",
        "have",
        "contain",
        "include",
        "define",
        "provide",
        "configure",
        "combine",
        "mix",
        "give",
    ];
    let forbidding_end = sentence
        .negated_modal_end(start)
        .or_else(|| sentence.phrase_end(start, &[&["do", "not"], &["don't"]]))
        .or_else(|| {
            let end = sentence.error_end(start)?;
            (sentence.word(end) == "to").then_some(end + 1)
        })?;
    let verb = sentence.word(forbidding_end);
    if !VERBS.contains(&verb) {
        return None;
    }
    let list_start = forbidding_end + 1;
    let listed = sentence.enumeration(list_start);
    let has_both = sentence.word(list_start) == "both";
    let together_end = sentence.together_end(listed.end);
    let has_and = (list_start..listed.end).any(|position| sentence.word(position) == "and");
    let is_combination = matches!(verb, "combine" | "mix") && has_and;
    if !has_both && together_end.is_none() && !is_combination {
        return None;
    }
    let words_end = if has_both { list_start + 1 } else { list_start };
    let words = match together_end.filter(|_| !has_both) {
        Some(together_end) => format!(
            "{} ... {}",
            sentence.text(description, start, words_end),
            sentence.text(description, listed.end, together_end)
        ),
        None => sentence.text(description, start, words_end).to_owned(),
    };
    statement(listed.alternatives()?.to_vec(), None, words)
}
