//! The requests that a server of version 1 honoured, and whose outcome an upgrade changes.
//!
//! Each row has the cells, their number, their outcome and the reason. All other requests are still
//! honoured.

use crate::upgrade::served::Cell;
use crate::upgrade::world::{Checks, Intent, Outcome};

/// A set of cells whose outcome an upgrade changes.
pub(crate) struct Difference {
    /// The pattern of the cells: version | stored | client | verb | place of the union | intent |
    /// checks. `*` matches any value, and `On` matches all checks but `Disabled`.
    ///
    /// If no member is set, no row covers `Echo` and `EditElsewhere`.
    pub(crate) cells: &'static str,
    pub(crate) count: usize,
    pub(crate) outcome: Outcome,
    /// The reason for the outcome. It begins with `LIMIT` if the change is lost without an error,
    /// which is a limit of the model.
    pub(crate) reason: &'static str,
}

impl Difference {
    pub(crate) fn covers(&self, cell: &Cell) -> bool {
        let Cell {
            case,
            version,
            stored,
            checks,
        } = cell;
        if case.member.is_none() && matches!(case.intent, Intent::Echo | Intent::EditElsewhere) {
            return false;
        }
        let union_container = if case.union_path.pointer == "/state" {
            "Object"
        } else {
            "List"
        };
        let names = [
            format!("{version:?}"),
            format!("{stored:?}"),
            format!("{:?}", case.client),
            format!("{:?}", case.verb),
            union_container.to_owned(),
            format!("{:?}", case.intent),
            format!("{checks:?}"),
        ];
        let columns = self.cells.split('|');
        columns.zip(&names).all(|(column, name)| {
            column.split_whitespace().any(|value| match value {
                "*" => true,
                "On" => *checks != Checks::Disabled,
                value => value == name,
            })
        })
    }
}

const MEMBER_WITHOUT_DISCRIMINATOR: &str = "a member is set, and the discriminator is missing; version 1 stored the member, and the \
    error is not tolerated until a client of version 2 selects the member, or a server with `deduce` sets the discriminator";
const DISCRIMINATOR_NOT_CHANGED: &str =
    "the client sets a member and does not change the discriminator, which takes precedence";
const STRUCT_CHANGED: &str =
    "the struct with the union changed, so `Unchanged` does not tolerate its errors";
const STALE_DISCRIMINATOR: &str =
    "the client does not know the discriminator, so the discriminator still selects another member";
const DISCRIMINATOR_DROPPED: &str = "the client does not send the discriminator, so it is missing; the request is rejected, so no data \
    is lost";
const DISCRIMINATOR_DROPPED_WITHOUT_MEMBER: &str =
    "as above, but the stored object has no member that `\"\"` could clear";
const EMPTY_VALUE_SELECTED: &str = "LIMIT of `\"\"`: a request without the discriminator clears the union, and a client that does not \
    know the discriminator sends such requests. Do not add `\"\"` to the enum while such clients exist";
const COPY_CLEARED: &str = "LIMIT of `deduce` on creates (2019 text, \"Future Work\"): in a create, the discriminator counts as changed, \
    so it clears the member that was set in the copy";

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        cells: "Absent Empty | ByOne | One Unstructured | Replace MergePatch Apply ApplyOwning | * | Echo EditElsewhere SetAgain | NoRatchet",
        count: 528,
        outcome: Outcome::Rejected,
        reason: MEMBER_WITHOUT_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByOne | Two | Replace MergePatch Apply ApplyOwning | * | Echo EditElsewhere | NoRatchet",
        count: 176,
        outcome: Outcome::Rejected,
        reason: MEMBER_WITHOUT_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByOne | One Unstructured | Replace MergePatch Apply ApplyOwning | * | EditInside | NoRatchet Unchanged",
        count: 352,
        outcome: Outcome::Rejected,
        reason: STRUCT_CHANGED,
    },
    Difference {
        cells: "Absent Empty | ByOne | One Unstructured | Replace MergePatch | * | Set Switch Add | On",
        count: 2088,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_NOT_CHANGED,
    },
    Difference {
        cells: "Absent Empty | ByOne | One Unstructured | Apply ApplyOwning | * | Set Switch | On",
        count: 1176,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_NOT_CHANGED,
    },
    Difference {
        cells: "Absent Empty | ByOne | One Unstructured | Create | * | Echo EditElsewhere SetAgain EditInside Set Switch | On",
        count: 1116,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_NOT_CHANGED,
    },
    Difference {
        cells: "Absent Empty | ByOne | Two | Create | * | Echo EditElsewhere | On",
        count: 132,
        outcome: Outcome::Rejected,
        reason: MEMBER_WITHOUT_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByTwo | One | Apply | * | Set Switch Clear | On",
        count: 360,
        outcome: Outcome::Rejected,
        reason: STALE_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByTwo | One | MergePatch | Object | Set Switch Add Clear | On",
        count: 108,
        outcome: Outcome::Rejected,
        reason: STALE_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByTwo | Unstructured | Replace MergePatch | * | Set Switch Add Clear | On",
        count: 1176,
        outcome: Outcome::Rejected,
        reason: STALE_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByTwo | Unstructured | Create Apply | * | Set Switch Clear | On",
        count: 720,
        outcome: Outcome::Rejected,
        reason: STALE_DISCRIMINATOR,
    },
    Difference {
        cells: "Absent Empty | ByTwo | One | Create | * | Echo EditElsewhere SetAgain EditInside Set Switch | On",
        count: 558,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED,
    },
    Difference {
        cells: "Absent | ByTwo | One | Replace | * | Echo EditElsewhere SetAgain EditInside Set Switch Add | On",
        count: 393,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED,
    },
    Difference {
        cells: "Absent | ByTwo | One | MergePatch | List | EditInside Set Switch Add | On",
        count: 240,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED,
    },
    Difference {
        cells: "Absent | ByTwo | One Unstructured | ApplyOwning | * | Echo EditElsewhere SetAgain EditInside Set Switch | On",
        count: 558,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED,
    },
    Difference {
        cells: "Empty | ByTwo | One | Replace | * | Echo EditElsewhere SetAgain EditInside Switch Add | On",
        count: 360,
        outcome: Outcome::Lost,
        reason: EMPTY_VALUE_SELECTED,
    },
    Difference {
        cells: "Empty | ByTwo | One | MergePatch | List | EditInside Switch Add | On",
        count: 216,
        outcome: Outcome::Lost,
        reason: EMPTY_VALUE_SELECTED,
    },
    Difference {
        cells: "Empty | ByTwo | One Unstructured | ApplyOwning | * | Echo EditElsewhere SetAgain EditInside Switch | On",
        count: 492,
        outcome: Outcome::Lost,
        reason: EMPTY_VALUE_SELECTED,
    },
    Difference {
        cells: "Empty | ByTwo | One | Replace ApplyOwning | * | Set | On",
        count: 66,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED_WITHOUT_MEMBER,
    },
    Difference {
        cells: "Empty | ByTwo | One | MergePatch | List | Set | On",
        count: 24,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED_WITHOUT_MEMBER,
    },
    Difference {
        cells: "Empty | ByTwo | Unstructured | ApplyOwning | * | Set | On",
        count: 33,
        outcome: Outcome::Rejected,
        reason: DISCRIMINATOR_DROPPED_WITHOUT_MEMBER,
    },
    Difference {
        cells: "Text Deduced | ByTwo | Unstructured | Create | * | Switch | On",
        count: 228,
        outcome: Outcome::Lost,
        reason: COPY_CLEARED,
    },
];
