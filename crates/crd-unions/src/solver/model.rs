//! The rules of an object as tables and counts over the states of its fields.

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

/// An object schema: its fields, and its rules as pieces.
pub(crate) struct Model<'s> {
    pub(crate) fields: Fields<'s>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) constraints: Vec<Constraint>,
    /// The positions of the pieces of each rule.
    by_rule: Vec<Vec<usize>>,
    /// The positions of the pieces that each field matters to. A piece without a known constraint
    /// is listed at each field that it names.
    by_field: Vec<Vec<usize>>,
    /// The fields that an object may omit, by their names in the form of `sort_key::plain`.
    siblings: BTreeMap<String, &'s str>,
    pub(crate) unknown_enum_values: Vec<UnknownEnumValue>,
    /// The number of evaluation steps that were taken.
    pub(crate) steps: u64,
}

/// A part of a rule about the object.
pub(crate) struct Constraint {
    pub(crate) rule: usize,
    pub(crate) moved: bool,
    /// The fields that the part names, in the order of the part.
    pub(crate) named_fields: Vec<FieldId>,
    /// The fields whose values the part reads.
    pub(crate) read_fields: Vec<FieldId>,
    pub(crate) form: ConstraintForm,
}

/// The constraint of a part of a rule.
pub(crate) enum ConstraintForm {
    /// The table of the part as it is written, and the table without the fields that do not matter.
    Table {
        whole: TruthTable,
        reduced: TruthTable,
    },
    Cardinality(CardinalityConstraint),
    /// A part that is not understood, with the reason.
    Unknown(&'static str),
    /// A part that is also about the old object.
    Transition,
}

impl ConstraintForm {
    /// Returns the fields that the constraint depends on.
    pub(crate) fn fields(&self) -> &[FieldId] {
        match self {
            Self::Table { reduced, .. } => &reduced.fields,
            Self::Cardinality(count) => &count.fields,
            Self::Unknown(_) | Self::Transition => &[],
        }
    }
}

/// A piece before the states of fields are known.
struct ConstraintDraft {
    rule: usize,
    moved: bool,
    named_fields: Vec<FieldId>,
    read_fields: Vec<FieldId>,
    form: DraftForm,
}

enum DraftForm {
    Term(Term),
    Cardinality(CardinalityConstraint),
    Transition,
}

impl<'s> Model<'s> {
    pub(crate) fn new(
        schema: &'s Map<String, Value>,
        pointer: &str,
        parts: &[Conjunct<'_>],
        mut rules: Vec<Rule>,
        steps_left: u64,
    ) -> Self {
        let mut fields = Fields::new(schema);
        let mut strange = Vec::new();
        let mut drafts = Vec::new();
        for part in parts {
            let lowered = lower::lower(part, &mut fields);
            strange.extend(lowered.unknown_enum_values);
            let says = if lowered.is_transition {
                DraftForm::Transition
            } else {
                match lower::match_count(&lowered.term).filter(|(counted, _)| {
                    counted
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
                rule: part.rule,
                moved: part.moved,
                named_fields: lowered.named_fields,
                read_fields: lowered.read_fields,
                form: says,
            });
        }
        add_combining_keywords(schema, pointer, &mut fields, &mut rules, &mut drafts);
        add_property_bounds(schema, pointer, &mut fields, &mut rules, &mut drafts);
        fields.set_states();
        let budget = EVALUATION_STEPS.min(steps_left);
        let evaluator = TermEvaluator::new(&fields, budget);
        let mut rows_left = ALL_TABLE_ROWS;
        let pieces: Vec<Constraint> = drafts
            .into_iter()
            .map(|draft| piece(draft, &fields, &evaluator, &mut rows_left))
            .collect();
        let steps = budget - evaluator.steps_left();
        let mut model = Self {
            by_rule: vec![Vec::new(); rules.len()],
            by_field: vec![Vec::new(); fields.list.len()],
            fields,
            rules,
            constraints: pieces,
            siblings: siblings(schema),
            unknown_enum_values: strange,
            steps,
        };
        model.index();
        model.mark_unknown_rules();
        model
    }

    fn index(&mut self) {
        for (position, piece) in self.constraints.iter().enumerate() {
            if let Some(pieces) = self.by_rule.get_mut(piece.rule) {
                pieces.push(position);
            }
            let fields = match &piece.form {
                ConstraintForm::Unknown(_) | ConstraintForm::Transition => &piece.named_fields,
                says => says.fields(),
            };
            for field in fields {
                if let Some(pieces) = self.by_field.get_mut(*field) {
                    pieces.push(position);
                }
            }
        }
    }

    fn mark_unknown_rules(&mut self) {
        for piece in &self.constraints {
            if let (ConstraintForm::Unknown(why), Some(rule)) =
                (&piece.form, self.rules.get_mut(piece.rule))
            {
                rule.unknown_reason = Some(why);
            }
        }
    }

    /// Returns the pieces of a rule.
    pub(crate) fn constraints_of_rule(&self, rule: usize) -> impl Iterator<Item = &Constraint> {
        let pieces = self.by_rule.get(rule).into_iter().flatten();
        pieces.filter_map(|piece| self.constraints.get(*piece))
    }

    /// Returns the pieces that any of the fields matters to, in order.
    pub(crate) fn constraints_about(&self, fields: &[FieldId]) -> Vec<&Constraint> {
        let lists = fields.iter().filter_map(|field| self.by_field.get(*field));
        let mut pieces: Vec<usize> = lists.flatten().copied().collect();
        pieces.sort_unstable();
        pieces.dedup();
        let pieces = pieces.into_iter();
        pieces
            .filter_map(|piece| self.constraints.get(piece))
            .collect()
    }

    /// Returns the field that an object may omit and that is named like the value.
    pub(crate) fn optional_sibling(&self, value: &str) -> Option<&'s str> {
        self.siblings
            .get(&name_similarity::normalize_name(value))
            .copied()
    }

    /// Returns the tables of the rules as they are written, with their pieces.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&Constraint, &TruthTable)> {
        self.constraints
            .iter()
            .filter_map(|piece| match &piece.form {
                ConstraintForm::Table { whole, .. } => Some((piece, whole)),
                _ => None,
            })
    }

