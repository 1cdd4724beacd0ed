//! The rules of an object as constraints: truth tables over the states of fields, and counts of set
//! fields.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::bounds::{ALL_TABLE_ROWS, EVALUATION_STEPS};
use crate::report::analysis::Rule;
use crate::solver::name_similarity;
use crate::solver::table::{CardinalityConstraint, TruthTable};
use crate::terms::conjuncts::Conjunct;
use crate::terms::eval::TermEvaluator;
use crate::terms::fields::{Field, FieldId, FieldState, Fields, json_property};
use crate::terms::keywords::{
    COMBINING_KEYWORDS, KeywordLowering, is_closed, single_required_field,
};
use crate::terms::lower::{self, UnknownEnumValue};
use crate::terms::term::Term;
use crate::terms::value::TRUE;

/// An object schema: its fields, and its rules as constraints.
pub(crate) struct Model<'s> {
    pub(crate) fields: Fields<'s>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) constraints: Vec<Constraint>,
    /// The positions of the constraints of each rule.
    constraints_by_rule: Vec<Vec<usize>>,
    /// The positions of the constraints that depend on each field. A constraint that is not
    /// understood, or is a transition, is listed at each field that it names.
    constraints_by_field: Vec<Vec<usize>>,
    /// The fields that an object may omit, by their
    /// [normalized names](name_similarity::normalize_name).
    optional_siblings: BTreeMap<String, &'s str>,
    pub(crate) unknown_enum_values: Vec<UnknownEnumValue>,
    /// The number of evaluation steps that were taken.
    pub(crate) steps: u64,
}

/// A conjunct of a rule as a constraint on the object.
pub(crate) struct Constraint {
    /// The position of the rule in [`Model::rules`].
    pub(crate) rule: usize,
    /// True if the conjunct moved here from an object or a list above.
    pub(crate) moved: bool,
    /// The fields that the conjunct names, in the order of its expression.
    pub(crate) named_fields: Vec<FieldId>,
    /// The fields whose values the conjunct reads.
    pub(crate) read_fields: Vec<FieldId>,
    pub(crate) form: ConstraintForm,
}

