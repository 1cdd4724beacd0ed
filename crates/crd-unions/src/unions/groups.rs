//! Groups: unions without a discriminator, which are cliques of mutually exclusive fields.

use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::{ConstraintForm, Model};
use crate::terms::fields::FieldId;
use crate::unions::discriminated::DiscriminatorCandidate;
use crate::unions::exclusions::{
    AlternativeFieldIds, are_exclusive, exclusion_pairs, find_alternatives,
};

/// The maximum number of steps of the search for the largest clique. The time of the search may
/// grow exponentially with the number of fields.
const MAX_STEPS: u32 = 10_000;

/// Fields of which at most one can be set.
pub(crate) struct Group {
    pub(crate) members: Vec<FieldId>,
    /// True if one of the fields must be set.
    pub(crate) needs_one: bool,
}

/// The groups of a component, and the exclusions outside the groups.
#[derive(Default)]
pub(crate) struct Groups {
    pub(crate) list: Vec<Group>,
    /// True if exclusions overlap and contain no group.
    pub(crate) has_overlap: bool,
    /// True if fields of a group also exclude fields outside the group.
    pub(crate) has_further_exclusions: bool,
    /// The exclusions outside the groups and the alternatives.
    pub(crate) pairs: Vec<[FieldId; 2]>,
    pub(crate) alternatives: Vec<AlternativeFieldIds>,
}

/// Returns the groups of a component, and the exclusions that form no group.
pub(crate) fn find_groups(
    model: &Model<'_>,
    component: &mut RuleComponent,
    candidates: &[DiscriminatorCandidate],
) -> Groups {
    let fields = optional_fields(model, component);
    let exclusions = exclusion_matrix(&fields, component, candidates);
    let mut groups = Groups::default();
    for connected in connected_components(&exclusions) {
        let members = if is_clique(&connected, &exclusions) {
            Some(connected)
        } else {
            let largest_group = largest_clique(&connected, &exclusions);
            groups.has_overlap |= largest_group.is_none();
            groups.has_further_exclusions |= largest_group.is_some();
            let group = largest_group.as_deref().unwrap_or_default();
            match find_alternatives(&connected, &exclusions, &fields, component)
                .filter(|_| group.is_empty())
            {
                Some(alternatives) => groups.alternatives.push(alternatives),
                None => {
                    groups
                        .pairs
                        .extend(exclusion_pairs(&connected, &exclusions, group, &fields));
                }
            }
            largest_group
        };
        if let Some(members) = members {
            let members: Vec<FieldId> = members
                .into_iter()
                .filter_map(|position| fields.get(position).copied())
                .collect();
            let all_unset: Vec<(FieldId, Assumption)> = members
                .iter()
                .map(|field| (*field, Assumption::Unset))
                .collect();
            let needs_one = !component.is_possible(&all_unset);
            groups.list.push(Group { members, needs_one });
        }
    }
    let single_groups = single_member_groups(model, component, &groups.list);
    groups.list.extend(single_groups);
    groups
}

/// Returns the own fields that may be set and may be unset.
fn optional_fields(model: &Model<'_>, component: &mut RuleComponent) -> Vec<FieldId> {
    let mut fields = component.own_fields(model);
    fields.retain(|field| {
        component.is_possible(&[(*field, Assumption::Set)])
            && component.is_possible(&[(*field, Assumption::Unset)])
    });
    fields
}

/// Returns a matrix of the fields that cannot be set together. Fields that a discriminator
/// separates by their values do not count.
fn exclusion_matrix(
    fields: &[FieldId],
    component: &mut RuleComponent,
    candidates: &[DiscriminatorCandidate],
) -> Vec<Vec<bool>> {
    let mut exclusions = vec![vec![false; fields.len()]; fields.len()];
    for (row, first_field) in fields.iter().enumerate() {
        for (column, second_field) in fields.iter().enumerate().skip(row + 1) {
            let both_set = [
                (*first_field, Assumption::Set),
                (*second_field, Assumption::Set),
            ];
            if component.is_possible(&both_set)
                || are_separated_by_discriminator(*first_field, *second_field, candidates)
            {
                continue;
            }
            for (row, column) in [(row, column), (column, row)] {
                let flags = exclusions.get_mut(row);
                if let Some(flag) = flags.and_then(|flags| flags.get_mut(column)) {
                    *flag = true;
                }
            }
        }
    }
    exclusions
}

/// Returns true if some discriminator allows the two fields only in different states.
fn are_separated_by_discriminator(
    first_field: FieldId,
    second_field: FieldId,
    candidates: &[DiscriminatorCandidate],
) -> bool {
    candidates.iter().any(|candidate| {
        let settable_by_state = |field: FieldId| {
            let mut settabilities = candidate.settabilities.iter();
            let settability = settabilities.find(|settability| settability.field == field)?;
            Some(&settability.may_be_set)
        };
        let (Some(first_flags), Some(second_flags)) = (
            settable_by_state(first_field),
            settable_by_state(second_field),
        ) else {
            return false;
        };
        let mut flags = first_flags.iter().zip(second_flags);
        !flags.any(|(first_settable, second_settable)| *first_settable && *second_settable)
    })
}

