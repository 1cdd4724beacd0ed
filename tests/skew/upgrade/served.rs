//! Every request that a server of version 1 honours, sent to servers of every other version.

use std::sync::LazyLock;

use crate::upgrade::case::{Case, cases};
use crate::upgrade::versions::Version;
use crate::upgrade::world::{CHECKS, Checks, Outcome, Stored};

/// A request to a server: a case, the version and the checks of the server, and the origin of the
/// stored object.
pub(crate) struct Cell {
    pub(crate) case: Case,
    pub(crate) version: Version,
    pub(crate) stored: Stored,
    pub(crate) checks: Checks,
}

/// The outcomes of every cell, at a server of version 1 and at a server of the cell's version. All
/// tests share them.
static OUTCOMES: LazyLock<Vec<(Cell, [Outcome; 2])>> = LazyLock::new(|| {
    let versions = [
        Version::Text,
        Version::Deduced,
        Version::Plain,
        Version::Empty,
        Version::Unsaid,
        Version::Absent,
    ];
    let mut outcomes = Vec::new();
    for version in versions {
        for case in cases() {
            let requests = [Stored::ByOne, Stored::ByTwo]
                .map(|stored| (stored, case.stored_and_request(version, stored)));
            for checks in CHECKS {
                let outcome_of_version_1 =
                    case.outcome(Version::One, requests[0].1.as_ref(), checks);
                for (stored, request) in &requests {
                    let outcome = case.outcome(version, request.as_ref(), checks);
                    let cell = Cell {
                        case,
                        version,
                        stored: *stored,
                        checks,
                    };
                    outcomes.push((cell, [outcome_of_version_1, outcome]));
                }
            }
        }
    }
    outcomes
});

/// Calls `visit` with every cell of a version whose request a server of version 1 with the same
/// checks honoured, and with the outcome at a server of that version. Returns the number of all
/// cells of the version.
pub(crate) fn for_served(version: Version, mut visit: impl FnMut(&Cell, Outcome)) -> usize {
    let cells = OUTCOMES.iter().filter(|(cell, _)| cell.version == version);
    let mut cell_count = 0;
    for (cell, [outcome_of_version_1, outcome]) in cells {
        cell_count += 1;
        if *outcome_of_version_1 == Outcome::Honoured {
            visit(cell, *outcome);
        }
    }
    cell_count
}

pub(crate) fn describe(cell: &Cell) -> String {
    let Cell {
        case,
        version,
        stored,
        checks,
    } = cell;
    let Case {
        union_path,
        member,
        client,
        verb,
        intent,
        intended_member,
    } = case;
    let object = member.map_or("nothing", |member| union_path.members[member].0);
    let intended_member =
        intended_member.map_or("", |intended_member| union_path.members[intended_member].0);
    format!(
        "{version:?} {stored:?} {object}: {client:?} {verb:?} {intent:?} {intended_member} {checks:?}"
    )
}
