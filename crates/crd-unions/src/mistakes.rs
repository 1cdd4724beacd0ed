//! Rules that are wrong by themselves: findings by their tables and messages.

use serde_json::Value;

use crate::component::is_active;
use crate::fields::{FieldId, State};
use crate::finding::{Code, Finding, Weight};
use crate::model::{Model, Piece, Says};
use crate::remedy;
use crate::sample;
use crate::table::Table;
use crate::value::{ERROR, TRUE};

/// The most rules of an object that are compared with each other.
const COMPARED: usize = 512;

fn finding(model: &Model<'_>, code: Code, weight: Weight, rule: usize) -> Finding {
    let text = model.rules.get(rule).map(|rule| rule.text.clone());
    Finding {
        code,
        weight,
        fields: Vec::new(),
        value: None,
        also: Vec::new(),
        rule: Some(rule),
        rule_text: text,
        message: None,
        object: None,
        accepted: false,
        remedy: String::new(),
    }
}

pub(crate) fn mistakes(model: &Model<'_>) -> Vec<Finding> {
    let mut found = strange_values(model);
    found.extend(reads(model));
    found.extend(twice(model));
    found.extend(names(model));
    found
}

/// Texts that an enum does not have.
fn strange_values(model: &Model<'_>) -> Vec<Finding> {
    let strange = model.strange.iter().map(|(rule, field, text)| {
        let mut finding = finding(model, Code::ValueNotInEnum, Weight::Strong, *rule);
        finding.fields = vec![model.fields.name(*field)];
        finding.value = Some(text.clone());
        let values = model
            .fields
            .get(*field)
            .and_then(|field| field.values.clone());
        finding.remedy = format!(
            "correct {text:?} to one of {}, or add it to the enum",
            Value::from(values.unwrap_or_default())
        );
        finding
    });
    strange.collect()
}

/// Rules that fail where a field is absent, and could hold were it there.
fn reads(model: &Model<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (piece, table) in model.tables() {
        if piece.moved {
            continue;
        }
        let failing = piece
            .named
            .iter()
            .find_map(|field| Some((*field, fails_without(model, table, *field)?)));
        let Some((field, row)) = failing else {
            continue;
        };
        let mut finding = finding(model, Code::ReadWithoutHas, Weight::Weak, piece.rule);
        let name = model.fields.name(field);
        let is_known =
            |other: &Finding| other.rule == finding.rule && other.fields == [name.as_str()];
        if found.iter().any(is_known) {
            continue;
        }
        let states = table.states(row).into_iter().map(usize::from);
        let states: Vec<(FieldId, usize)> = table.fields.iter().copied().zip(states).collect();
        finding.object = Some(sample::object(model, &states));
        let escaped: Vec<String> = name.split('.').map(remedy::name).collect();
        finding.remedy = format!(
            "!has(self.{}) || ({})",
            escaped.join("."),
            finding.rule_text.as_deref().unwrap_or_default()
        );
        finding.fields = vec![name];
        found.push(finding);
    }
    found
}

/// The first row in which a field is absent and the rule fails, where it could hold with the field.
fn fails_without(model: &Model<'_>, table: &Table, field: FieldId) -> Option<usize> {
    let absent = model.fields.get(field)?.position(&State::Absent)?;
    let position = table.position(field)?;
    let stride = table.stride(position);
    let states = 0..table.size(position);
    let mut rows = table.bases(position).map(|base| base + absent * stride);
    rows.find(|row| {
        let truth = table.truth(*row);
        let fails = truth & ERROR != 0 && truth & TRUE == 0;
        let base = row - absent * stride;
        fails
            && states
                .clone()
                .any(|state| table.truth(base + state * stride) & TRUE != 0)
    })
}

