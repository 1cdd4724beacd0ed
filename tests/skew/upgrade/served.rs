//! Every request that version 1's server serves, to every other version.

use std::sync::LazyLock;

use crate::upgrade::case::{Case, cases};
use crate::upgrade::versions::Version;
use crate::upgrade::world::{CHECKS, Checks, Outcome, Stored};

/// One request to one server.
pub(crate) struct Cell {
    pub(crate) case: Case,
    pub(crate) version: Version,
    pub(crate) stored: Stored,
    pub(crate) checks: Checks,
}

/// What happened to every cell, with version 1's server and with the one of its version. Made once for all tests.
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
            let requests =
                [Stored::ByOne, Stored::ByTwo].map(|stored| (stored, case.ask(version, stored)));
            for checks in CHECKS {
                let before = case.outcome(Version::One, requests[0].1.as_ref(), checks);
                for (stored, request) in &requests {
                    let after = case.outcome(version, request.as_ref(), checks);
                    let cell = Cell {
                        case,
                        version,
                        stored: *stored,
                        checks,
                    };
                    outcomes.push((cell, [before, after]));
                }
            }
        }
    }
    outcomes
});

/// Shows every cell of a version whose request version 1's server, with the same checks, did serve, and what happens to it
/// now. Returns how many cells there were in all.
pub(crate) fn for_served(version: Version, mut see: impl FnMut(&Cell, Outcome)) -> usize {
    let cells = OUTCOMES.iter().filter(|(cell, _)| cell.version == version);
    let mut count = 0;
    for (cell, [before, after]) in cells {
        count += 1;
        if *before == Outcome::Honoured {
            see(cell, *after);
        }
    }
    count
}

pub(crate) fn describe(cell: &Cell) -> String {
    let Cell {
        case,
        version,
        stored,
        checks,
    } = cell;
    let Case {
        place,
        member,
        client,
        verb,
        want,
        other,
    } = case;
    let object = member.map_or("nothing", |member| place.members[member].0);
    let other = other.map_or("", |other| place.members[other].0);
    format!("{version:?} {stored:?} {object}: {client:?} {verb:?} {want:?} {other} {checks:?}")
}
