//! Tests of the upgrade that KEP-1027 asks to prove ("Existing unions that don't have
//! discriminators do not break when upgraded"): servers of version 2 receive every request that a
//! server of version 1 honoured.

use crate::upgrade::case::cases;
use crate::upgrade::differences::DIFFERENCES;
use crate::upgrade::served::{describe, for_served};
use crate::upgrade::versions::Version;
use crate::upgrade::world::{CHECKS, Checks, Client, Intent, Outcome, Stored};

/// Compares every cell of a version with the table. Returns the numbers of all cells, of the cells
/// that version 1 honoured, and of the cells that the version honours too.
fn assert_only_known_differences(version: Version) -> (usize, usize, usize) {
    let (mut served_count, mut honoured_count) = (0, 0);
    let cell_count = for_served(version, |cell, outcome| {
        served_count += 1;
        let rows = DIFFERENCES.iter().filter(|row| row.covers(cell));
        let expected: Vec<Outcome> = rows.map(|row| row.outcome).collect();
        if outcome == Outcome::Honoured {
            honoured_count += 1;
            assert_eq!(
                expected,
                [],
                "the table says it differs: {}",
                describe(cell)
            );
        } else {
            assert_eq!(expected, [outcome], "{}", describe(cell));
        }
    });
    (cell_count, served_count, honoured_count)
}

/// The number of cells: 148 intended changes to the objects of three unions, 3 clients, 5 verbs, 2
/// origins of the stored object, and 4 kinds of checks.
const CELL_COUNT: usize = 148 * 3 * 5 * 2 * 4;

/// The number of cells that version 1 honours.
///
/// Version 1 honours all requests but those that add a second member (38 of the 148). It honours
/// such a request only with checks on, and only for replace and merge patch.
const SERVED_COUNT: usize = 110 * 3 * 5 * 2 * 4 + 38 * 3 * 2 * 2 * 3;

#[test]
fn an_optional_deduced_string_breaks_only_the_requests_of_the_table() {
    assert_eq!(
        assert_only_known_differences(Version::Text),
        (CELL_COUNT, SERVED_COUNT, SERVED_COUNT - 114)
    );
}

#[test]
fn an_optional_enum_type_that_follows_the_members_breaks_only_the_requests_of_the_table() {
    assert_eq!(
        assert_only_known_differences(Version::Deduced),
        (CELL_COUNT, SERVED_COUNT, SERVED_COUNT - 114)
    );
}

#[test]
fn a_selecting_discriminator_with_an_empty_value_breaks_only_the_requests_of_the_table() {
    assert_eq!(
        assert_only_known_differences(Version::Empty),
        (CELL_COUNT, SERVED_COUNT, SERVED_COUNT - 5436)
    );
}

#[test]
fn a_selecting_discriminator_that_may_be_absent_breaks_only_the_requests_of_the_table() {
    assert_eq!(
        assert_only_known_differences(Version::Absent),
        (CELL_COUNT, SERVED_COUNT, SERVED_COUNT - 5436)
    );
}

#[test]
fn every_row_of_the_table_has_its_number_of_cells() {
    let mut counts = vec![0; DIFFERENCES.len()];
    for version in [
        Version::Text,
        Version::Deduced,
        Version::Empty,
        Version::Absent,
    ] {
        for_served(version, |cell, _| {
            for (row, count) in DIFFERENCES.iter().zip(&mut counts) {
                *count += usize::from(row.covers(cell));
            }
        });
    }
    let expected: Vec<usize> = DIFFERENCES.iter().map(|row| row.count).collect();
    assert_eq!(counts, expected);
}

#[test]
fn silent_losses_are_limits_of_a_model_in_the_table() {
    for row in DIFFERENCES {
        let is_loss = row.outcome == Outcome::Lost;
        assert_eq!(row.reason.starts_with("LIMIT"), is_loss, "{}", row.cells);
    }
    let lost_rows = DIFFERENCES
        .iter()
        .filter(|row| row.outcome == Outcome::Lost);
    assert_eq!(lost_rows.map(|row| row.count).sum::<usize>(), 1068 + 228);
}

#[test]
fn with_checks_off_nothing_differs_and_two_members_are_never_stored() {
    for version in [
        Version::Text,
        Version::Deduced,
        Version::Empty,
        Version::Absent,
    ] {
        for_served(version, |cell, outcome| {
            if cell.checks == Checks::Disabled {
                assert_eq!(outcome, Outcome::Honoured, "{}", describe(cell));
            }
            assert_ne!(outcome, Outcome::Several, "{}", describe(cell));
        });
    }
}

#[test]
fn no_version_2_loses_an_object_of_version_1_silently() {
    let versions = [
        Version::Text,
        Version::Deduced,
        Version::Plain,
        Version::Empty,
        Version::Unsaid,
        Version::Absent,
    ];
    for version in versions {
        for_served(version, |cell, outcome| {
            if cell.stored == Stored::ByOne {
                assert_ne!(outcome, Outcome::Lost, "{}", describe(cell));
            }
        });
    }
}