/// Two rules that refuse the same.
fn twice(model: &Model<'_>) -> Vec<Finding> {
    let active: Vec<&Piece> = model
        .pieces
        .iter()
        .filter(|piece| !piece.moved && is_active(piece, &model.fields))
        .take(COMPARED)
        .collect();
    let mut found = Vec::new();
    for (position, piece) in active.iter().enumerate() {
        let same =
            |other: &&&Piece| other.rule != piece.rule && says_the_same(&other.says, &piece.says);
        let Some(first) = active.iter().take(position).find(same) else {
            continue;
        };
        let message = |rule: usize| model.rules.get(rule).and_then(|rule| rule.message.as_ref());
        let differ = message(first.rule).is_some() && message(first.rule) != message(piece.rule);
        let weight = if differ { Weight::Strong } else { Weight::Weak };
        let mut finding = finding(model, Code::SameRuleTwice, weight, piece.rule);
        let fields = piece.says.fields().iter();
        finding.fields = fields.map(|field| model.fields.name(*field)).collect();
        finding.remedy = format!(
            "it says what `{}` says: one of them names the wrong field, or goes",
            model
                .rules
                .get(first.rule)
                .map(|rule| rule.text.as_str())
                .unwrap_or_default()
        );
        found.push(finding);
    }
    found
}

fn says_the_same(one: &Says, other: &Says) -> bool {
    match (one, other) {
        // What is not known is not the same.
        (Says::Table { reduced: one, .. }, Says::Table { reduced: other, .. }) => {
            one == other
                && (0..one.len()).all(|row| one.truth(row) & TRUE == 0 || one.truth(row) == TRUE)
        }
        (Says::Count(one), Says::Count(other)) => one == other,
        _ => false,
    }
}

/// Messages that name another field than their rule, and not that of the rule.
fn names(model: &Model<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, rule) in model.rules.iter().enumerate() {
        let Some(message) = &rule.message else {
            continue;
        };
        let mut asked: Vec<FieldId> = Vec::new();
        let mut moved = false;
        for piece in model.pieces.iter().filter(|piece| piece.rule == number) {
            asked.extend(&piece.named);
            moved |= piece.moved;
        }
        let words: Vec<&str> = message
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let is_named = |name: &str| words.contains(&name);
        let own = |id: &&FieldId| model.fields.get(**id).is_some_and(|field| field.is_own());
        let own: Vec<String> = asked
            .iter()
            .filter(own)
            .map(|id| model.fields.name(*id))
            .collect();
        let Some(unnamed) = own.iter().find(|name| !is_named(name)) else {
            continue;
        };
        let properties = model
            .fields
            .root
            .get("properties")
            .and_then(Value::as_object);
        let mut others = properties.into_iter().flatten().map(|(name, _)| name);
        let other = others.find(|name| is_named(name) && !own.contains(name));
        // Where none of its own is named, the message speaks of something else.
        let Some(other) =
            other.filter(|_| !moved && own.len() > 1 && own.iter().any(|name| is_named(name)))
        else {
            continue;
        };
        // A discriminator often goes without its name.
        let is_text = asked.iter().any(|id| {
            let field = model.fields.get(*id);
            model.fields.name(*id) == *unnamed
                && field.is_some_and(|field| field.is_split_by_text())
        });
        if is_text {
            continue;
        }
        let mut finding = finding(
            model,
            Code::MessageNamesAnotherField,
            Weight::Strong,
            number,
        );
        finding.fields = vec![other.clone()];
        finding.message = Some(message.clone());
        finding.remedy = format!(
            "ask for `{other}` in the rule in place of `{unnamed}`, or name `{unnamed}` in the message"
        );
        found.push(finding);
    }
    found
}

/// No object is accepted.
pub(crate) fn never_holds(model: &Model<'_>) -> Finding {
    let piece = model.pieces.iter().find(|piece| match &piece.says {
        Says::Table { reduced, .. } => reduced.never_holds(),
        _ => false,
    });
    let mut finding = finding(
        model,
        Code::NeverHolds,
        Weight::Strong,
        piece.map_or(usize::MAX, |piece| piece.rule),
    );
    finding.rule = piece.map(|piece| piece.rule);
    finding.object = Some(sample::object(model, &[]));
    finding.remedy = "write `has(self.f)` in place of `self.f != null`, which fails where f is absent; or take out what contradicts".to_owned();
    finding
}

