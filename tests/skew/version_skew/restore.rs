//! Tests of members that the server restores (`Settings::restore_unaware`), in the whole matrix and
//! in cases outside of it.

use serde_json::json;
use union_json::{SchemaSource, Unions};
use union_runtime::{RestoreUnaware, Settings};
use union_simulation::{Cell, Form, IntentOutcome, Matrix, Need, Server, Union, Version};

fn restoring(restore: RestoreUnaware) -> Settings {
    Settings::default().restore_unaware(restore)
}

/// Returns the cells whose verdict the setting changes, with the verdicts before and after.
fn changes(restore: RestoreUnaware) -> Vec<(Cell, Option<IntentOutcome>, Option<IntentOutcome>)> {
    let off = Matrix::of(Settings::default());
    let on = Matrix::of(restoring(restore));
    let was = |cell| {
        off.cells()
            .find(|(other, _)| *other == cell)
            .and_then(|(_, verdict)| verdict)
    };
    off.differences(&on)
        .map(|(cell, now)| (cell, was(cell), now))
        .collect()
}

/// Returns the cells of the cases 12 and 16 whose member is required.
fn required_drops() -> Vec<Cell> {
    let tape = Need::Required;
    let cells = Matrix::of(Settings::default());
    let cells = cells
        .cells()
        .filter(|(_, verdict)| verdict.is_some())
        .map(|(cell, _)| cell);
    let drops = cells.filter(|cell| cell.drops_unaware());
    drops
        .filter(|cell| cell.column.union.form == Form::Discriminator { tape })
        .collect()
}

#[test]
fn off_is_the_default() {
    assert_eq!(Settings::default().restore_unaware, RestoreUnaware::Off);
    assert_eq!(changes(RestoreUnaware::Off), []);
}

#[test]
fn with_required_the_cells_of_12_and_16_are_honoured_and_no_other_changes() {
    let cells = required_drops();
    assert_eq!(
        cells.len(),
        8,
        "replace and apply, echo and edit elsewhere, of two unions"
    );
    let expected = cells.into_iter().map(|cell| {
        (
            cell,
            Some(IntentOutcome::Refused),
            Some(IntentOutcome::Honoured),
        )
    });
    assert_eq!(
        changes(RestoreUnaware::Required),
        expected.collect::<Vec<_>>()
    );
}

#[test]
fn with_all_only_the_limit_of_the_model_is_honoured_too() {
    let changes = changes(RestoreUnaware::All);
    let (limit, others): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|(cell, ..)| cell.is_limit());
    assert_eq!(limit.len(), 8);
    for (cell, was, now) in limit {
        assert_eq!(
            (was, now),
            (Some(IntentOutcome::Lost), Some(IntentOutcome::Honoured)),
            "{cell:?}"
        );
    }
    let others: Vec<Cell> = others.into_iter().map(|(cell, ..)| cell).collect();
    assert_eq!(others, required_drops());
    let on = Matrix::of(restoring(RestoreUnaware::All));
    let lost = on
        .cells_of(IntentOutcome::Lost)
        .filter(|cell| cell.column.union.is_discriminated());
    assert_eq!(
        lost.count(),
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
        let cells = Matrix::of(restoring(restore));
        for (cell, _) in cells.cells().filter(|(_, verdict)| verdict.is_some()) {
            let server = Server::new(cell.column.server, cell.column.union, restoring(restore));
            let Ok(answer) = server.answer(cell.stored().as_ref(), &cell.request()) else {
                continue;
            };
            let restored: Vec<&str> = answer
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
            assert_eq!(answer.report.changes().len(), 1, "{cell:?}");
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
    let before = json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}});
    let unset = json!({"keep": 7, "target": {"type": "Tape"}});
    let request = union_simulation::Request::Replace(unset.clone());
    for restore in [RestoreUnaware::Off, RestoreUnaware::Required] {
        let server = Server::new(Version::Newer, union, restoring(restore));
        let answer = server
            .answer(Some(&before), &request)
            .expect("an optional member may be unset");
        assert_eq!(answer.stored, unset);
    }
    let server = Server::new(Version::Newer, union, restoring(RestoreUnaware::All));
    let answer = server
        .answer(Some(&before), &request)
        .expect("a valid value");
    assert_eq!(answer.stored, before);
    assert_eq!(answer.report.changes().to_string(), "target.tape: restored");
}

/// Checks that a member is only restored from the correlated object: elements of a list of type map
/// are correlated by their keys, and elements of other lists are not correlated.
#[test]
fn in_lists_members_are_restored_only_by_the_keys_of_their_elements() {
    let elements = json!({
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
    let map = json!({
        "type": "array",
        "items": elements,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
    });
    let atomic = json!({"type": "array", "items": elements});
    let first = json!({"name": "first", "type": "Tape", "tape": {"slot": 1}});
    let second = json!({"name": "second", "type": "Tape", "tape": {"slot": 2}});
    let old = json!([first, second]);
    // The elements are in reverse order with a new element between them, so a correlation by
    // position would fail.
    let sent = json!([
        {"name": "second", "type": "Tape"},
        {"name": "new", "type": "S3", "s3": {}},
        {"name": "first", "type": "Tape"},
    ]);
    let settings = restoring(RestoreUnaware::Required);

    let unions =
        Unions::compile(SchemaSource::Schema(&map)).expect("a well-formed schema or document");
    let mut new = sent.clone();
    let report = unions.admit(&mut new, Some(&old), &settings);
    assert!(report.is_accepted(), "all came back");
    assert_eq!(
        new,
        json!([second, {"name": "new", "type": "S3", "s3": {}}, first])
    );
    assert_eq!(
        report.changes().restored().collect::<Vec<_>>(),
        ["[0].tape", "[2].tape"]
    );

    let unions =
        Unions::compile(SchemaSource::Schema(&atomic)).expect("a well-formed schema or document");
    let mut new = sent.clone();
    let report = unions.admit(&mut new, Some(&old), &settings);
    assert_eq!(report.errors().len(), 2, "there is no old element");
    assert_eq!(new, sent);
}
