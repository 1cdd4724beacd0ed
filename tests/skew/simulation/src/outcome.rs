//! The outcome of a request: the stored object is compared with the intended object, without any
//! rules of unions.

use serde_json::{Value, json};
use union_compat::skew::IntentOutcome;
use union_runtime::Report;

use crate::api::{Member, object};
use crate::cell::Cell;
use crate::client::Intent;
use crate::server::AcceptedRequest;

/// Returns the outcome of the intent in a cell.
pub(crate) fn outcome_of_intent(
    cell: Cell,
    result: &Result<AcceptedRequest, Report>,
) -> IntentOutcome {
    match result {
        Err(_) => IntentOutcome::Rejected,
        Ok(accepted) if is_same(&accepted.stored, &cell.expected_object(), cell) => {
            IntentOutcome::Honoured
        }
        Ok(_) => IntentOutcome::Lost,
    }
}

/// Returns true if two objects are equal. An absent discriminator is equal to `""`.
fn is_same(stored: &Value, expected: &Value, cell: Cell) -> bool {
    let mut stored = stored.clone();
    if cell.column.union.is_discriminated() && stored["target"].get("type").is_none() {
        stored["target"]["type"] = json!("");
    }
    stored == *expected
}

impl Cell {
    /// Returns the object that should be stored after the request.
    fn expected_object(self) -> Value {
        let stored_member = self.stored_member();
        let with_content = |name| stored_member.map(|member: Member| (member, name));
        let (keep, set) = match self.row.intent {
            Intent::Unchanged => (7, with_content("first")),
            Intent::EditElsewhere => (30, with_content("first")),
            Intent::EditMember => (7, with_content("second")),
            Intent::SetMember(member) | Intent::SwitchMember(member) => {
                (7, Some((member, "third")))
            }
            Intent::ClearMembers => (7, None),
        };
        object(keep, set, self.column.union)
    }
}
