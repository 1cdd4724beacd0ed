//! The rules of an object as tables and counts over the states of its fields.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::bounds::{ALL_ROWS, EVALUATION_STEPS};
use crate::report::reading::Rule;
use crate::solver::rank;
use crate::solver::table::{Count, Table};
use crate::terms::eval::Evaluator;
use crate::terms::fields::{Field, FieldId, Fields, State, json_property};
use crate::terms::gather::Part;
use crate::terms::keywords::{COMBINING, Keywords, is_closed, single};
use crate::terms::lower::{self, StrangeText};
use crate::terms::term::Term;

/// An object schema: its fields, and its rules as pieces.
pub(crate) struct Model<'s> {
    pub(crate) fields: Fields<'s>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) pieces: Vec<Piece>,
    /// The positions of the pieces of each rule.
    of_rule: Vec<Vec<usize>>,
    /// The positions of the pieces that each field matters to. A piece without a known constraint
    /// is listed at each field that it names.
    of_field: Vec<Vec<usize>>,
    /// The fields that an object may omit, by their names in the form of `rank::plain`.
    siblings: BTreeMap<String, &'s str>,
    pub(crate) strange: Vec<StrangeText>,
    /// The number of evaluation steps that were taken.
    pub(crate) steps: u64,
}

/// A part of a rule about the object.
pub(crate) struct Piece {
    pub(crate) rule: usize,
    pub(crate) moved: bool,
    /// The fields that the part names, in the order of the part.
    pub(crate) named: Vec<FieldId>,
    /// The fields whose values the part reads.
    pub(crate) read: Vec<FieldId>,
    pub(crate) says: Says,
}

/// The constraint of a part of a rule.
pub(crate) enum Says {
    /// The table of the part as it is written, and the table without the fields that do not matter.
    Table {
        whole: Table,
        reduced: Table,
    },
    Count(Count),
    /// A part that is not understood, with the reason.
    Unknown(&'static str),
    /// A part that is also about the old object.
    Transition,
}

impl Says {
    /// Returns the fields that the constraint depends on.
    pub(crate) fn fields(&self) -> &[FieldId] {
        match self {
            Self::Table { reduced, .. } => &reduced.fields,
            Self::Count(count) => &count.fields,
            Self::Unknown(_) | Self::Transition => &[],
        }
    }
}

/// A piece before the states of fields are known.
struct Draft {
    rule: usize,
    moved: bool,
    named: Vec<FieldId>,
    read: Vec<FieldId>,
    says: DraftSays,
}

enum DraftSays {
    Term(Term),
    Count(Count),
    Transition,
}

impl<'s> Model<'s> {
    pub(crate) fn new(
        schema: &'s Map<String, Value>,
        pointer: &str,
        parts: &[Part<'_>],
        mut rules: Vec<Rule>,
        steps_left: u64,
    ) -> Self {
        let mut fields = Fields::new(schema);
        let mut strange = Vec::new();
        let mut drafts = Vec::new();
        for part in parts {
            let lowered = lower::lower(part, &mut fields);
            strange.extend(lowered.strange);
            let says = if lowered.is_transition {
                DraftSays::Transition
            } else {
                match lower::count(&lowered.term).filter(|(counted, _)| {
                    counted
                        .iter()
                        .all(|id| fields.get(*id).is_some_and(Field::is_own))
                }) {
                    Some((fields, allowed)) => DraftSays::Count(Count {
                        fields,
                        allowed,
                        keys: false,
                    }),
                    None => DraftSays::Term(lowered.term),
                }
            };
            drafts.push(Draft {
                rule: part.rule,
                moved: part.moved,
                named: lowered.named,
                read: lowered.read,
                says,
            });
        }
        combined(schema, pointer, &mut fields, &mut rules, &mut drafts);
        bounded(schema, pointer, &mut fields, &mut rules, &mut drafts);
        fields.split();
        let budget = EVALUATION_STEPS.min(steps_left);
        let evaluator = Evaluator::new(&fields, budget);
        let mut rows_left = ALL_ROWS;
        let pieces: Vec<Piece> = drafts
            .into_iter()
            .map(|draft| piece(draft, &fields, &evaluator, &mut rows_left))
            .collect();
        let steps = budget - evaluator.left();
        let mut model = Self {
            of_rule: vec![Vec::new(); rules.len()],
            of_field: vec![Vec::new(); fields.list.len()],
            fields,
            rules,
            pieces,
            siblings: siblings(schema),
            strange,
            steps,
        };
        model.index();
        model.note_unknown();
        model
    }

    fn index(&mut self) {
        for (position, piece) in self.pieces.iter().enumerate() {
            if let Some(pieces) = self.of_rule.get_mut(piece.rule) {
                pieces.push(position);
            }
            let fields = match &piece.says {
                Says::Unknown(_) | Says::Transition => &piece.named,
                says => says.fields(),
            };
            for field in fields {
                if let Some(pieces) = self.of_field.get_mut(*field) {
                    pieces.push(position);
                }
            }
        }
    }

    fn note_unknown(&mut self) {
        for piece in &self.pieces {
            if let (Says::Unknown(why), Some(rule)) = (&piece.says, self.rules.get_mut(piece.rule))
            {
                rule.unknown = Some(why);
            }
        }
    }

    /// Returns the pieces of a rule.
    pub(crate) fn pieces_of(&self, rule: usize) -> impl Iterator<Item = &Piece> {
        let pieces = self.of_rule.get(rule).into_iter().flatten();
        pieces.filter_map(|piece| self.pieces.get(*piece))
    }

    /// Returns the pieces that any of the fields matters to, in order.
    pub(crate) fn pieces_about(&self, fields: &[FieldId]) -> Vec<&Piece> {
        let lists = fields.iter().filter_map(|field| self.of_field.get(*field));
        let mut pieces: Vec<usize> = lists.flatten().copied().collect();
        pieces.sort_unstable();
        pieces.dedup();
        let pieces = pieces.into_iter();
        pieces.filter_map(|piece| self.pieces.get(piece)).collect()
    }

    /// Returns the field that an object may omit and that is named like the value.
    pub(crate) fn sibling(&self, value: &str) -> Option<&'s str> {
        self.siblings.get(&rank::plain(value)).copied()
    }