/// The form of a constraint.
pub(crate) enum ConstraintForm {
    /// The table of the conjunct over all its fields, and the table without irrelevant fields.
    Table {
        full_table: TruthTable,
        reduced_table: TruthTable,
    },
    Cardinality(CardinalityConstraint),
    /// A conjunct that is not understood, with the reason.
    Unknown(&'static str),
    /// A conjunct that also reads the old object.
    Transition,
}

impl ConstraintForm {
    /// Returns the fields that the constraint depends on.
    pub(crate) fn fields(&self) -> &[FieldId] {
        match self {
            Self::Table { reduced_table, .. } => &reduced_table.fields,
            Self::Cardinality(cardinality) => &cardinality.fields,
            Self::Unknown(_) | Self::Transition => &[],
        }
    }
}

/// A constraint before the states of fields are known. The fields are as in [`Constraint`].
struct ConstraintDraft {
    rule: usize,
    moved: bool,
    named_fields: Vec<FieldId>,
    read_fields: Vec<FieldId>,
    form: DraftForm,
}

/// The form of a constraint before its table is built.
enum DraftForm {
    Term(Term),
    Cardinality(CardinalityConstraint),
    Transition,
}

impl<'s> Model<'s> {
    /// Builds the model of an object schema. `conjuncts` are the parts of the CEL rules that are
    /// about the object, and `rules` are the rules that the conjuncts belong to. The rules of
    /// schema keywords are added.
    pub(crate) fn new(
        schema: &'s Map<String, Value>,
        pointer: &str,
        conjuncts: &[Conjunct<'_>],
        mut rules: Vec<Rule>,
        steps_left: u64,
    ) -> Self {
        let mut fields = Fields::new(schema);
        let mut unknown_enum_values = Vec::new();
        let mut drafts = Vec::new();
        for conjunct in conjuncts {
            let lowered = lower::lower(conjunct, &mut fields);
            unknown_enum_values.extend(lowered.unknown_enum_values);
            let form = if lowered.is_transition {
                DraftForm::Transition
            } else {
                match lower::field_count_restriction(&lowered.term).filter(|(counted_fields, _)| {
                    counted_fields
                        .iter()
                        .all(|id| fields.get(*id).is_some_and(Field::is_own))
                }) {
                    Some((fields, allowed)) => DraftForm::Cardinality(CardinalityConstraint {
                        fields,
                        allowed,
                        null_is_set: false,
                    }),
                    None => DraftForm::Term(lowered.term),
                }
            };
            drafts.push(ConstraintDraft {
                rule: conjunct.rule,
                moved: conjunct.moved,
                named_fields: lowered.named_fields,
                read_fields: lowered.read_fields,
                form,
            });
        }
        add_combining_keywords(schema, pointer, &mut fields, &mut rules, &mut drafts);
        add_property_bounds(schema, pointer, &mut fields, &mut rules, &mut drafts);
        fields.set_states();
        let budget = EVALUATION_STEPS.min(steps_left);
        let evaluator = TermEvaluator::new(&fields, budget);
        let mut rows_left = ALL_TABLE_ROWS;
        let constraints: Vec<Constraint> = drafts
            .into_iter()
            .map(|draft| build_constraint(draft, &fields, &evaluator, &mut rows_left))
            .collect();
        let steps = budget - evaluator.steps_left();
        let mut model = Self {
            constraints_by_rule: vec![Vec::new(); rules.len()],
            constraints_by_field: vec![Vec::new(); fields.list.len()],
            fields,
            rules,
            constraints,
            optional_siblings: optional_siblings(schema),
            unknown_enum_values,
            steps,
        };
        model.build_indexes();
        model.mark_unknown_rules();
        model
    }

    /// Fills `constraints_by_rule` and `constraints_by_field`.
    fn build_indexes(&mut self) {
        for (position, constraint) in self.constraints.iter().enumerate() {
            if let Some(constraints) = self.constraints_by_rule.get_mut(constraint.rule) {
                constraints.push(position);
            }
            let fields = match &constraint.form {
                ConstraintForm::Unknown(_) | ConstraintForm::Transition => &constraint.named_fields,
                form => form.fields(),
            };
            for field in fields {
                if let Some(constraints) = self.constraints_by_field.get_mut(*field) {
                    constraints.push(position);
                }
            }
        }
    }

    /// Sets the reason at each rule with a conjunct that is not understood.
    fn mark_unknown_rules(&mut self) {
        for constraint in &self.constraints {
            if let (ConstraintForm::Unknown(reason), Some(rule)) =
                (&constraint.form, self.rules.get_mut(constraint.rule))
            {
                rule.unknown_reason = Some(reason);
            }
        }
    }

    /// Returns the constraints of a rule.
    pub(crate) fn constraints_of_rule(&self, rule: usize) -> impl Iterator<Item = &Constraint> {
        let constraints = self.constraints_by_rule.get(rule).into_iter().flatten();
        constraints.filter_map(|constraint| self.constraints.get(*constraint))
    }

    /// Returns the constraints that depend on any of the fields, in order.
    pub(crate) fn constraints_about(&self, fields: &[FieldId]) -> Vec<&Constraint> {
        let positions = fields
            .iter()
            .filter_map(|field| self.constraints_by_field.get(*field));
        let mut constraints: Vec<usize> = positions.flatten().copied().collect();
        constraints.sort_unstable();
        constraints.dedup();
        let constraints = constraints.into_iter();
        constraints
            .filter_map(|constraint| self.constraints.get(constraint))
            .collect()
    }

    /// Returns true if a rule names both fields and is not understood, entirely or for some values.
    pub(crate) fn may_relate_unknowingly(&self, first: FieldId, second: FieldId) -> bool {
        self.constraints.iter().any(|constraint| {
            let names_both = constraint.named_fields.contains(&first)
                && constraint.named_fields.contains(&second);
            names_both
                && match &constraint.form {
                    ConstraintForm::Unknown(_) => true,
                    ConstraintForm::Table { reduced_table, .. } => {
                        (0..reduced_table.len()).any(|row| {
                            let truth = reduced_table.truth(row);
                            truth & TRUE != 0 && truth != TRUE
                        })
                    }
                    ConstraintForm::Cardinality(_) | ConstraintForm::Transition => false,
                }
        })
    }

    /// Returns the field that an object may omit and that is named like the value.
    pub(crate) fn optional_sibling(&self, value: &str) -> Option<&'s str> {
        self.optional_siblings
            .get(&name_similarity::normalize_name(value))
            .copied()
    }

