//! Comparison of rules with a union: the rules that the union can replace, and the rules that
//! require more.

use crate::solver::component::{is_active, set_states};
use crate::solver::model::{Model, Piece, Says};
use crate::solver::solver::Mask;
use crate::solver::table::{Count, Table};
use crate::terms::fields::{FieldId, State};
use crate::terms::value::TRUE;

/// A union, as far as the comparison needs it.
pub(crate) struct Shape {
    pub(crate) by: By,
    pub(crate) members: Vec<FieldId>,
}

/// The mechanism that selects the member that may be set.
pub(crate) enum By {
    /// The discriminator, and the requirement of each of its states. `None` is a state that the
    /// union rejects.
    Value {
        discriminator: FieldId,
        at: Vec<Option<At>>,
    },
    /// No discriminator. Exactly one member or at most one member is set.
    Group { needs_one: bool },
}

/// The requirement of a state of the discriminator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// No member is set.
    Nothing,
    /// Only this member may be set.
    Member { field: FieldId, optional: bool },
    /// At most one member may be set, because the discriminator follows the member.
    Any,
}

/// The rules that a union can replace, and the rules that require more.
pub(crate) struct Covered {
    pub(crate) stands_for: Vec<usize>,
    pub(crate) left_over: Vec<usize>,
}

impl Shape {
    fn discriminator(&self) -> Option<FieldId> {
        match &self.by {
            By::Value { discriminator, .. } => Some(*discriminator),
            By::Group { .. } => None,
        }
    }

    pub(crate) fn names(&self, field: FieldId) -> bool {
        self.discriminator() == Some(field) || self.members.contains(&field)
    }
}

/// The maximum number of rules without a valid expression that are listed with a union.
const UNREAD: usize = 16;

pub(crate) fn covered(model: &Model<'_>, shape: &Shape) -> Covered {
    let mut covered = Covered {
        stands_for: Vec::new(),
        left_over: Vec::new(),
    };
    let set: Vec<(FieldId, Mask)> = shape
        .members
        .iter()
        .map(|member| (*member, set_states(model, *member)))
        .collect();
    // A rule that is not an expression could be about any field.
    let unread = model.rules.iter().enumerate();
    let unread = unread
        .filter(|(rule, text)| text.unknown.is_some() && model.pieces_of(*rule).next().is_none());
    covered.left_over = unread.map(|(rule, _)| rule).take(UNREAD).collect();
    let mut fields = shape.members.clone();
    fields.extend(shape.discriminator());
    let pieces = model.pieces_about(&fields).into_iter();
    let mut rules: Vec<usize> = pieces.map(|piece| piece.rule).collect();
    rules.dedup();
    for rule in rules {
        let about = |piece: &&Piece| is_about(piece, shape, model);
        let pieces = || model.pieces_of(rule);
        if pieces()
            .filter(about)
            .any(|piece| !holds(piece, model, shape, &set))
        {
            covered.left_over.push(rule);
        } else if model.rules.get(rule).is_some_and(|rule| rule.whole)
            && pieces().any(|piece| about(&piece))
            && pieces().all(|piece| about(&piece) || is_empty_talk(piece, model))
        {
            covered.stands_for.push(rule);
        }
    }
    covered.left_over.sort_unstable();
    covered
}

/// Returns true if a part of a rule is about a field of the union.
fn is_about(piece: &Piece, shape: &Shape, model: &Model<'_>) -> bool {
    match &piece.says {
        Says::Transition => false,
        Says::Unknown(_) => piece.named.iter().any(|field| shape.names(*field)),
        says => {
            is_active(piece, &model.fields) && says.fields().iter().any(|field| shape.names(*field))
        }
    }
}

/// Returns true if a part of a rule holds for every object.
fn is_empty_talk(piece: &Piece, model: &Model<'_>) -> bool {
    match &piece.says {
        Says::Table { whole, .. } => {
            (0..whole.len()).all(|row| matches!(whole.truth(row), 0 | TRUE))
        }
        Says::Count(count) => count.is_trivial(&model.fields),
        Says::Unknown(_) | Says::Transition => false,
    }
}

/// Returns true if a part of a rule holds for every object that the union allows, whatever the
/// states of other fields are.
fn holds(piece: &Piece, model: &Model<'_>, shape: &Shape, set: &[(FieldId, Mask)]) -> bool {
    match &piece.says {
        Says::Table { reduced, .. } => {
            let rows = (0..reduced.len()).filter(|row| reduced.truth(*row) != 0);
            let mut allowed = rows.filter(|row| row_is_possible(reduced, *row, shape, set));
            allowed.all(|row| reduced.truth(row) == TRUE)
        }
        Says::Count(count) => {
            let (least, most) = count_is_possible(count, model, shape);
            (least..=most).all(|set| count.allowed.get(set) == Some(&true))
        }
        Says::Unknown(_) | Says::Transition => false,
    }
}

/// Returns true if the union allows an object whose fields have the states of a row.
fn row_is_possible(table: &Table, row: usize, shape: &Shape, set: &[(FieldId, Mask)]) -> bool {
    let states = table.states(row);
    let state = |field: FieldId| {
        let position = table.position(field)?;
        states.get(position).copied().map(usize::from)
    };
    // The members in the table, each with true if the member is set.
    let members: Vec<(FieldId, bool)> = set
        .iter()
        .filter_map(|(member, set)| Some((*member, set.has(state(*member)?))))
        .collect();
    let count = members.iter().filter(|(_, is_set)| *is_set).count();
    match &shape.by {
        By::Group { needs_one } => {
            let is_whole = members.len() == shape.members.len();
            count <= 1 && !(*needs_one && is_whole && count == 0)
        }
        By::Value { discriminator, at } => {
            let fits = |at: &Option<At>| match at {
                None => false,
                Some(At::Nothing) => count == 0,
                Some(At::Any) => count <= 1,
                Some(At::Member { field, optional }) => members.iter().all(|(member, is_set)| {
                    if member == field {
                        *is_set || *optional
                    } else {
                        !is_set
                    }
                }),
            };
            match state(*discriminator) {
                Some(state) => at.get(state).is_some_and(fits),
                None => at.iter().any(fits),
            }
        }
    }
}

/// Returns the minimum and the maximum number of counted fields that are set in an object that the
/// union allows.
fn count_is_possible(count: &Count, model: &Model<'_>, shape: &Shape) -> (usize, usize) {
    let states = |field: &FieldId| model.fields.states(*field).iter();
    let is_member = |field: &&FieldId| shape.members.contains(field);
    let others = || count.fields.iter().filter(|field| !is_member(field));
    let mut least = others()
        .filter(|field| states(field).all(|state| count.counts(state)))
        .count();
    let mut most = others()
        .filter(|field| states(field).any(|state| count.counts(state)))
        .count();
    let members: Vec<FieldId> = count.fields.iter().filter(is_member).copied().collect();
    let (fewest, all) = match &shape.by {
        By::Group { needs_one } => {
            let is_whole = members.len() == shape.members.len();
            (usize::from(*needs_one && is_whole), 1)
        }
        By::Value { at, .. } => {
            let needs = |at: &At| matches!(at, At::Member { field, optional: false } if members.contains(field));
            let needs_one = at.iter().flatten().all(needs);
            (usize::from(needs_one), 1)
        }
    };
    // A null member may be counted as set, but is unset in the union.
    let nulls = members
        .iter()
        .filter(|field| count.keys && states(field).any(|state| *state == State::Null))
        .count();
    least += fewest.min(members.len());
    most += (all + nulls).min(members.len());
    (least, most)
}
