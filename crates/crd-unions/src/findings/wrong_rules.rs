//! Mistakes in the rules themselves, found from their tables and messages.

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::findings::remedy;
use crate::findings::sample;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::is_active;
use crate::solver::model::{Constraint, ConstraintForm, Model};
use crate::solver::table::TruthTable;
use crate::terms::fields::{Field, FieldId, FieldState};
use crate::terms::lower::UnknownEnumValue;
use crate::terms::value::{ERROR, TRUE};

/// The maximum number of rules of an object that are compared with each other.
const MAX_COMPARED_RULES: usize = 512;

fn finding(model: &Model<'_>, code: FindingCode, weight: Confidence, rule: usize) -> Finding {
    let text = model.rules.get(rule).map(|rule| rule.source.clone());
    Finding {
        code,
        confidence: weight,
        fields: Vec::new(),
        value: None,
        other_states: Vec::new(),
        rule: Some(rule),
        rule_source: text,
        message: None,
        object: None,
        accepted: false,
        remedy: String::new(),
    }
}

pub(crate) fn wrong_rules(model: &Model<'_>) -> Vec<Finding> {
    let mut found = unknown_enum_values(model);
    found.extend(unguarded_reads(model));
    found.extend(duplicate_rules(model));
    found.extend(names(model));
    found
}

/// Returns findings for strings in rules that the enum of the field does not have.
fn unknown_enum_values(model: &Model<'_>) -> Vec<Finding> {
    let strange = model.unknown_enum_values.iter().map(|strange| {
        let UnknownEnumValue {
            rule,
            field,
            value: text,
        } = strange;
        let mut finding = finding(
            model,
            FindingCode::ValueNotInEnum,
            Confidence::Strong,
            *rule,
        );
        finding.fields = vec![model.fields.path(*field)];
        finding.value = Some(text.clone());
        let values = model
            .fields
            .get(*field)
            .and_then(|field| field.values.clone());
        finding.remedy = format!(
            "replace {text:?} by one of {}, or add it to the enum",
            Value::from(values.unwrap_or_default())
        );
        let mut object = sample::object_in_states(model, &[]);
        if let Value::Object(object) = &mut object {
            object.insert(model.fields.name(*field), text.clone().into());
        }
        finding.object = Some(object);
        finding
    });
    strange.collect()
}

/// Returns findings for rules that fail if a field is absent, but could hold if it were present.
fn unguarded_reads(model: &Model<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (piece, table) in model.tables() {
        if piece.moved {
            continue;
        }
        let failing = piece
            .named_fields
            .iter()
            .find_map(|field| Some((*field, fails_without(model, table, *field)?)));
        let Some((field, row)) = failing else {
            continue;
        };
        let mut finding = finding(
            model,
            FindingCode::ReadWithoutHas,
            Confidence::Weak,
            piece.rule,
        );
        let path = model.fields.path(field);
        let is_known = |other: &Finding| {
            other.rule == finding.rule && other.fields == core::slice::from_ref(&path)
        };
        if found.last().is_some_and(is_known) {
            continue;
        }
        let states = table.states(row).into_iter().map(usize::from);
        let states: Vec<(FieldId, usize)> = table.fields.iter().copied().zip(states).collect();
        let absent = piece
            .read_fields
            .iter()
            .filter(|field| is_absent(model, **field, &states));
        let absent = absent.filter_map(|field| model.fields.get(*field));
        let text = finding.rule_source.clone().unwrap_or_default();
        finding.remedy = remedy::guard_reads(&text, &absent.collect::<Vec<_>>());
        finding.object = Some(sample::object_in_states(model, &states));
        finding.fields = vec![path];
        found.push(finding);
    }
    found
}

/// Returns true if the field, or a field above it, is absent in the states.
fn is_absent(model: &Model<'_>, id: FieldId, states: &[(FieldId, usize)]) -> bool {
    states.iter().any(|(field, state)| {
        let is_above = model
            .fields
            .get(id)
            .is_some_and(|of| of.chain.contains(field));
        is_above && model.fields.states(*field).get(*state) == Some(&FieldState::Absent)
    })
}

