//! Tests of members that the server restores (`Settings::restore_unaware`), in the whole matrix and
//! in cases outside of it.

use serde_json::json;
use union_json::{SchemaSource, Unions};
use union_runtime::{RestoreUnaware, Settings};
use union_simulation::{Cell, Form, IntentOutcome, Matrix, Need, Server, Union, Version};

fn settings_with(restore: RestoreUnaware) -> Settings {
    Settings::default().restore_unaware(restore)
}

/// Returns the cells whose outcome the setting changes, with the outcomes before and after.
fn changes(restore: RestoreUnaware) -> Vec<(Cell, Option<IntentOutcome>, Option<IntentOutcome>)> {
    let default_matrix = Matrix::with_engine(Settings::default());
    let restoring_matrix = Matrix::with_engine(settings_with(restore));
    let outcome_before = |cell| {
        default_matrix
            .cells()
            .find(|(candidate, _)| *candidate == cell)
            .and_then(|(_, outcome)| outcome)
    };
    default_matrix
        .differences(&restoring_matrix)
        .map(|(cell, outcome_after)| (cell, outcome_before(cell), outcome_after))
        .collect()
}

/// Returns the cells of the cases 12 and 16 whose member is required.
fn cells_with_dropped_required_member() -> Vec<Cell> {
    let tape = Need::Required;
    let cells = Matrix::with_engine(Settings::default());
    let cells = cells
        .cells()
        .filter(|(_, outcome)| outcome.is_some())
        .map(|(cell, _)| cell);
    let drops = cells.filter(|cell| cell.drops_unaware());
    drops
        .filter(|cell| cell.column.union.form == Form::Discriminator { tape })
        .collect()
}

#[test]
fn no_member_is_restored_by_default() {
    assert_eq!(Settings::default().restore_unaware, RestoreUnaware::Off);
    assert_eq!(changes(RestoreUnaware::Off), []);
}

#[test]
fn with_required_the_cells_of_12_and_16_are_honoured_and_no_other_changes() {
    let cells = cells_with_dropped_required_member();
    assert_eq!(
        cells.len(),
        8,
        "replace and apply, echo and edit elsewhere, of two unions"
    );
    let expected = cells.into_iter().map(|cell| {
        (
            cell,
            Some(IntentOutcome::Rejected),
            Some(IntentOutcome::Honoured),
        )
    });
    assert_eq!(
        changes(RestoreUnaware::Required),
        expected.collect::<Vec<_>>()
    );
}

#[test]
fn with_all_only_the_limit_of_the_model_is_honoured_in_addition() {
    let changes = changes(RestoreUnaware::All);
    let (limit_cells, other_cells): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|(cell, ..)| cell.is_limit());
    assert_eq!(limit_cells.len(), 8);
    for (cell, outcome_before, outcome_after) in limit_cells {
        assert_eq!(
            (outcome_before, outcome_after),
            (Some(IntentOutcome::Lost), Some(IntentOutcome::Honoured)),
            "{cell:?}"
        );
    }
    let other_cells: Vec<Cell> = other_cells.into_iter().map(|(cell, ..)| cell).collect();
    assert_eq!(other_cells, cells_with_dropped_required_member());
    let restoring_matrix = Matrix::with_engine(settings_with(RestoreUnaware::All));
    let lost_cells = restoring_matrix
        .cells_of(IntentOutcome::Lost)
        .filter(|cell| cell.column.union.is_discriminated());
    assert_eq!(
        lost_cells.count(),
        0,
        "with a discriminator nothing is lost at all"
    );
}