/// Returns the connected components of exclusions that have more than one field.
fn connected_components(exclusions: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let mut components = Vec::new();
    let mut visited = vec![false; exclusions.len()];
    for start in 0..exclusions.len() {
        let mut connected = Vec::new();
        let mut stack = vec![start];
        while let Some(field) = stack.pop() {
            let Some(visited) = visited.get_mut(field).filter(|visited| !**visited) else {
                continue;
            };
            *visited = true;
            connected.push(field);
            stack.extend(
                (0..exclusions.len()).filter(|other| are_exclusive(exclusions, field, *other)),
            );
        }
        if connected.len() > 1 {
            connected.sort_unstable();
            components.push(connected);
        }
    }
    components
}

fn is_clique(connected: &[usize], exclusions: &[Vec<bool>]) -> bool {
    let mut pairs = connected.iter().enumerate();
    pairs.all(|(position, field)| {
        let mut later_fields = connected.iter().skip(position + 1);
        later_fields.all(|other_field| are_exclusive(exclusions, *field, *other_field))
    })
}

/// Returns the largest set of fields that all exclude each other. Returns `None` if another set is
/// as large, or if the set has only two fields, because each such pair overlaps with another pair.
fn largest_clique(connected: &[usize], exclusions: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut search = CliqueSearch {
        exclusions,
        largest: Vec::new(),
        is_unique: true,
        steps_left: MAX_STEPS,
    };
    search.enumerate_cliques(&mut Vec::new(), connected.to_vec(), Vec::new())?;
    (search.largest.len() >= 3 && search.is_unique).then_some(search.largest)
}

/// The state of a search for the largest clique.
struct CliqueSearch<'e> {
    exclusions: &'e [Vec<bool>],
    /// The largest clique so far.
    largest: Vec<usize>,
    /// True if no other clique is as large.
    is_unique: bool,
    steps_left: u32,
}

impl CliqueSearch<'_> {
    /// Enumerates the maximal cliques by the Bron-Kerbosch algorithm with pivoting, and keeps the
    /// largest. The recursion is as deep as the largest clique. Returns `None` if the search takes
    /// too many steps.
    fn enumerate_cliques(
        &mut self,
        clique: &mut Vec<usize>,
        mut candidates: Vec<usize>,
        mut visited: Vec<usize>,
    ) -> Option<()> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        if candidates.is_empty() {
            if visited.is_empty() && clique.len() >= self.largest.len() {
                self.is_unique = clique.len() > self.largest.len();
                self.largest.clone_from(clique);
                self.largest.sort_unstable();
            }
            return Some(());
        }
        let exclusions = self.exclusions;
        let neighbors = |node: usize, nodes: &[usize]| -> Vec<usize> {
            nodes
                .iter()
                .copied()
                .filter(|other| are_exclusive(exclusions, node, *other))
                .collect()
        };
        let pivot = candidates
            .iter()
            .chain(&visited)
            .max_by_key(|node| neighbors(**node, &candidates).len());
        let pivot = pivot.copied()?;
        let pivot_neighbors = neighbors(pivot, &candidates);
        let expanded_nodes: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|node| !pivot_neighbors.contains(node))
            .collect();
        for node in expanded_nodes {
            let inner_candidates = neighbors(node, &candidates);
            let inner_visited = neighbors(node, &visited);
            clique.push(node);
            self.enumerate_cliques(clique, inner_candidates, inner_visited)?;
            clique.pop();
            candidates.retain(|other| *other != node);
            visited.push(node);
        }
        Some(())
    }
}

/// Returns a group for each single field that a count or a `oneOf` requires.
fn single_member_groups(
    model: &Model<'_>,
    component: &mut RuleComponent,
    groups: &[Group],
) -> Vec<Group> {
    let constraints = component.constraints.clone();
    let mut may_be_unset = |field| component.is_possible(&[(field, Assumption::Unset)]);
    let constraints = constraints
        .iter()
        .filter_map(|constraint| model.constraints.get(*constraint));
    let singles = constraints.filter_map(|constraint| {
        let keyword = model.rules.get(constraint.rule)?.keyword;
        let [field] = constraint.form.fields() else {
            return None;
        };
        let requires_field = match &constraint.form {
            ConstraintForm::Cardinality(cardinality) => {
                let counts_properties = matches!(keyword, "minProperties" | "maxProperties");
                cardinality.allowed == [false, true] && !counts_properties
            }
            ConstraintForm::Table { .. } => keyword == "oneOf" && !may_be_unset(*field),
            ConstraintForm::Unknown(_) | ConstraintForm::Transition => false,
        };
        requires_field.then_some(*field)
    });
    let mut single_groups: Vec<Group> = Vec::new();
    for field in singles {
        let is_known = groups
            .iter()
            .chain(&single_groups)
            .any(|group| group.members.contains(&field));
        if !is_known {
            single_groups.push(Group {
                members: vec![field],
                needs_one: true,
            });
        }
    }
    single_groups
}
