//! Tests of the laws of the matrix.

use union_runtime::Settings;
use union_simulation::{
    CLIENTS, COLUMNS, Cell, Client, ClientType, Form, INTENTS, Intent, IntentOutcome, Matrix,
    Member, Need, RequestVerb, Server, Tally, VERBS, Version,
};

fn matrix() -> Matrix {
    Matrix::with_engine(Settings::default())
}

fn is_discriminated(cell: Cell) -> bool {
    cell.column.union.is_discriminated()
}

/// Returns the possible cells for which `is_included` returns true, and asserts that there is
/// such a cell.
fn cells(is_included: impl Fn(Cell) -> bool) -> Vec<(Cell, IntentOutcome)> {
    let matrix = matrix();
    let cells = matrix.cells().filter(|(cell, _)| is_included(*cell));
    let cells: Vec<_> = cells
        .filter_map(|(cell, outcome)| Some((cell, outcome?)))
        .collect();
    assert!(!cells.is_empty());
    cells
}

#[track_caller]
fn assert_all_have(outcome: IntentOutcome, is_included: impl Fn(Cell) -> bool) {
    for (cell, actual) in cells(is_included) {
        assert_eq!(actual, outcome, "{cell:?}");
    }
}

#[test]
fn every_cell_of_every_axis_exists_once() {
    let rows = CLIENTS.len() * VERBS.len() * INTENTS.len();
    let matrix = matrix();
    let cells: Vec<Cell> = matrix.cells().map(|(cell, _)| cell).collect();
    assert_eq!(cells.len(), rows * COLUMNS.len());
    for (index, cell) in cells.iter().enumerate() {
        assert!(!cells[..index].contains(cell), "{cell:?}");
    }
    for (cell, outcome) in matrix.cells() {
        assert_eq!(
            outcome.is_none(),
            cell.impossible_reason().is_some(),
            "{cell:?}"
        );
    }
}

#[test]
fn with_a_discriminator_only_the_limit_of_the_model_is_lost_silently() {
    let matrix = matrix();
    let lost_cells = matrix
        .cells_of(IntentOutcome::Lost)
        .filter(|cell| is_discriminated(*cell));
    let lost_cells: Vec<Cell> = lost_cells.collect();
    let limit_cells = matrix
        .cells()
        .map(|(cell, _)| cell)
        .filter(|cell| cell.is_limit());
    assert_eq!(lost_cells, limit_cells.collect::<Vec<_>>());
    assert_eq!(
        lost_cells.len(),
        8,
        "replace and apply, echo and edit elsewhere, of two unions"
    );
    for cell in lost_cells {
        let unaware = Client {
            kind: ClientType::Structured,
            version: Version::Older,
        };
        let tape = Need::Optional;
        assert_eq!(cell.row.client, unaware, "{cell:?}");
        assert_eq!(
            cell.column.union.form,
            Form::Discriminator { tape },
            "{cell:?}"
        );
        assert_eq!(cell.stored_member(), Some(Member::Tape), "{cell:?}");
    }
}

/// Returns true for the cases 12 and 16.
fn is_unaware_drop(cell: Cell) -> bool {
    cell.drops_unaware()
}

/// Returns true for the cases 22 and 27, and for a structured client that sends less than the whole
/// object and does not own the member: the client cannot name the member that it wants to remove.
fn is_unaware_clear(cell: Cell) -> bool {
    let sends_whole_union = matches!(
        cell.row.verb,
        RequestVerb::Replace | RequestVerb::ApplyOwning
    );
    cell.row.intent == Intent::ClearMembers
        && cell
            .stored_member()
            .is_some_and(|member| !cell.row.client.version.has_member(member))
        && !(sends_whole_union && cell.row.client.kind == ClientType::Structured)
}

/// Returns true for the cases 23 and 28.
fn is_unaware_set(cell: Cell) -> bool {
    let set_member = match cell.row.intent {
        Intent::SetMember(member) | Intent::SwitchMember(member) => Some(member),
        _ => None,
    };
    set_member.is_some()
        && cell
            .stored_member()
            .is_some_and(|member| !cell.row.client.version.has_member(member))
}

/// Returns true for the cases 34 and 39.
fn sets_member_unknown_to_server(cell: Cell) -> bool {
    let (Intent::SetMember(member) | Intent::SwitchMember(member)) = cell.row.intent else {
        return false;
    };
    !cell.column.server.has_member(member)
}

#[test]
fn with_a_discriminator_the_cases_of_the_kep_are_honoured_or_rejected() {
    let is_limit = |cell: Cell| cell.is_limit();
    assert_all_have(IntentOutcome::Rejected, |cell| {
        is_discriminated(cell) && is_unaware_drop(cell) && !is_limit(cell)
    });
    assert_all_have(IntentOutcome::Honoured, |cell| {
        is_discriminated(cell) && is_unaware_clear(cell)
    });
    assert_all_have(IntentOutcome::Honoured, |cell| {
        is_discriminated(cell) && is_unaware_set(cell)
    });
    assert_all_have(IntentOutcome::Rejected, |cell| {
        is_discriminated(cell) && sets_member_unknown_to_server(cell)
    });
}

