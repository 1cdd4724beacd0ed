//! Wrong rules: contradictions, duplicates, unguarded reads, and messages that do not fit the rule.

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

/// The maximum number of rules of an object that are compared with each other. The number of
/// comparisons grows with its square.
const MAX_COMPARED_RULES: usize = 512;

/// Creates a finding about the rule at a position of [`Model::rules`].
fn new_finding(
    model: &Model<'_>,
    code: FindingCode,
    confidence: Confidence,
    rule: usize,
) -> Finding {
    let source = model.rules.get(rule).map(|rule| rule.source.clone());
    Finding {
        rule: Some(rule),
        rule_source: source,
        ..Finding::new(code, confidence)
    }
}

/// Returns the findings about rules that are wrong in themselves, not only for a union.
pub(crate) fn wrong_rules(model: &Model<'_>) -> Vec<Finding> {
    let mut findings = unknown_enum_values(model);
    findings.extend(unguarded_reads(model));
    findings.extend(duplicate_rules(model));
    findings.extend(messages_with_other_fields(model));
    findings
}

/// Returns findings for rules that compare a field with a string that the field's enum lacks.
fn unknown_enum_values(model: &Model<'_>) -> Vec<Finding> {
    let unknown = model.unknown_enum_values.iter().map(|unknown| {
        let UnknownEnumValue { rule, field, value } = unknown;
        let mut finding = new_finding(
            model,
            FindingCode::ValueNotInEnum,
            Confidence::Strong,
            *rule,
        );
        finding.fields = vec![model.fields.path(*field)];
        finding.value = Some(value.clone());
        let values = model
            .fields
            .get(*field)
            .and_then(|field| field.values.clone());
        finding.remedy = format!(
            "replace {value:?} by one of {}, or add it to the enum",
            Value::from(values.unwrap_or_default())
        );
        let mut object = sample::object_in_states(model, &[]);
        if let Value::Object(object) = &mut object {
            object.insert(model.fields.name(*field), value.clone().into());
        }
        finding.object = Some(object);
        finding
    });
    unknown.collect()
}

/// Returns findings for rules that fail if a field is absent, but may hold if the field is present.
fn unguarded_reads(model: &Model<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (constraint, table) in model.tables() {
        if constraint.moved {
            continue;
        }
        let failing_field_and_row = constraint
            .named_fields
            .iter()
            .find_map(|field| Some((*field, failing_row_without(model, table, *field)?)));
        let Some((field, row)) = failing_field_and_row else {
            continue;
        };
        let mut finding = new_finding(
            model,
            FindingCode::ReadWithoutHas,
            Confidence::Weak,
            constraint.rule,
        );
        let path = model.fields.path(field);
        let is_reported = |other: &Finding| {
            other.rule == finding.rule && other.fields == core::slice::from_ref(&path)
        };
        if findings.last().is_some_and(is_reported) {
            continue;
        }
        let states = table.states(row).into_iter().map(usize::from);
        let states: Vec<(FieldId, usize)> = table.fields.iter().copied().zip(states).collect();
        let absent_fields = constraint
            .read_fields
            .iter()
            .filter(|field| is_absent(model, **field, &states));
        let absent_fields = absent_fields.filter_map(|field| model.fields.get(*field));
        let source = finding.rule_source.clone().unwrap_or_default();
        finding.remedy = remedy::guard_reads(&source, &absent_fields.collect::<Vec<_>>());
        finding.object = Some(sample::object_in_states(model, &states));
        finding.fields = vec![path];
        findings.push(finding);
    }
    findings
}

/// Returns true if the field, or a field above it, is absent in the states.
fn is_absent(model: &Model<'_>, id: FieldId, states: &[(FieldId, usize)]) -> bool {
    states.iter().any(|(field, state)| {
        let is_on_path = model
            .fields
            .get(id)
            .is_some_and(|nested| nested.chain.contains(field));
        is_on_path && model.fields.states(*field).get(*state) == Some(&FieldState::Absent)
    })
}

