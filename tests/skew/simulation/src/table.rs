//! The matrix as a printed table, less than 120 columns wide.

use core::fmt;

use union_compat::skew::{
    ClientType, IntentOutcome, LEGEND, LOST_BY_LIMIT, ROW_LEGEND, RequestVerb,
};

use crate::api::{Form, Need, Version};
use crate::cell::{CLIENTS, COLUMNS, Cell, Column, Row, VERBS};
use crate::client::{Client, Intent};
use crate::matrix::{Matrix, Tally};

/// The note below the table about pruning, which happens before the rules of unions run, so that no
/// cell can show it.
const PRUNING_NOTE: &str = "\
Servers here store what their version knows. One that was rolled back drops `tape` from what a newer one stored, as it
reads it; `Ratchet::Off` makes it refuse updates of such objects.
";

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_header(f)?;
        for client in CLIENTS {
            writeln!(f, "\n{}", name_of_client(client))?;
            for verb in VERBS {
                self.write_verb(f, client, verb)?;
            }
        }
        writeln!(
            f,
            "\n{ROW_LEGEND}\n{LEGEND}{}\n{PRUNING_NOTE}",
            self.reasons()
        )?;
        self.write_tallies(f)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = name_of_client(self.client);
        let (verb, intent) = (name_of_verb(self.verb), name_of_intent(self.intent));
        write!(f, "{client}: {verb}: {intent}")
    }
}

impl Matrix {
    /// Writes the rows of a client and a verb. Rows without a possible request are left out.
    fn write_verb(
        &self,
        f: &mut fmt::Formatter<'_>,
        client: Client,
        verb: RequestVerb,
    ) -> fmt::Result {
        let cells: Vec<_> = self.cells().collect();
        let rows = cells.chunks(COLUMNS.len()).filter(|cells| {
            let Row {
                client: row_client,
                verb: row_verb,
                ..
            } = cells[0].0.row;
            (row_client, row_verb) == (client, verb)
                && cells.iter().any(|(_, outcome)| outcome.is_some())
        });
        let mut heading = Some(name_of_verb(verb));
        for cells in rows {
            if let Some(verb) = heading.take() {
                writeln!(f, "{verb}")?;
            }
            let label = format!("  {}", name_of_intent(cells[0].0.row.intent));
            let cell_texts = cells
                .iter()
                .map(|(cell, outcome)| cell_text(*cell, *outcome));
            write_line(f, &label, cell_texts)?;
        }
        Ok(())
    }

    fn reasons(&self) -> String {
        let mut reasons: Vec<&str> = Vec::new();
        for reason in self
            .cells()
            .filter_map(|(cell, _)| cell.impossible_reason())
        {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let lines = reasons
            .iter()
            .map(|reason| format!("           {reason}\n"));
        lines.collect()
    }

    fn write_tallies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_discriminated = |cell: Cell| cell.column.union.is_discriminated();
        writeln!(
            f,
            "cells                 honoured  refused     LOST        -"
        )?;
        for (name, tally) in [
            ("with a discriminator", self.count(is_discriminated)),
            ("without", self.count(|cell| !is_discriminated(cell))),
            ("all", self.count(|_| true)),
        ] {
            let Tally {
                honoured,
                rejected,
                lost,
                impossible,
            } = tally;
            writeln!(
                f,
                "{name:20}  {honoured:8} {rejected:8} {lost:8} {impossible:8}"
            )?;
        }
        Ok(())
    }
}

/// Writes the axes of the columns. A name that equals the name of the previous column is left out.
fn write_header(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    type Axis = fn(Column) -> &'static str;
    let axes: [(&str, Axis); 4] = [
        ("server", |column| match column.server {
            Version::Newer => "knows tape",
            Version::Older => "does not know it",
        }),
        ("discriminator", |column| match column.union.form {
            Form::Discriminator { .. } => "yes",
            Form::Undiscriminated => "no",
        }),
        ("union", |column| name_of_need(column.union.need)),
        ("tape", |column| match column.union.form {
            Form::Discriminator { tape } if column.server == Version::Newer => name_of_need(tape),
            _ => "",
        }),
    ];
    for (axis, name) in axes {
        let mut previous_name = "";
        let names = COLUMNS.into_iter().map(|column| {
            let name = name(column);
            let is_new = core::mem::replace(&mut previous_name, name) != name;
            if is_new { name } else { "" }
        });
        write_line(f, axis, names)?;
    }
    Ok(())
}

/// Writes a line of the table, with a bar where the server or the kind of union changes. A name may
/// be longer than its column if the next column is empty.
fn write_line(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    cell_texts: impl Iterator<Item = &'static str>,
) -> fmt::Result {
    const LABEL_WIDTH: usize = 20;
    const COLUMN_WIDTH: usize = "honoured ".len();
    const BAR: &str = "| ";
    let mut line = label.to_owned();
    let mut group = None;
    let mut start = LABEL_WIDTH;
    for (column, cell_text) in COLUMNS.into_iter().zip(cell_texts) {
        let column_group = (column.server, column.union.is_discriminated());
        if group.replace(column_group) != Some(column_group) {
            line = format!("{line:start$}{BAR}");
            start += BAR.len();
        }
        line = format!("{line:start$}{cell_text}");
        start += COLUMN_WIDTH;
    }
    writeln!(f, "{}", line.trim_end())
}

/// Returns the text of a cell: the outcome, `lost` by a limit, or `-`.
fn cell_text(cell: Cell, outcome: Option<IntentOutcome>) -> &'static str {
    match outcome {
        Some(IntentOutcome::Lost) if cell.is_limit() => LOST_BY_LIMIT,
        Some(outcome) => outcome.as_str(),
        None => "-",
    }
}

fn name_of_client(client: Client) -> String {
    let kind = match client.kind {
        ClientType::Structured => "structured",
        ClientType::Unstructured => "unstructured",
    };
    let knowledge = match client.version {
        Version::Older => "does not know tape",
        Version::Newer => "knows tape",
    };
    format!("{kind} client, {knowledge}")
}

const fn name_of_verb(verb: RequestVerb) -> &'static str {
    match verb {
        RequestVerb::Create => "create",
        RequestVerb::Replace => "replace",
        RequestVerb::MergePatch => "merge patch",
        RequestVerb::Apply => "apply",
        RequestVerb::ApplyOwning => "apply (its newer version applied tape)",
    }
}

fn name_of_intent(intent: Intent) -> String {
    match intent {
        Intent::Unchanged => "echo".to_owned(),
        Intent::EditElsewhere => "edit elsewhere".to_owned(),
        Intent::EditMember => "edit inside".to_owned(),
        Intent::SetMember(member) => format!("set {}", member.name()),
        Intent::SwitchMember(member) => format!("switch to {}", member.name()),
        Intent::ClearMembers => "clear".to_owned(),
    }
}

const fn name_of_need(need: Need) -> &'static str {
    match need {
        Need::Required => "required",
        Need::Optional => "optional",
    }
}