/// Returns the first row in which the field is absent and the rule fails, but in which the rule
/// could hold with the field.
fn fails_without(model: &Model<'_>, table: &TruthTable, field: FieldId) -> Option<usize> {
    let absent = model.fields.get(field)?.position(&FieldState::Absent)?;
    let position = table.position(field)?;
    let stride = table.stride(position);
    let states = 0..table.size(position);
    let mut rows = table.base_rows(position).map(|base| base + absent * stride);
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

/// Returns findings for rules that reject the same objects as an earlier rule.
fn duplicate_rules(model: &Model<'_>) -> Vec<Finding> {
    let active: Vec<&Constraint> = model
        .constraints
        .iter()
        .filter(|piece| !piece.moved && is_active(piece, &model.fields))
        .take(MAX_COMPARED_RULES)
        .collect();
    let mut found = Vec::new();
    for (position, piece) in active.iter().enumerate() {
        let same = |other: &&&Constraint| {
            other.rule != piece.rule && is_equivalent(&other.form, &piece.form)
        };
        let Some(first) = active.iter().take(position).find(same) else {
            continue;
        };
        let message = |rule: usize| model.rules.get(rule).and_then(|rule| rule.message.as_ref());
        let differ = message(first.rule).is_some() && message(first.rule) != message(piece.rule);
        let weight = if differ {
            Confidence::Strong
        } else {
            Confidence::Weak
        };
        let mut finding = finding(model, FindingCode::SameRuleTwice, weight, piece.rule);
        let fields = piece.form.fields().iter();
        finding.fields = fields.map(|field| model.fields.path(*field)).collect();
        finding.remedy = format!(
            "the rule is equivalent to `{}`; correct the field in one of them, or remove one",
            model
                .rules
                .get(first.rule)
                .map(|rule| rule.source.as_str())
                .unwrap_or_default()
        );
        finding.object = refused(model, piece);
        found.push(finding);
    }
    found
}

/// Returns a small object that a part of a rule rejects.
fn refused(model: &Model<'_>, piece: &Constraint) -> Option<Value> {
    let there = |field: FieldId| {
        let mut states = model.fields.states(field).iter();
        states.position(FieldState::is_present)
    };
    let states: Vec<(FieldId, usize)> = match &piece.form {
        ConstraintForm::Table { reduced, .. } => {
            let rows = 0..reduced.len();
            let refused = rows.filter(|row| {
                let truth = reduced.truth(*row);
                truth != 0 && truth & TRUE == 0
            });
            let of_row = |row: usize| -> Vec<(FieldId, usize)> {
                let states = reduced.states(row).into_iter().map(usize::from);
                reduced.fields.iter().copied().zip(states).collect()
            };
            let is_there = |(field, state): &&(FieldId, usize)| {
                let state = model.fields.states(*field).get(*state);
                state.is_some_and(FieldState::is_present)
            };
            let rows = refused.map(of_row);
            rows.min_by_key(|states| states.iter().filter(is_there).count())?
        }
        ConstraintForm::Cardinality(count) => {
            let set = count.allowed.iter().position(|allowed| !allowed)?;
            let fields = count.fields.iter().take(set);
            let states = fields.map(|field| Some((*field, there(*field)?)));
            states.collect::<Option<_>>()?
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => return None,
    };
    Some(sample::object_in_states(model, &states))
}

fn is_equivalent(one: &ConstraintForm, other: &ConstraintForm) -> bool {
    match (one, other) {
        // A table with unknown outcomes is never the same as another table.
        (
            ConstraintForm::Table { reduced: one, .. },
            ConstraintForm::Table { reduced: other, .. },
        ) => {
            one == other
                && (0..one.len()).all(|row| one.truth(row) & TRUE == 0 || one.truth(row) == TRUE)
        }
        (ConstraintForm::Cardinality(one), ConstraintForm::Cardinality(other)) => one == other,
        _ => false,
    }
}

/// Returns findings for messages that name a field of the object in place of a field of the rule.
fn names(model: &Model<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, rule) in model.rules.iter().enumerate() {
        let Some(message) = &rule.message else {
            continue;
        };
        let mut asked: Vec<FieldId> = Vec::new();
        let mut moved = false;
        for piece in model.constraints_of_rule(number) {
            asked.extend(&piece.named_fields);
            moved |= piece.moved;
        }
        let words: Vec<&str> = message
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let is_named = |name: &str| words.contains(&name);
        let own = |id: &&FieldId| model.fields.get(**id).is_some_and(Field::is_own);
        let own: Vec<String> = asked
            .iter()
            .filter(own)
            .map(|id| model.fields.name(*id))
            .collect();
        let Some(unnamed) = own.iter().find(|name| !is_named(name)) else {
            continue;
        };
        let properties = model.fields.root.get("properties");
        let properties = properties.and_then(Value::as_object);
        let is_other = |word: &&&str| {
            let is_property = properties.is_some_and(|properties| properties.contains_key(**word));
            is_property && !own.iter().any(|own| own == **word)
        };
        let other = words.iter().find(is_other);
        // A message that names no field of its rule describes something else.
        let Some(other) =
            other.filter(|_| !moved && own.len() > 1 && own.iter().any(|name| is_named(name)))
        else {
            continue;
        };
        // Messages often omit the name of the discriminator.
        let is_text = asked.iter().any(|id| {
            let field = model.fields.get(*id);
            model.fields.name(*id) == *unnamed && field.is_some_and(Field::has_string_states)
        });
        if is_text {
            continue;
        }
        let mut finding = finding(
            model,
            FindingCode::MessageNamesAnotherField,
            Confidence::Strong,
            number,
        );
        finding.fields = vec![FieldPath::from([*other])];
        finding.message = Some(message.clone());
        let mut pieces = model.constraints_of_rule(number);
        finding.object = pieces.find_map(|piece| refused(model, piece));
        finding.remedy = format!(
            "check `{other}` instead of `{unnamed}` in the rule, or name `{unnamed}` in the message"
        );
        found.push(finding);
    }
    found
}

/// Returns the finding that no object is accepted.
pub(crate) fn unsatisfiable_rules(model: &Model<'_>) -> Finding {
    let piece = model.constraints.iter().find(|piece| match &piece.form {
        ConstraintForm::Table { reduced, .. } => reduced.is_unsatisfiable(),
        _ => false,
    });
    let mut finding = finding(
        model,
        FindingCode::NeverHolds,
        Confidence::Strong,
        piece.map_or(usize::MAX, |piece| piece.rule),
    );
    finding.rule = piece.map(|piece| piece.rule);
    finding.object = Some(sample::object_in_states(model, &[]));
    "replace `self.f != null`, which fails if f is absent, by `has(self.f)`; or remove contradicting conditions".clone_into(&mut finding.remedy);
    finding
}

/// Returns findings for messages that contradict the rules: "at most one" if the rules require
/// exactly one, or the reverse.
pub(crate) fn contradicting_messages(
    model: &Model<'_>,
    members: &[FieldId],
    needs_one: bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in model.constraints_about(members) {
        let rule = model.rules.get(piece.rule);
        let Some(message) = rule.and_then(|rule| rule.message.as_ref()) else {
            continue;
        };
        let mut fields = piece.form.fields().to_vec();
        fields.sort_by_key(|field| model.fields.sort_key(*field));
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
        let code = if needs_one && says_at_most && rejects_no_member(model, piece) {
            FindingCode::MessageSaysAtMostOne
        } else if !needs_one && says_exactly {
            FindingCode::MessageSaysExactlyOne
        } else {
            continue;
        };
        let mut finding = finding(model, code, Confidence::Weak, piece.rule);
        finding.fields = members
            .iter()
            .map(|field| model.fields.path(*field))
            .collect();
        finding.message = Some(message.clone());
        finding.object = Some(sample::object_in_states(model, &[]));
        finding.accepted = code == FindingCode::MessageSaysExactlyOne;
        let names: Vec<&str> = finding.fields.iter().map(FieldPath::as_str).collect();
        let names = names.join(", ");
        let message = if needs_one {
            format!("exactly one of {names} must be set")
        } else {
            format!("at most one of {names} may be set")
        };
        finding.remedy = format!("\"message\": {}", Value::from(message));
        found.push(finding);
    }
    found
}

/// Returns true if a part of a rule rejects an object with none of its fields.
fn rejects_no_member(model: &Model<'_>, piece: &Constraint) -> bool {
    match &piece.form {
        ConstraintForm::Cardinality(count) => count.allowed.first() == Some(&false),
        ConstraintForm::Table { reduced, .. } => {
            let none = (0..reduced.len()).find(|row| {
                let states = reduced.states(*row);
                let mut both = reduced.fields.iter().zip(states);
                both.all(|(field, state)| {
                    let states = model.fields.states(*field);
                    states.get(usize::from(state)) == Some(&FieldState::Absent)
                })
            });
            none.is_some_and(|row| reduced.truth(row) & TRUE == 0)
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns findings for nullable members of a `oneOf`, in which a key with the value null counts as
/// set.
pub(crate) fn nulls_counted_as_set(model: &Model<'_>, members: &[FieldId]) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in model.constraints_about(members) {
        let ConstraintForm::Cardinality(count) = &piece.form else {
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
                .and_then(|field| field.position(&FieldState::Null));
            let Some(null) = null else {
                continue;
            };
            let mut finding = finding(
                model,
                FindingCode::NullCountsAsSet,
                Confidence::Strong,
                piece.rule,
            );
            finding.fields = vec![model.fields.path(*field)];
            finding.object = Some(sample::object_in_states(model, &[(*field, null)]));
            finding.accepted = true;
            "\"nullable\": false".clone_into(&mut finding.remedy);
            found.push(finding);
        }
    }
    found
}

/// Returns findings for rules about the old object that keep a field of a union unchanged.
pub(crate) fn blocked_switches(model: &Model<'_>, fields: &[FieldId]) -> Vec<Finding> {
    let mut found = Vec::new();
    for piece in model.constraints_about(fields) {
        if !matches!(piece.form, ConstraintForm::Transition) {
            continue;
        }
        if let Some(field) = piece
            .named_fields
            .iter()
            .find(|field| fields.contains(field))
        {
            let mut finding = finding(
                model,
                FindingCode::SwitchRefused,
                Confidence::Weak,
                piece.rule,
            );
            finding.fields = vec![model.fields.path(*field)];
            "none; do not normalize this union, because the rule rejects the object if the field is cleared".clone_into(&mut finding.remedy);
            found.push(finding);
        }
    }
    found
}