/// Returns the first row in which the field is absent and the rule fails, if the rule may hold with
/// the same states of the other fields and the field present.
fn failing_row_without(model: &Model<'_>, table: &TruthTable, field: FieldId) -> Option<usize> {
    let absent_state = model.fields.get(field)?.state_index(&FieldState::Absent)?;
    let position = table.position(field)?;
    let stride = table.stride(position);
    let states = 0..table.size(position);
    let mut rows = table
        .base_rows(position)
        .map(|base| base + absent_state * stride);
    rows.find(|row| {
        let truth = table.truth(*row);
        let fails = truth & ERROR != 0 && truth & TRUE == 0;
        let base = row - absent_state * stride;
        fails
            && states
                .clone()
                .any(|state| table.truth(base + state * stride) & TRUE != 0)
    })
}

/// Returns findings for rules that reject the same objects as an earlier rule.
fn duplicate_rules(model: &Model<'_>) -> Vec<Finding> {
    let active_constraints: Vec<&Constraint> = model
        .constraints
        .iter()
        .filter(|constraint| !constraint.moved && is_active(constraint, &model.fields))
        .take(MAX_COMPARED_RULES)
        .collect();
    let mut findings = Vec::new();
    for (position, constraint) in active_constraints.iter().enumerate() {
        let is_same_rule = |other: &&&Constraint| {
            other.rule != constraint.rule && is_equivalent(&other.form, &constraint.form)
        };
        let Some(earlier_constraint) = active_constraints.iter().take(position).find(is_same_rule)
        else {
            continue;
        };
        let message = |rule: usize| model.rules.get(rule).and_then(|rule| rule.message.as_ref());
        let messages_differ = message(earlier_constraint.rule).is_some()
            && message(earlier_constraint.rule) != message(constraint.rule);
        let confidence = if messages_differ {
            Confidence::Strong
        } else {
            Confidence::Weak
        };
        let mut finding = new_finding(
            model,
            FindingCode::SameRuleTwice,
            confidence,
            constraint.rule,
        );
        let fields = constraint.form.fields().iter();
        finding.fields = fields.map(|field| model.fields.path(*field)).collect();
        finding.remedy = format!(
            "the rule is equivalent to `{}`; correct the field in one of them, or remove one",
            model
                .rules
                .get(earlier_constraint.rule)
                .map(|rule| rule.source.as_str())
                .unwrap_or_default()
        );
        finding.object = rejected_object(model, constraint);
        findings.push(finding);
    }
    findings
}

