//! Constraints: a truth table with a row for each combination of states of its fields, or the
//! allowed numbers of set fields.

use crate::bounds::{TABLE_FIELDS, TABLE_ROWS};
use crate::terms::eval::TermEvaluator;
use crate::terms::fields::{FieldId, FieldState, Fields};
use crate::terms::term::Term;
use crate::terms::value::{TRUE, TruthSet};

/// The truth values of a rule for all combinations of states of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TruthTable {
    pub(crate) fields: Vec<FieldId>,
    /// The number of states of each field.
    sizes: Vec<usize>,
    /// The possible truth values of each row. The state of the last field changes fastest. Zero
    /// marks a row that no object can have.
    truths: Vec<TruthSet>,
}

/// The allowed numbers of set fields, among several fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardinalityConstraint {
    pub(crate) fields: Vec<FieldId>,
    /// True for each allowed number of set fields, from zero to all.
    pub(crate) allowed: Vec<bool>,
    /// True if a key with the value null counts as set.
    pub(crate) null_is_set: bool,
}

impl TruthTable {
    /// Builds the table of a rule, or returns the reason why the rule has no table.
    pub(crate) fn build(
        evaluator: &TermEvaluator<'_, '_>,
        fields: &Fields<'_>,
        term: &Term,
        field_ids: &[FieldId],
        rows_left: usize,
    ) -> Result<Self, &'static str> {
        if field_ids.len() > TABLE_FIELDS {
            return Err("it reads too many fields");
        }
        // The fields are sorted, so that equivalent rules have the same table.
        let mut field_ids = field_ids.to_vec();
        field_ids.sort_unstable();
        let sizes: Vec<usize> = field_ids
            .iter()
            .map(|field| fields.states(*field).len())
            .collect();
        let row_count = sizes
            .iter()
            .try_fold(1_usize, |product, size| product.checked_mul(*size));
        let row_count = row_count.filter(|row_count| *row_count <= TABLE_ROWS.min(rows_left));
        let row_count = row_count.ok_or("its fields have too many combined states")?;
        let mut table = Self {
            fields: field_ids.clone(),
            sizes,
            truths: Vec::with_capacity(row_count),
        };
        let mut states = vec![0; fields.list.len()];
        for row in 0..row_count {
            for (field, state) in field_ids.iter().zip(table.states(row)) {
                if let Some(slot) = states.get_mut(*field) {
                    *slot = state;
                }
            }
            let is_consistent = field_ids
                .iter()
                .all(|field| is_consistent(fields, *field, &states));
            let truth = if is_consistent {
                evaluator.truth(term, &states)
            } else {
                0
            };
            table.truths.push(truth);
        }
        if evaluator.steps_left() == 0 {
            return Err("evaluating it takes too long");
        }
        Ok(table)
    }

    /// Returns the states of a row, field by field.
    pub(crate) fn states(&self, row: usize) -> Vec<u8> {
        let mut remaining_index = row;
        let mut states: Vec<u8> = self
            .sizes
            .iter()
            .rev()
            .map(|size| {
                // A field has at most 256 states.
                let state = u8::try_from(remaining_index % size.max(&1)).unwrap_or_default();
                remaining_index /= size.max(&1);
                state
            })
            .collect();
        states.reverse();
        states
    }

    pub(crate) const fn len(&self) -> usize {
        self.truths.len()
    }

    pub(crate) fn truth(&self, row: usize) -> TruthSet {
        self.truths.get(row).copied().unwrap_or_default()
    }

    /// Returns true if the table rejects no object.
    pub(crate) fn is_trivial(&self) -> bool {
        self.truths
            .iter()
            .all(|truth| *truth == 0 || truth & TRUE != 0)
    }

    /// Returns true if the table accepts no object.
    pub(crate) fn is_unsatisfiable(&self) -> bool {
        self.truths.iter().all(|truth| truth & TRUE == 0)
    }

    /// Returns the distance between the rows of two consecutive states of a field.
    pub(crate) fn stride(&self, position: usize) -> usize {
        self.sizes.iter().skip(position + 1).product()
    }

    pub(crate) fn size(&self, position: usize) -> usize {
        self.sizes.get(position).copied().unwrap_or_default()
    }

    pub(crate) fn position(&self, field: FieldId) -> Option<usize> {
        self.fields.iter().position(|other| *other == field)
    }

    /// Returns the rows in which a field is in its first state. The rows for its other states are
    /// strides away.
    pub(crate) fn base_rows(&self, position: usize) -> impl Iterator<Item = usize> + use<> {
        let (stride, size) = (self.stride(position).max(1), self.size(position).max(1));
        (0..self.truths.len()).filter(move |row| row / stride % size == 0)
    }

    /// Returns true if the table allows the same objects in two states of a field.
    pub(crate) fn treats_equally(
        &self,
        field: FieldId,
        first_state: usize,
        second_state: usize,
    ) -> bool {
        let Some(position) = self.position(field) else {
            return true;
        };
        let stride = self.stride(position);
        self.base_rows(position).all(|base| {
            let truths = [first_state, second_state].map(|state| self.truth(base + state * stride));
            truths.contains(&0) || truths[0] & TRUE == truths[1] & TRUE
        })
    }

    /// Returns the table without fields that do not affect which objects are allowed. Deeper
    /// fields are removed first.
    pub(crate) fn without_irrelevant_fields(&self, fields: &Fields<'_>) -> Self {
        let depth = |field: &FieldId| fields.get(*field).map_or(0, |field| field.path.len());
        let mut removal_order = self.fields.clone();
        removal_order.sort_by_key(|field| std::cmp::Reverse(depth(field)));
        let mut table = self.clone();
        for field in removal_order {
            if let Some(position) = table.position(field)
                && let Some(smaller_table) = table.without_field(position)
            {
                table = smaller_table;
            }
        }
        table
    }

    /// Returns the table without the field at a position. Returns `None` if the field affects which
    /// objects are allowed.
    fn without_field(&self, position: usize) -> Option<Self> {
        let (stride, size) = (self.stride(position), self.size(position));
        let mut truths = Vec::with_capacity(self.truths.len() / size.max(1));
        for base in self.base_rows(position) {
            let possible_truths = (0..size)
                .map(|state| self.truth(base + state * stride))
                .filter(|truth| *truth != 0);
            let mut merged_truth = 0;
            let mut allowed = None;
            for truth in possible_truths {
                let is_allowed = truth & TRUE != 0;
                if allowed.is_some_and(|allowed| allowed != is_allowed) {
                    return None;
                }
                allowed = Some(is_allowed);
                merged_truth |= truth;
            }
            truths.push(merged_truth);
        }
        let mut fields = self.fields.clone();
        let mut sizes = self.sizes.clone();
        fields.remove(position);
        sizes.remove(position);
        Some(Self {
            fields,
            sizes,
            truths,
        })
    }
}

