//! The objects of unions, with the results of both versions.

use serde_json::Value;

use crate::judge::error_place::ErrorPlace;
use crate::judge::judge::{Judge, StoredResult};
use crate::version::version_side::VersionSide;
use crate::world::enclosing_object::EnclosingObject;
use crate::world::state_search::StateSearch;

/// An object, and the results of both versions for it.
pub(crate) struct ComparedObject {
    pub(crate) object: Value,
    pub(crate) old_result: StoredResult,
    pub(crate) new_result: StoredResult,
    /// The object that contains the object, if a search found both together.
    own_enclosing: Option<EnclosingObject>,
}

impl ComparedObject {
    pub(crate) fn new(judge: &Judge<'_>, object: &Value) -> Self {
        let [old_result, new_result] = VersionSide::BOTH.map(|side| judge.create(side, object));
        Self {
            object: object.clone(),
            old_result,
            new_result,
            own_enclosing: None,
        }
    }

    /// Returns the object that a search found, with the object around it.
    fn found(judge: &Judge<'_>, enclosing: EnclosingObject) -> Self {
        let judge = Judge {
            enclosing: &enclosing,
            ..*judge
        };
        let compared = Self::new(&judge, enclosing.base_object());
        Self {
            own_enclosing: Some(enclosing),
            ..compared
        }
    }

    pub(crate) const fn result(&self, side: VersionSide) -> &StoredResult {
        side.select([&self.old_result, &self.new_result])
    }

    /// Returns the parts of the schema of the version that does not accept the object.
    pub(crate) fn rejected_by(&self, accepting_side: VersionSide) -> &[ErrorPlace] {
        &self.result(accepting_side.other()).error_places
    }

    /// Returns the judge of requests for the object.
    pub(crate) fn judge<'j>(&'j self, judge: Judge<'j>) -> Judge<'j> {
        let own_enclosing = self.own_enclosing.as_ref();
        own_enclosing.map_or(judge, |enclosing| Judge { enclosing, ..judge })
    }

    /// Returns true if the earlier versions have the same difference, in their own enclosing object
    /// or in the enclosing object that a search found.
    pub(crate) fn is_known(
        &self,
        earlier_judge: &Judge<'_>,
        has_difference: impl Fn(&Judge<'_>, &Value) -> bool,
    ) -> bool {
        // An enclosing object without parents contains the validators of its own versions.
        let own_enclosing = self.own_enclosing.as_ref();
        let own_enclosing = own_enclosing.filter(|enclosing| !enclosing.is_without_parents());
        let own_judge = own_enclosing.map(|enclosing| Judge {
            enclosing,
            ..*earlier_judge
        });
        has_difference(earlier_judge, &self.object)
            || own_judge.is_some_and(|judge| has_difference(&judge, &self.object))
    }

    /// Returns the versions that accept the state of the unions, if no version stores the object.
    fn sides_to_search(&self) -> Vec<VersionSide> {
        let is_stored = |side: &VersionSide| self.result(*side).is_stored_in_full();
        if VersionSide::BOTH.iter().any(is_stored) {
            return Vec::new();
        }
        let accepts_state = |side: &VersionSide| {
            let decisions = &self.result(*side).decisions;
            decisions.server.is_rejected() && !decisions.union.is_rejected()
        };
        VersionSide::BOTH
            .into_iter()
            .filter(accepts_state)
            .collect()
    }
}

/// Returns objects that a version accepts, for the states of the unions in which no version accepts
/// the object of the space: the rules require other fields, or other values of the members.
pub(crate) fn objects_with_required_fields(
    objects: &[ComparedObject],
    judge: &Judge<'_>,
    search: &StateSearch<'_>,
) -> Vec<ComparedObject> {
    let find = |sides: &[VersionSide], compared: &ComparedObject| {
        let enclosing = search.find(sides, &compared.object)?;
        Some(ComparedObject::found(judge, enclosing))
    };
    let states = objects.iter().map(|compared| {
        let sides = compared.sides_to_search();
        (compared, sides)
    });
    let (of_both, of_one): (Vec<_>, Vec<_>) = states
        .filter(|(_, sides)| !sides.is_empty())
        .partition(|(_, sides)| sides.len() > 1);
    // A state that only one version accepts is a difference in any case, so it comes first.
    let mut found_objects: Vec<ComparedObject> = of_one
        .iter()
        .filter_map(|(compared, sides)| find(sides, compared))
        .collect();
    let mut rejected_by_one = Vec::new();
    for (compared, sides) in of_both {
        // An object that both versions accept shows that they do not differ in this state.
        match find(&sides, compared) {
            Some(found) => found_objects.push(found),
            None => rejected_by_one.push((compared, sides)),
        }
    }
    for (compared, sides) in rejected_by_one {
        found_objects.extend(sides.iter().filter_map(|side| find(&[*side], compared)));
    }
    found_objects
}