/// Returns a small object that a constraint rejects.
fn rejected_object(model: &Model<'_>, constraint: &Constraint) -> Option<Value> {
    let first_present_state = |field: FieldId| {
        let mut states = model.fields.states(field).iter();
        states.position(FieldState::is_present)
    };
    let states: Vec<(FieldId, usize)> = match &constraint.form {
        ConstraintForm::Table { reduced_table, .. } => {
            let rows = 0..reduced_table.len();
            let rejected_rows = rows.filter(|row| {
                let truth = reduced_table.truth(*row);
                truth != 0 && truth & TRUE == 0
            });
            let states_of_row = |row: usize| -> Vec<(FieldId, usize)> {
                let states = reduced_table.states(row).into_iter().map(usize::from);
                reduced_table.fields.iter().copied().zip(states).collect()
            };
            let is_present = |(field, state): &&(FieldId, usize)| {
                let state = model.fields.states(*field).get(*state);
                state.is_some_and(FieldState::is_present)
            };
            let rows = rejected_rows.map(states_of_row);
            rows.min_by_key(|states| states.iter().filter(is_present).count())?
        }
        ConstraintForm::Cardinality(cardinality) => {
            let rejected_count = cardinality.allowed.iter().position(|allowed| !allowed)?;
            let fields = cardinality.fields.iter().take(rejected_count);
            let states = fields.map(|field| Some((*field, first_present_state(*field)?)));
            states.collect::<Option<_>>()?
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => return None,
    };
    Some(sample::object_in_states(model, &states))
}

/// Returns true if two constraints certainly reject the same objects.
fn is_equivalent(form: &ConstraintForm, other_form: &ConstraintForm) -> bool {
    match (form, other_form) {
        // Rows with unknown results are not comparable, so all results must be known.
        (
            ConstraintForm::Table {
                reduced_table: table,
                ..
            },
            ConstraintForm::Table {
                reduced_table: other_table,
                ..
            },
        ) => {
            let has_known_truth = |row| table.truth(row) & TRUE == 0 || table.truth(row) == TRUE;
            table == other_table && (0..table.len()).all(has_known_truth)
        }
        (
            ConstraintForm::Cardinality(cardinality),
            ConstraintForm::Cardinality(other_cardinality),
        ) => cardinality == other_cardinality,
        _ => false,
    }
}

/// Returns findings for messages that name a field of the object instead of a field of the rule.
fn messages_with_other_fields(model: &Model<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (rule_index, rule) in model.rules.iter().enumerate() {
        let Some(message) = &rule.message else {
            continue;
        };
        let mut named_fields: Vec<FieldId> = Vec::new();
        let mut has_moved_conjunct = false;
        for constraint in model.constraints_of_rule(rule_index) {
            named_fields.extend(&constraint.named_fields);
            has_moved_conjunct |= constraint.moved;
        }
        let words: Vec<&str> = message
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let is_named = |name: &str| words.contains(&name);
        let is_own = |id: &&FieldId| model.fields.get(**id).is_some_and(Field::is_own);
        let own_names: Vec<String> = named_fields
            .iter()
            .filter(is_own)
            .map(|id| model.fields.name(*id))
            .collect();
        let Some(unnamed_field) = own_names.iter().find(|name| !is_named(name)) else {
            continue;
        };
        let properties = model.fields.root.get("properties");
        let properties = properties.and_then(Value::as_object);
        let is_property_outside_rule = |word: &&&str| {
            let is_property = properties.is_some_and(|properties| properties.contains_key(**word));
            is_property && !own_names.iter().any(|name| name == **word)
        };
        let other_property = words.iter().find(is_property_outside_rule);
        // A message that names no field of its rule describes the rule in other words.
        let Some(other_property) = other_property.filter(|_| {
            !has_moved_conjunct
                && own_names.len() > 1
                && own_names.iter().any(|name| is_named(name))
        }) else {
            continue;
        };
        // Messages often omit the name of the discriminator, which is correct.
        if is_discriminator_name(model, &named_fields, unnamed_field) {
            continue;
        }
        let mut finding = new_finding(
            model,
            FindingCode::MessageNamesAnotherField,
            Confidence::Strong,
            rule_index,
        );
        finding.fields = vec![FieldPath::from([*other_property])];
        finding.message = Some(message.clone());
        let mut constraints = model.constraints_of_rule(rule_index);
        finding.object = constraints.find_map(|constraint| rejected_object(model, constraint));
        finding.remedy = format!(
            "check `{other_property}` instead of `{unnamed_field}` in the rule, or name `{unnamed_field}` in the message"
        );
        findings.push(finding);
    }
    findings
}

/// Returns true if one of the fields has this name and can be a discriminator.
fn is_discriminator_name(model: &Model<'_>, fields: &[FieldId], name: &str) -> bool {
    fields.iter().any(|id| {
        let field = model.fields.get(*id);
        model.fields.name(*id) == name && field.is_some_and(Field::has_string_states)
    })
}

/// Returns the finding that the rules reject every object.
pub(crate) fn unsatisfiable_rules(model: &Model<'_>) -> Finding {
    let constraint = model
        .constraints
        .iter()
        .find(|constraint| match &constraint.form {
            ConstraintForm::Table { reduced_table, .. } => reduced_table.is_unsatisfiable(),
            _ => false,
        });
    let mut finding = new_finding(
        model,
        FindingCode::NeverHolds,
        Confidence::Strong,
        constraint.map_or(usize::MAX, |constraint| constraint.rule),
    );
    finding.rule = constraint.map(|constraint| constraint.rule);
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
    let mut findings = Vec::new();
    for constraint in model.constraints_about(members) {
        let rule = model.rules.get(constraint.rule);
        let Some(message) = rule.and_then(|rule| rule.message.as_ref()) else {
            continue;
        };
        let mut fields = constraint.form.fields().to_vec();
        fields.sort_by_key(|field| model.fields.sort_key(*field));
        if constraint.moved || fields != members {
            continue;
        }
        let lowercase_message = message.to_lowercase();
        let exact_phrases = ["exactly one", "precisely one", "one and only one"];
        let at_most_phrases = [
            "only one",
            "at most one",
            "mutually exclusive",
            "not both",
            "no more than one",
        ];
        let states_exactly = exact_phrases
            .iter()
            .any(|words| lowercase_message.contains(words));
        let states_at_most = !states_exactly
            && at_most_phrases
                .iter()
                .any(|words| lowercase_message.contains(words));
        let code = if needs_one && states_at_most && rejects_all_absent(model, constraint) {
            FindingCode::MessageSaysAtMostOne
        } else if !needs_one && states_exactly {
            FindingCode::MessageSaysExactlyOne
        } else {
            continue;
        };
        let mut finding = new_finding(model, code, Confidence::Weak, constraint.rule);
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
        findings.push(finding);
    }
    findings
}

/// Returns true if a constraint rejects an object without any of its fields.
fn rejects_all_absent(model: &Model<'_>, constraint: &Constraint) -> bool {
    match &constraint.form {
        ConstraintForm::Cardinality(cardinality) => cardinality.allowed.first() == Some(&false),
        ConstraintForm::Table { reduced_table, .. } => {
            let absent_row = (0..reduced_table.len()).find(|row| {
                let states = reduced_table.states(*row);
                let mut states_of_fields = reduced_table.fields.iter().zip(states);
                states_of_fields.all(|(field, state)| {
                    let states = model.fields.states(*field);
                    states.get(usize::from(state)) == Some(&FieldState::Absent)
                })
            });
            absent_row.is_some_and(|row| reduced_table.truth(row) & TRUE == 0)
        }
        ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
    }
}

/// Returns findings for nullable members of a `oneOf`, in which a key with the value null counts as
/// set.
pub(crate) fn nulls_counted_as_set(model: &Model<'_>, members: &[FieldId]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for constraint in model.constraints_about(members) {
        let ConstraintForm::Cardinality(cardinality) = &constraint.form else {
            continue;
        };
        let is_other_keyword = model
            .rules
            .get(constraint.rule)
            .is_none_or(|rule| rule.keyword != "oneOf");
        if is_other_keyword {
            continue;
        }
        for field in members
            .iter()
            .filter(|field| cardinality.fields.contains(field))
        {
            let null_state = model
                .fields
                .get(*field)
                .and_then(|field| field.state_index(&FieldState::Null));
            let Some(null_state) = null_state else {
                continue;
            };
            let mut finding = new_finding(
                model,
                FindingCode::NullCountsAsSet,
                Confidence::Strong,
                constraint.rule,
            );
            finding.fields = vec![model.fields.path(*field)];
            finding.object = Some(sample::object_in_states(model, &[(*field, null_state)]));
            finding.accepted = true;
            "\"nullable\": false".clone_into(&mut finding.remedy);
            findings.push(finding);
        }
    }
    findings
}

/// Returns findings for rules about the old object that keep a field of a union unchanged.
pub(crate) fn blocked_switches(model: &Model<'_>, fields: &[FieldId]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for constraint in model.constraints_about(fields) {
        if !matches!(constraint.form, ConstraintForm::Transition) {
            continue;
        }
        if let Some(field) = constraint
            .named_fields
            .iter()
            .find(|field| fields.contains(field))
        {
            let mut finding = new_finding(
                model,
                FindingCode::SwitchRefused,
                Confidence::Weak,
                constraint.rule,
            );
            finding.fields = vec![model.fields.path(*field)];
            "none; do not normalize this union, because the rule rejects the object if the field is cleared".clone_into(&mut finding.remedy);
            findings.push(finding);
        }
    }
    findings
}
