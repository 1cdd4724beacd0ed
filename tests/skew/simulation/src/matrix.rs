//! The matrix: the verdict of every request.

use union_compat::skew::IntentOutcome;
use union_runtime::Settings;

use crate::cell::{COLUMNS, Cell, Column, Row};
use crate::server::{Rules, Server};
use crate::verdict::verdict;

/// Every cell with its outcome, which is `None` if the request is impossible.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    cells: Vec<(Cell, Option<IntentOutcome>)>,
}

/// The number of cells of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of cells with [`IntentOutcome::Honoured`].
    pub honoured: usize,
    /// The number of cells with [`IntentOutcome::Refused`].
    pub refused: usize,
    /// The number of cells with [`IntentOutcome::Lost`].
    pub lost: usize,
    /// The number of cells whose request is impossible.
    pub senseless: usize,
}

impl Matrix {
    /// Returns the matrix of servers that use the engine.
    #[must_use]
    pub fn of(settings: Settings) -> Self {
        Self::with(settings, |column| {
            Box::new(column.server.unions(column.union))
        })
    }

    /// Returns the matrix of servers that use the given rules.
    #[must_use]
    pub fn with(settings: Settings, rules: impl Fn(Column) -> Box<dyn Rules>) -> Self {
        let servers = COLUMNS.map(|column| {
            let server = Server::with(column.server, column.union, settings, rules(column));
            (column, server)
        });
        let cells = Row::all().flat_map(|row| {
            servers.iter().map(move |(column, server)| {
                let column = *column;
                let cell = Cell { row, column };
                let verdict = cell.senseless().is_none().then(|| cell.outcome(server));
                (cell, verdict)
            })
        });
        let cells = cells.collect();
        Self { cells }
    }

    /// Returns every cell with its verdict, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Option<IntentOutcome>)> {
        self.cells.iter().copied()
    }

    /// Returns the cells with a verdict.
    pub fn cells_of(&self, verdict: IntentOutcome) -> impl Iterator<Item = Cell> {
        let cells = self
            .cells()
            .filter(move |(_, outcome)| *outcome == Some(verdict));
        cells.map(|(cell, _)| cell)
    }

    /// Counts the cells for which `is_included` returns true.
    pub fn count(&self, is_included: impl Fn(Cell) -> bool) -> Tally {
        let mut tally = Tally::default();
        for (_, verdict) in self.cells().filter(|(cell, _)| is_included(*cell)) {
            *match verdict {
                Some(IntentOutcome::Honoured) => &mut tally.honoured,
                Some(IntentOutcome::Refused) => &mut tally.refused,
                Some(IntentOutcome::Lost) => &mut tally.lost,
                None => &mut tally.senseless,
            } += 1;
        }
        tally
    }

    /// Returns the cells whose verdict differs in another matrix, with the other verdict.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = (Cell, Option<IntentOutcome>)> {
        let pairs = self.cells().zip(other.cells());
        let differing = pairs.filter(|(own, other)| own != other);
        differing.map(|(_, other)| other)
    }
}

impl Cell {
    /// Sends the request to a server, and returns the outcome of the intent.
    fn outcome(self, server: &Server) -> IntentOutcome {
        let answer = server.answer(self.stored().as_ref(), &self.request());
        verdict(self, &answer)
    }
}