/// The message of a rule says otherwise than the rules.
pub(crate) fn message_about_group(
    model: &Model<'_>,
    members: &[FieldId],
    needs_one: bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in &model.pieces {
        let rule = model.rules.get(piece.rule);
        let Some(message) = rule.and_then(|rule| rule.message.as_ref()) else {
            continue;
        };
        let mut fields = piece.says.fields().to_vec();
        fields.sort_by_key(|field| model.fields.rank(*field));
        if piece.moved || fields != members {
            continue;
        }
        let says = message.to_lowercase();
        let is_exact = ["exactly one", "precisely one", "one and only one"];
        let at_most = [
            "only one",
            "at most one",
            "mutually exclusive",
            "not both",
            "no more than one",
        ];
        let says_exactly = is_exact.iter().any(|words| says.contains(words));
        let says_at_most = !says_exactly && at_most.iter().any(|words| says.contains(words));
        let code = if needs_one && says_at_most && refuses_none(model, piece) {
            Code::MessageSaysAtMostOne
        } else if !needs_one && says_exactly {
            Code::MessageSaysExactlyOne
        } else {
            continue;
        };
        let mut finding = finding(model, code, Weight::Weak, piece.rule);
        finding.fields = members
            .iter()
            .map(|field| model.fields.name(*field))
            .collect();
        finding.message = Some(message.clone());
        finding.object = Some(sample::object(model, &[]));
        finding.accepted = code == Code::MessageSaysExactlyOne;
        let names: Vec<String> = finding
            .fields
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let number = if needs_one {
            "exactly one"
        } else {
            "at most one"
        };
        finding.remedy = format!(
            "\"message\": \"{number} of {} must be set\"",
            names.join(", ")
        )
        .replace('`', "");
        found.push(finding);
    }
    found
}

/// Whether a rule refuses an object with none of its fields.
fn refuses_none(model: &Model<'_>, piece: &Piece) -> bool {
    match &piece.says {
        Says::Count(count) => count.allowed.first() == Some(&false),
        Says::Table { reduced, .. } => {
            let none = (0..reduced.len()).find(|row| {
                let states = reduced.states(*row);
                let mut both = reduced.fields.iter().zip(states);
                both.all(|(field, state)| {
                    let states = model.fields.states(*field);
                    states.get(usize::from(state)) == Some(&State::Absent)
                })
            });
            none.is_some_and(|row| reduced.truth(row) & TRUE == 0)
        }
        Says::Unknown(_) | Says::Transition => false,
    }
}

/// Nullable members of a `oneOf`, to which null is a key that is there.
pub(crate) fn null_counts(model: &Model<'_>, members: &[FieldId]) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in &model.pieces {
        let Says::Count(count) = &piece.says else {
            continue;
        };
        let is_of_object = model
            .rules
            .get(piece.rule)
            .is_none_or(|rule| rule.keyword != "oneOf");
        if is_of_object {
            continue;
        }
        for field in members.iter().filter(|field| count.fields.contains(field)) {
            let null = model
                .fields
                .get(*field)
                .and_then(|field| field.position(&State::Null));
            let Some(null) = null else {
                continue;
            };
            let mut finding = finding(model, Code::NullCountsAsSet, Weight::Strong, piece.rule);
            finding.fields = vec![model.fields.name(*field)];
            finding.object = Some(sample::object(model, &[(*field, null)]));
            finding.accepted = true;
            finding.remedy = format!(
                "\"nullable\": false on `{}`, or a CEL rule in place of the oneOf",
                model.fields.name(*field)
            );
            found.push(finding);
        }
    }
    found
}

/// Rules about the old object that keep a field of a union as it was.
pub(crate) fn switches(model: &Model<'_>, fields: &[FieldId]) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in &model.pieces {
        if !matches!(piece.says, Says::Transition) {
            continue;
        }
        if let Some(field) = piece.named.iter().find(|field| fields.contains(field)) {
            let mut finding = finding(model, Code::SwitchRefused, Weight::Weak, piece.rule);
            finding.fields = vec![model.fields.name(*field)];
            finding.remedy = "none: clearing the field on a switch turns one refusal into another; do not normalize this union".to_owned();
            found.push(finding);
        }
    }
    found
}
