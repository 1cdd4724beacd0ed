//! The matrix: the outcome of every request.

use union_compat::skew::IntentOutcome;
use union_runtime::Settings;

use crate::cell::{COLUMNS, Cell, Column, Row};
use crate::outcome::outcome_of_intent;
use crate::server::{Rules, Server};

/// Every cell with its outcome, which is `None` if the request is impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    cells: Vec<(Cell, Option<IntentOutcome>)>,
}

/// The number of cells of each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of cells with [`IntentOutcome::Honoured`].
    pub honoured: usize,
    /// The number of cells with [`IntentOutcome::Rejected`].
    pub rejected: usize,
    /// The number of cells with [`IntentOutcome::Lost`].
    pub lost: usize,
    /// The number of cells whose request is impossible.
    pub impossible: usize,
}

impl Matrix {
    /// Returns the matrix of servers that use the engine.
    #[must_use]
    pub fn with_engine(settings: Settings) -> Self {
        Self::with_rules(settings, |column| {
            Box::new(column.server.unions(column.union))
        })
    }

    /// Returns the matrix of servers that use the given rules.
    #[must_use]
    pub fn with_rules(settings: Settings, rules: impl Fn(Column) -> Box<dyn Rules>) -> Self {
        let servers = COLUMNS.map(|column| {
            let server = Server::with_rules(column.server, column.union, settings, rules(column));
            (column, server)
        });
        let cells = Row::all_rows().flat_map(|row| {
            servers.iter().map(move |(column, server)| {
                let column = *column;
                let cell = Cell { row, column };
                let outcome = cell
                    .impossible_reason()
                    .is_none()
                    .then(|| cell.outcome(server));
                (cell, outcome)
            })
        });
        let cells = cells.collect();
        Self { cells }
    }

    /// Returns every cell with its outcome, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Option<IntentOutcome>)> {
        self.cells.iter().copied()
    }

    /// Returns the cells with an outcome.
    pub fn cells_of(&self, outcome: IntentOutcome) -> impl Iterator<Item = Cell> {
        let cells = self
            .cells()
            .filter(move |(_, cell_outcome)| *cell_outcome == Some(outcome));
        cells.map(|(cell, _)| cell)
    }

    /// Counts the cells for which `is_included` returns true.
    pub fn count(&self, is_included: impl Fn(Cell) -> bool) -> Tally {
        let mut tally = Tally::default();
        for (_, outcome) in self.cells().filter(|(cell, _)| is_included(*cell)) {
            *match outcome {
                Some(IntentOutcome::Honoured) => &mut tally.honoured,
                Some(IntentOutcome::Rejected) => &mut tally.rejected,
                Some(IntentOutcome::Lost) => &mut tally.lost,
                None => &mut tally.impossible,
            } += 1;
        }
        tally
    }

    /// Returns the cells whose outcome differs in another matrix, with the other outcome.
    pub fn differences(
        &self,
        other_matrix: &Self,
    ) -> impl Iterator<Item = (Cell, Option<IntentOutcome>)> {
        let pairs = self.cells().zip(other_matrix.cells());
        let differing = pairs.filter(|(cell, other_cell)| cell != other_cell);
        differing.map(|(_, other_cell)| other_cell)
    }
}

impl Cell {
    /// Sends the request to a server, and returns the outcome of the intent.
    fn outcome(self, server: &Server) -> IntentOutcome {
        let result = server.handle(self.stored_object().as_ref(), &self.request());
        outcome_of_intent(self, &result)
    }
}
