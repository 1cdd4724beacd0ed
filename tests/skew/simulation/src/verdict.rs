//! The verdict of a request: the stored object is compared with the intended object, without any
//! rules of unions.

use serde_json::{Value, json};
use union_compat::skew::IntentOutcome;
use union_runtime::Report;

use crate::api::{Member, object};
use crate::cell::Cell;
use crate::client::Intent;
use crate::server::Answer;

/// Returns the verdict of the request in a cell.
pub(crate) fn verdict(cell: Cell, answer: &Result<Answer, Report>) -> IntentOutcome {
    match answer {
        Err(_) => IntentOutcome::Refused,
        Ok(answer) if is_same(&answer.stored, &cell.wanted(), cell) => IntentOutcome::Honoured,
        Ok(_) => IntentOutcome::Lost,
    }
}

/// Returns true if two objects are equal. An absent discriminator is equal to `""`.
fn is_same(stored: &Value, wanted: &Value, cell: Cell) -> bool {
    let mut stored = stored.clone();
    if cell.column.union.is_discriminated() && stored["target"].get("type").is_none() {
        stored["target"]["type"] = json!("");
    }
    stored == *wanted
}

impl Cell {
    /// Returns the object that should be stored after the request.
    fn wanted(self) -> Value {
        let before = self.before();
        let with = |name| before.map(|member: Member| (member, name));
        let (keep, set) = match self.row.intent {
            Intent::Unchanged => (7, with("first")),
            Intent::EditElsewhere => (30, with("first")),
            Intent::EditMember => (7, with("second")),
            Intent::SetMember(member) | Intent::SwitchMember(member) => {
                (7, Some((member, "third")))
            }
            Intent::ClearMembers => (7, None),
        };
        object(keep, set, self.column.union)
    }
}