#[test]
fn restored_members_are_the_only_changes() {
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let mut count = 0;
        let cells = Matrix::with_engine(settings_with(restore));
        for (cell, _) in cells.cells().filter(|(_, outcome)| outcome.is_some()) {
            let server = Server::new(
                cell.column.server,
                cell.column.union,
                settings_with(restore),
            );
            let Ok(accepted) = server.handle(cell.stored_object().as_ref(), &cell.request()) else {
                continue;
            };
            let restored: Vec<&str> = accepted
                .report
                .changes()
                .restored()
                .map(AsRef::as_ref)
                .collect();
            if restored.is_empty() {
                continue;
            }
            count += 1;
            assert!(cell.drops_unaware(), "{cell:?}");
            assert_eq!(restored, ["target.tape"], "{cell:?}");
            assert_eq!(accepted.report.changes().len(), 1, "{cell:?}");
        }
        let expected = match restore {
            RestoreUnaware::Required => 8,
            RestoreUnaware::All => 16,
            _ => 0,
        };
        assert_eq!(count, expected, "{restore:?}");
    }
}

/// Checks the cost of `All`, which `Required` does not have: a client that knows an optional member
/// and wants to unset it without selecting another value sends the same request as an unaware
/// client.
#[test]
fn with_all_an_aware_client_cannot_unset_an_optional_member_and_keep_it_selected() {
    let tape = Need::Optional;
    let union = Union {
        need: Need::Required,
        form: Form::Discriminator { tape },
    };
    let stored_object = json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}});
    let object_without_member = json!({"keep": 7, "target": {"type": "Tape"}});
    let request = union_simulation::Request::Replace(object_without_member.clone());
    for restore in [RestoreUnaware::Off, RestoreUnaware::Required] {
        let server = Server::new(Version::Newer, union, settings_with(restore));
        let accepted = server
            .handle(Some(&stored_object), &request)
            .expect("an optional member may be unset");
        assert_eq!(accepted.stored, object_without_member);
    }
    let server = Server::new(Version::Newer, union, settings_with(RestoreUnaware::All));
    let accepted = server
        .handle(Some(&stored_object), &request)
        .expect("a valid value");
    assert_eq!(accepted.stored, stored_object);
    assert_eq!(
        accepted.report.changes().to_string(),
        "target.tape: restored"
    );
}

/// Checks that a member is only restored from the correlated object: elements of a list of type map
/// are correlated by their keys, and elements of other lists are not correlated.
#[test]
fn in_lists_members_are_restored_only_by_the_keys_of_their_elements() {
    let element_schema = json!({
        "type": "object",
        "required": ["name", "type"],
        "properties": {
            "name": {"type": "string"},
            "type": {"type": "string", "enum": ["S3", "Tape"], "x-kubernetes-unions": {"fieldMembers": {
                "S3": {"name": "s3"},
                "Tape": {"name": "tape"},
            }}},
            "s3": {"type": "object"},
            "tape": {"type": "object"},
        },
    });
    let keyed_list_schema = json!({
        "type": "array",
        "items": element_schema,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
    });
    let atomic_list_schema = json!({"type": "array", "items": element_schema});
    let first_element = json!({"name": "first", "type": "Tape", "tape": {"slot": 1}});
    let second_element = json!({"name": "second", "type": "Tape", "tape": {"slot": 2}});
    let old = json!([first_element, second_element]);
    // The elements are in reverse order with a new element between them, so a correlation by
    // position would fail.
    let sent_list = json!([
        {"name": "second", "type": "Tape"},
        {"name": "new", "type": "S3", "s3": {}},
        {"name": "first", "type": "Tape"},
    ]);
    let settings = settings_with(RestoreUnaware::Required);

    let unions = Unions::compile(SchemaSource::Schema(&keyed_list_schema))
        .expect("a well-formed schema or document");
    let mut new = sent_list.clone();
    let report = unions.admit(&mut new, Some(&old), &settings);
    assert!(report.is_accepted(), "all members are restored");
    assert_eq!(
        new,
        json!([second_element, {"name": "new", "type": "S3", "s3": {}}, first_element])
    );
    assert_eq!(
        report.changes().restored().collect::<Vec<_>>(),
        ["[0].tape", "[2].tape"]
    );

    let unions = Unions::compile(SchemaSource::Schema(&atomic_list_schema))
        .expect("a well-formed schema or document");
    let mut new = sent_list.clone();
    let report = unions.admit(&mut new, Some(&old), &settings);
    assert_eq!(report.errors().len(), 2, "the element has no old element");
    assert_eq!(new, sent_list);
}