    /// Returns the constraints with tables, each with its table over all its fields.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&Constraint, &TruthTable)> {
        self.constraints
            .iter()
            .filter_map(|constraint| match &constraint.form {
                ConstraintForm::Table { full_table, .. } => Some((constraint, full_table)),
                _ => None,
            })
    }

    /// Returns true if no rule distinguishes an empty field from an absent field: rules only check
    /// if the field is empty, and do not read its value otherwise.
    pub(crate) fn treats_empty_as_unset(&self, id: FieldId) -> bool {
        let Some(field) = self.fields.get(id) else {
            return false;
        };
        let Some(empty_state) = field.state_index(&FieldState::Empty) else {
            return false;
        };
        let Some(absent_state) = field.state_index(&FieldState::Absent) else {
            // With an empty default, the API server stores an absent field as empty.
            return field.default.is_some_and(is_empty);
        };
        let is_counted = |constraint: &Constraint| match &constraint.form {
            ConstraintForm::Cardinality(cardinality) => cardinality.fields.contains(&id),
            _ => false,
        };
        !self.constraints.iter().any(is_counted)
            && self
                .tables()
                .all(|(_, table)| table.treats_equally(id, absent_state, empty_state))
    }
}

/// Returns the fields that an object may omit, by their normalized names. If several fields have
/// the same normalized name, the map contains the first.
fn optional_siblings(schema: &Map<String, Value>) -> BTreeMap<String, &str> {
    let mut siblings = BTreeMap::new();
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.is_some_and(|names| names.iter().any(|other| other == name));
        if !is_required && property.get("default").is_none() {
            siblings
                .entry(name_similarity::normalize_name(name))
                .or_insert(&**name);
        }
    }
    siblings
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(string) => string.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Returns the constraint of a draft. `rows_left` is the number of table rows that remain for the
/// object schema.
fn build_constraint(
    draft: ConstraintDraft,
    fields: &Fields<'_>,
    evaluator: &TermEvaluator<'_, '_>,
    rows_left: &mut usize,
) -> Constraint {
    let ConstraintDraft {
        rule,
        moved,
        named_fields,
        read_fields,
        form,
    } = draft;
    let form = match form {
        DraftForm::Transition => ConstraintForm::Transition,
        DraftForm::Cardinality(cardinality) => ConstraintForm::Cardinality(cardinality),
        DraftForm::Term(term) => {
            match TruthTable::build(evaluator, fields, &term, &named_fields, *rows_left) {
                Ok(full_table) => {
                    *rows_left -= full_table.len();
                    let reduced_table = full_table.without_irrelevant_fields(fields);
                    ConstraintForm::Table {
                        full_table,
                        reduced_table,
                    }
                }
                Err(reason) => ConstraintForm::Unknown(reason),
            }
        }
    };
    Constraint {
        rule,
        moved,
        named_fields,
        read_fields,
        form,
    }
}