/// Returns true if the state of a field is possible, given the state of its parent.
fn is_consistent(fields: &Fields<'_>, id: FieldId, states: &[u8]) -> bool {
    let Some(field) = fields.get(id) else {
        return true;
    };
    let state_of = |id: FieldId| {
        let index = states.get(id).copied().map(usize::from)?;
        fields.states(id).get(index)
    };
    let [.., parent, _] = &*field.chain else {
        return true;
    };
    let is_parent_present = state_of(*parent).is_some_and(FieldState::is_present);
    match state_of(id) {
        Some(FieldState::Absent) => !is_parent_present || field.is_optional(),
        _ => is_parent_present,
    }
}

impl CardinalityConstraint {
    /// Returns true if a field in the state counts as set.
    pub(crate) const fn counts_as_set(&self, state: &FieldState) -> bool {
        if self.null_is_set {
            !matches!(state, FieldState::Absent)
        } else {
            state.is_present()
        }
    }

    /// Returns true if all possible counts are allowed.
    pub(crate) fn is_trivial(&self, fields: &Fields<'_>) -> bool {
        let states = |field: &FieldId| fields.states(*field).iter();
        let always_set = self
            .fields
            .iter()
            .filter(|field| states(field).all(|state| self.counts_as_set(state)));
        let possibly_set = self
            .fields
            .iter()
            .filter(|field| states(field).any(|state| self.counts_as_set(state)));
        let (min_count, max_count) = (always_set.count(), possibly_set.count());
        let possible_counts = max_count + 1 - min_count.min(max_count);
        let mut possible = self.allowed.iter().skip(min_count).take(possible_counts);
        possible.all(|allowed| *allowed)
    }
}