    /// Returns the tables of the rules as they are written, with their pieces.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&Piece, &Table)> {
        self.pieces.iter().filter_map(|piece| match &piece.says {
            Says::Table { whole, .. } => Some((piece, whole)),
            _ => None,
        })
    }

    /// Returns true if no rule distinguishes an empty field from an absent field: rules only check
    /// whether the field is empty, and do not read its value otherwise.
    pub(crate) fn empty_counts_as_unset(&self, id: FieldId) -> bool {
        let Some(field) = self.fields.get(id) else {
            return false;
        };
        let Some(empty) = field.position(&State::Empty) else {
            return false;
        };
        let Some(absent) = field.position(&State::Absent) else {
            // If the default is the empty value, an absent field is empty.
            return field.default.is_some_and(is_empty);
        };
        let is_counted = |piece: &Piece| match &piece.says {
            Says::Count(count) => count.fields.contains(&id),
            _ => false,
        };
        !self.pieces.iter().any(is_counted)
            && self
                .tables()
                .all(|(_, table)| table.takes_alike(id, absent, empty))
    }
}

/// Returns the fields that an object may omit, by their names in the form of `rank::plain`. If
/// several fields have the same plain name, the first is returned.
fn siblings(schema: &Map<String, Value>) -> BTreeMap<String, &str> {
    let mut siblings = BTreeMap::new();
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.is_some_and(|names| names.iter().any(|other| other == name));
        if !is_required && property.get("default").is_none() {
            siblings.entry(rank::plain(name)).or_insert(&**name);
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
    draft: Draft,
    fields: &Fields<'_>,
    evaluator: &Evaluator<'_, '_>,
    rows_left: &mut usize,
) -> Piece {
    let Draft {
        rule,
        moved,
        named,
        read,
        says,
    } = draft;
    let says = match says {
        DraftSays::Transition => Says::Transition,
        DraftSays::Count(count) => Says::Count(count),
        DraftSays::Term(term) => match Table::build(evaluator, fields, &term, &named, *rows_left) {
            Ok(whole) => {
                *rows_left -= whole.len();
                let reduced = whole.reduced(fields);
                Says::Table { whole, reduced }
            }
            Err(why) => Says::Unknown(why),
        },
    };
    Piece {
        rule,
        moved,
        named,
        read,
        says,
    }
}

/// Adds the rules of `oneOf`, `anyOf`, `allOf` and `not`.
fn combined<'s>(
    schema: &'s Map<String, Value>,
    pointer: &str,
    fields: &mut Fields<'s>,
    rules: &mut Vec<Rule>,
    drafts: &mut Vec<Draft>,
) {
    for keyword in COMBINING {
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
            let mut keywords = Keywords {
                fields,
                named: Vec::new(),
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
            let named = keywords.named;
            let says = match singles(&term, fields) {
                Some(count) => DraftSays::Count(count),
                None => DraftSays::Term(term),
            };
            drafts.push(Draft {
                rule: rules.len(),
                moved: false,
                named,
                read: Vec::new(),
                says,
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
        text: value.to_string(),
        message: None,
        whole: true,
        unknown: None,
    }
}

/// Returns the count that a `oneOf` is equivalent to, if each branch requires a different own
/// field.
fn singles(term: &Term, fields: &Fields<'_>) -> Option<Count> {
    let Term::OneOf(branches) = term else {
        return None;
    };
    let named = branches.iter().map(single).collect::<Option<Vec<_>>>()?;
    let is_plain = named.iter().enumerate().all(|(position, id)| {
        let is_own = fields.get(*id).is_some_and(Field::is_own);
        is_own && named.iter().position(|other| other == id) == Some(position)
    });
    let allowed = (0..=named.len()).map(|count| count == 1).collect();
    is_plain.then_some(Count {
        fields: named,
        allowed,
        keys: true,
    })
}

/// Adds the rules of `minProperties` and `maxProperties`, if the object can have no other keys than
/// its properties.
fn bounded<'s>(
    schema: &'s Map<String, Value>,
    pointer: &str,
    fields: &mut Fields<'s>,
    rules: &mut Vec<Rule>,
    drafts: &mut Vec<Draft>,
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
                    field.asks.null = true;
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
        drafts.push(Draft {
            rule: rules.len(),
            moved: false,
            named: counted.clone(),
            read: Vec::new(),
            says: DraftSays::Count(Count {
                fields: counted.clone(),
                allowed: allowed.collect(),
                keys: true,
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