/// Adds the rules of `oneOf`, `anyOf`, `allOf` and `not`.
fn add_combining_keywords<'s>(
    schema: &'s Map<String, Value>,
    pointer: &str,
    fields: &mut Fields<'s>,
    rules: &mut Vec<Rule>,
    drafts: &mut Vec<ConstraintDraft>,
) {
    for keyword in COMBINING_KEYWORDS {
        let Some(value) = schema.get(keyword) else {
            continue;
        };
        // Each schema of `allOf` is a separate rule.
        let entries: Vec<(Option<usize>, &Value)> = match (keyword, value) {
            ("allOf", Value::Array(list)) => list
                .iter()
                .enumerate()
                .map(|(index, entry)| (Some(index), entry))
                .collect(),
            _ => vec![(None, value)],
        };
        for (index, entry) in entries {
            let mut keywords = KeywordLowering {
                fields,
                named_fields: Vec::new(),
            };
            let term = match keyword {
                "oneOf" => Term::OneOf(keywords.lower_subschemas(entry)),
                "anyOf" => {
                    let no_branch_holds = Term::bool(false);
                    keywords
                        .lower_subschemas(entry)
                        .into_iter()
                        .fold(no_branch_holds, Term::or)
                }
                "not" => keywords.lower_subschema(entry).negated(),
                _ => keywords.lower_subschema(entry),
            };
            let named_fields = keywords.named_fields;
            let form = match one_of_cardinality(&term, fields) {
                Some(cardinality) => DraftForm::Cardinality(cardinality),
                None => DraftForm::Term(term),
            };
            drafts.push(ConstraintDraft {
                rule: rules.len(),
                moved: false,
                named_fields,
                read_fields: Vec::new(),
                form,
            });
            rules.push(keyword_rule(pointer, keyword, index, entry));
        }
    }
}

fn keyword_rule(pointer: &str, keyword: &'static str, index: Option<usize>, value: &Value) -> Rule {
    Rule {
        pointer: pointer.to_owned(),
        keyword,
        index,
        source: value.to_string(),
        message: None,
        whole: true,
        unknown_reason: None,
    }
}

/// Returns the cardinality that a `oneOf` is equivalent to, if each branch requires a different own
/// field.
fn one_of_cardinality(term: &Term, fields: &Fields<'_>) -> Option<CardinalityConstraint> {
    let Term::OneOf(branches) = term else {
        return None;
    };
    let named_fields = branches
        .iter()
        .map(single_required_field)
        .collect::<Option<Vec<_>>>()?;
    let are_distinct = named_fields.iter().enumerate().all(|(position, id)| {
        let is_own = fields.get(*id).is_some_and(Field::is_own);
        is_own && named_fields.iter().position(|other| other == id) == Some(position)
    });
    let allowed = (0..=named_fields.len()).map(|count| count == 1).collect();
    are_distinct.then_some(CardinalityConstraint {
        fields: named_fields,
        allowed,
        null_is_set: true,
    })
}

/// Adds the rules of `minProperties` and `maxProperties`, if the object cannot have keys other than
/// its properties.
fn add_property_bounds<'s>(
    schema: &'s Map<String, Value>,
    pointer: &str,
    fields: &mut Fields<'s>,
    rules: &mut Vec<Rule>,
    drafts: &mut Vec<ConstraintDraft>,
) {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    if !is_closed(schema) {
        return;
    }
    let mut counted_fields = Vec::new();
    for (keyword, bound) in [
        ("minProperties", bound("minProperties")),
        ("maxProperties", bound("maxProperties")),
    ] {
        let Some(bound) = bound else {
            continue;
        };
        if counted_fields.is_empty() {
            let names = schema.get("properties").and_then(Value::as_object);
            let names = names.into_iter().flatten().map(|(name, _)| &**name);
            for name in names {
                counted_fields.extend(fields.find_or_add(&[name], json_property));
            }
            for id in &counted_fields {
                if let Some(field) = fields.get_mut(*id) {
                    field.usage.distinguishes_null = true;
                }
            }
        }
        let allowed = (0..=counted_fields.len()).map(|count| {
            let count = count as u64;
            if keyword == "minProperties" {
                count >= bound
            } else {
                count <= bound
            }
        });
        drafts.push(ConstraintDraft {
            rule: rules.len(),
            moved: false,
            named_fields: counted_fields.clone(),
            read_fields: Vec::new(),
            form: DraftForm::Cardinality(CardinalityConstraint {
                fields: counted_fields.clone(),
                allowed: allowed.collect(),
                null_is_set: true,
            }),
        });
        rules.push(keyword_rule(pointer, keyword, None, &Value::from(bound)));
    }
}