#[test]
fn without_a_discriminator_exactly_the_losses_of_the_kep_occur() {
    let is_undiscriminated = |cell: Cell| !is_discriminated(cell);
    // A required union without a member is rejected, so the loss is not silent.
    let is_optional =
        |cell: Cell| is_undiscriminated(cell) && cell.column.union.need == Need::Optional;
    let is_required =
        |cell: Cell| is_undiscriminated(cell) && cell.column.union.need == Need::Required;
    assert_all_have(IntentOutcome::Lost, |cell| {
        is_optional(cell) && is_unaware_drop(cell)
    });
    assert_all_have(IntentOutcome::Rejected, |cell| {
        is_required(cell) && is_unaware_drop(cell)
    });
    assert_all_have(IntentOutcome::Lost, |cell| {
        is_optional(cell) && is_unaware_clear(cell)
    });
    assert_all_have(IntentOutcome::Lost, |cell| {
        is_optional(cell) && sets_member_unknown_to_server(cell)
    });
    let keeps_other_member = |cell: Cell| {
        matches!(cell.row.intent, Intent::SetMember(_)) && cell.row.verb != RequestVerb::Create
    };
    assert_all_have(IntentOutcome::Lost, |cell| {
        is_required(cell) && sets_member_unknown_to_server(cell) && keeps_other_member(cell)
    });
    assert_all_have(IntentOutcome::Rejected, |cell| {
        is_required(cell) && sets_member_unknown_to_server(cell) && !keeps_other_member(cell)
    });
    for cell in matrix()
        .cells_of(IntentOutcome::Lost)
        .filter(|cell| is_undiscriminated(*cell))
    {
        assert!(
            is_unaware_drop(cell) || is_unaware_clear(cell) || sets_member_unknown_to_server(cell),
            "{cell:?}"
        );
    }
}

/// Checks that the 2019 model is the "convoluted logic" that the KEP mentions in #23 and #28: the
/// single added member is selected. A request fails loudly if the client cannot avoid applying two
/// members.
#[test]
fn without_a_discriminator_a_set_by_an_unaware_client_is_honoured_or_rejected() {
    let is_set_without_discriminator = |cell: Cell| !is_discriminated(cell) && is_unaware_set(cell);
    let applies_both = |cell: Cell| {
        cell.row.verb == RequestVerb::ApplyOwning
            && cell.row.client.kind == ClientType::Unstructured
    };
    assert_all_have(IntentOutcome::Honoured, |cell| {
        is_set_without_discriminator(cell) && !applies_both(cell)
    });
    assert_all_have(IntentOutcome::Rejected, |cell| {
        is_set_without_discriminator(cell) && applies_both(cell)
    });
}

#[test]
fn without_skew_all_is_honoured_with_a_discriminator_and_nothing_is_lost_without_a_discriminator() {
    let has_no_skew = |cell: Cell| cell.row.client.version == cell.column.server;
    assert_all_have(IntentOutcome::Honoured, |cell| {
        is_discriminated(cell) && has_no_skew(cell)
    });
    for (cell, outcome) in cells(has_no_skew) {
        assert_ne!(outcome, IntentOutcome::Lost, "{cell:?}");
    }
}

#[test]
fn a_client_that_applies_only_known_fields_keeps_other_members() {
    assert_all_have(IntentOutcome::Honoured, |cell| {
        cell.row.verb == RequestVerb::Apply && cell.row.intent.is_union_unchanged()
    });
}

#[test]
fn an_unstructured_client_loses_no_other_fields() {
    assert_all_have(IntentOutcome::Honoured, |cell| {
        is_discriminated(cell)
            && cell.row.client.kind == ClientType::Unstructured
            && cell.row.intent.is_union_unchanged()
    });
}

#[test]
fn every_rejection_has_a_path_in_the_union_and_a_remedy() {
    for cell in matrix().cells_of(IntentOutcome::Rejected) {
        let server = Server::new(cell.column.server, cell.column.union, Settings::default());
        let report = server
            .handle(cell.stored_object().as_ref(), &cell.request())
            .expect_err("an error");
        for violation in report.errors() {
            assert!(
                violation.path().starts_with(&["target"].into()),
                "{violation}"
            );
            assert!(violation.detail().contains(": "), "{violation}");
        }
        assert!(
            report.tolerated().is_empty(),
            "the stored objects are valid: {report}"
        );
    }
}

#[test]
fn the_tally_counts_every_cell() {
    let matrix = matrix();
    let Tally {
        honoured,
        rejected,
        lost,
        impossible,
    } = matrix.count(|_| true);
    assert_eq!(
        honoured + rejected + lost + impossible,
        matrix.cells().count()
    );
    assert_eq!(lost, matrix.cells_of(IntentOutcome::Lost).count());
    assert_eq!(rejected, matrix.cells_of(IntentOutcome::Rejected).count());
}