    /// Returns true if no rule distinguishes an empty field from an absent field: rules only check
    /// whether the field is empty, and do not read its value otherwise.
    pub(crate) fn treats_empty_as_unset(&self, id: FieldId) -> bool {
        let Some(field) = self.fields.get(id) else {
            return false;
        };
        let Some(empty) = field.position(&FieldState::Empty) else {
            return false;
        };
        let Some(absent) = field.position(&FieldState::Absent) else {
            // If the default is the empty value, an absent field is empty.
            return field.default.is_some_and(is_empty);
        };
        let is_counted = |piece: &Constraint| match &piece.form {
            ConstraintForm::Cardinality(count) => count.fields.contains(&id),
            _ => false,
        };
        !self.constraints.iter().any(is_counted)
            && self
                .tables()
                .all(|(_, table)| table.treats_equally(id, absent, empty))
    }
}

/// Returns the fields that an object may omit, by their names in the form of `sort_key::plain`. If
/// several fields have the same plain name, the first is returned.
fn siblings(schema: &Map<String, Value>) -> BTreeMap<String, &str> {
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
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

fn piece(
    draft: ConstraintDraft,
    fields: &Fields<'_>,
    evaluator: &TermEvaluator<'_, '_>,
    rows_left: &mut usize,
) -> Constraint {
    let ConstraintDraft {
        rule,
        moved,
        named_fields: named,
        read_fields: read,
        form: says,
    } = draft;
    let says = match says {
        DraftForm::Transition => ConstraintForm::Transition,
        DraftForm::Cardinality(count) => ConstraintForm::Cardinality(count),
        DraftForm::Term(term) => {
            match TruthTable::build(evaluator, fields, &term, &named, *rows_left) {
                Ok(whole) => {
                    *rows_left -= whole.len();
                    let reduced = whole.without_irrelevant_fields(fields);
                    ConstraintForm::Table { whole, reduced }
                }
                Err(why) => ConstraintForm::Unknown(why),
            }
        }
    };
    Constraint {
        rule,
        moved,
        named_fields: named,
        read_fields: read,
        form: says,
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
                "oneOf" => Term::OneOf(keywords.list(entry)),
                "anyOf" => {
                    let none = Term::bool(false);
                    keywords.list(entry).into_iter().fold(none, Term::or)
                }
                "not" => keywords.object(entry).negated(),
                _ => keywords.object(entry),
            };
            let named = keywords.named_fields;
            let says = match one_of_cardinality(&term, fields) {
                Some(count) => DraftForm::Cardinality(count),
                None => DraftForm::Term(term),
            };
            drafts.push(ConstraintDraft {
                rule: rules.len(),
                moved: false,
                named_fields: named,
                read_fields: Vec::new(),
                form: says,
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

/// Returns the count that a `oneOf` is equivalent to, if each branch requires a different own
/// field.
fn one_of_cardinality(term: &Term, fields: &Fields<'_>) -> Option<CardinalityConstraint> {
    let Term::OneOf(branches) = term else {
        return None;
    };
    let named = branches
        .iter()
        .map(single_required_field)
        .collect::<Option<Vec<_>>>()?;
    let is_plain = named.iter().enumerate().all(|(position, id)| {
        let is_own = fields.get(*id).is_some_and(Field::is_own);
        is_own && named.iter().position(|other| other == id) == Some(position)
    });
    let allowed = (0..=named.len()).map(|count| count == 1).collect();
    is_plain.then_some(CardinalityConstraint {
        fields: named,
        allowed,
        null_is_set: true,
    })
}

/// Adds the rules of `minProperties` and `maxProperties`, if the object can have no other keys than
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
    let mut counted = Vec::new();
    for (keyword, bound) in [
        ("minProperties", bound("minProperties")),
        ("maxProperties", bound("maxProperties")),
    ] {
        let Some(bound) = bound else {
            continue;
        };
        if counted.is_empty() {
            let names = schema.get("properties").and_then(Value::as_object);
            let names = names.into_iter().flatten().map(|(name, _)| &**name);
            for name in names {
                counted.extend(fields.find(&[name], json_property));
            }
            for id in &counted {
                if let Some(field) = fields.get_mut(*id) {
                    field.usage.null = true;
                }
            }
        }
        let allowed = (0..=counted.len()).map(|count| {
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
            named_fields: counted.clone(),
            read_fields: Vec::new(),
            form: DraftForm::Cardinality(CardinalityConstraint {
                fields: counted.clone(),
                allowed: allowed.collect(),
                null_is_set: true,
            }),
        });
        rules.push(keyword_rule(
            pointer,
            if keyword == "minProperties" {
                "minProperties"
            } else {
                "maxProperties"
            },
            None,
            &Value::from(bound),
        ));
    }
}