#[test]
fn with_deduce_all_requests_for_objects_of_version_1_still_work() {
    for version in [Version::Text, Version::Deduced] {
        for_served(version, |cell, outcome| {
            if cell.stored == Stored::ByOne {
                assert_eq!(outcome, Outcome::Honoured, "{}", describe(cell));
            }
        });
    }
}

/// Checks the safe way to a discriminator that selects the member: a server with `deduce` first
/// writes every object, and every client is upgraded to version 2. Then all requests are still
/// honoured.
#[test]
fn after_a_server_with_deduce_a_selecting_discriminator_breaks_no_client_of_version_2() {
    for version in [Version::Empty, Version::Absent] {
        for_served(version, |cell, outcome| {
            if cell.stored == Stored::ByTwo && cell.case.client == Client::Two {
                assert_eq!(outcome, Outcome::Honoured, "{}", describe(cell));
            }
        });
    }
}

/// Checks that a server with `deduce` stores the objects that `ByTwo` assumes when a client writes
/// an object unchanged.
#[test]
fn a_server_with_deduce_gives_every_object_that_is_written_its_discriminator() {
    let mut written_count = 0;
    for case in cases()
        .into_iter()
        .filter(|case| case.intent == Intent::Echo)
    {
        for version in [Version::Text, Version::Deduced] {
            for checks in CHECKS
                .into_iter()
                .filter(|checks| *checks != Checks::Disabled)
            {
                let (stored, request) = case
                    .stored_and_request(version, Stored::ByOne)
                    .expect("every type can read the object");
                let stored_afterwards = case.serve(version, &stored, &request, checks);
                assert_eq!(stored_afterwards, Ok(case.object_stored_by(Stored::ByTwo)));
                written_count += 1;
            }
        }
    }
    // 14 objects, 3 clients, 5 verbs, 2 versions, and 3 kinds of checks.
    assert_eq!(written_count, 14 * 3 * 5 * 2 * 3);
}

/// Checks that the discriminator names the set member after every request, as long as checks are
/// on.
#[test]
fn with_deduce_the_discriminator_names_the_member_that_is_set_after_every_request() {
    let mut named_count = 0;
    for case in cases() {
        for version in [Version::Text, Version::Deduced] {
            for stored in [Stored::ByOne, Stored::ByTwo] {
                let (object, request) = case
                    .stored_and_request(version, stored)
                    .expect("every type can read the object");
                if let Ok(stored_afterwards) =
                    case.serve(version, &object, &request, Checks::NoRatchet)
                {
                    named_count += usize::from(case.assert_named_and_is_set(&stored_afterwards));
                }
            }
        }
    }
    assert_eq!(named_count, 6644);
}

/// Checks requests that work with handwritten validation, as the real servers of version 1 have,
/// which clear no members: all of them work with the unions of version 1 too.
#[test]
fn requests_that_handwritten_validation_accepts_are_accepted_with_unions() {
    let (mut handwritten_count, mut union_count) = (0, 0);
    for case in cases() {
        let request = case.stored_and_request(Version::Text, Stored::ByOne);
        // A server without checks represents handwritten validation: a stored object with several
        // members counts as not honoured.
        let handwritten_outcome = case.outcome(Version::One, request.as_ref(), Checks::Disabled);
        for checks in [Checks::SameReason, Checks::Unchanged, Checks::NoRatchet] {
            let outcome = case.outcome(Version::One, request.as_ref(), checks);
            handwritten_count += usize::from(handwritten_outcome == Outcome::Honoured);
            union_count += usize::from(outcome == Outcome::Honoured);
            assert!(
                handwritten_outcome != Outcome::Honoured || outcome == handwritten_outcome,
                "{:?}",
                case.intent
            );
        }
    }
    assert_eq!(handwritten_count, 110 * 3 * 5 * 3);
    assert_eq!(
        union_count,
        handwritten_count + 38 * 3 * 2 * 3,
        "members that are added clear the others"
    );
}

/// Checks a plain enum without a default: reading an object without the discriminator fails loudly,
/// even with checks off. Clients of version 2 are not counted, because they cannot read the objects
/// of version 1.
#[test]
fn a_plain_enum_rejects_objects_of_version_1_and_of_its_clients() {
    let (mut rejected, mut honoured) = (0, 0);
    for_served(Version::Plain, |cell, outcome| {
        let description = describe(cell);
        if cell.stored == Stored::ByOne {
            assert_eq!(outcome, Outcome::Rejected, "{description}");
        }
        match outcome {
            Outcome::Rejected => rejected += 1,
            Outcome::Honoured => honoured += 1,
            Outcome::Several | Outcome::Lost => panic!("{description}: {outcome:?}"),
        }
    });
    assert_eq!((rejected, honoured), (9484, 228));
}

/// Checks an enum type with `other` and a default that is not one of its values: the server reads
/// the objects of version 1, and rejects new objects without a discriminator. The default is
/// tolerated as long as no member is added.
#[test]
fn a_default_without_a_member_causes_no_silent_loss() {
    let mut rejected = 0;
    for_served(Version::Unsaid, |cell, outcome| match outcome {
        Outcome::Honoured => {}
        Outcome::Rejected => rejected += 1,
        Outcome::Several | Outcome::Lost => panic!("{}: {outcome:?}", describe(cell)),
    });
    assert_eq!(rejected, 7644);
}
