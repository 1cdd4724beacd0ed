//! Prints the table.

use std::fmt;

use super::matrix::{SkewCell, SkewMatrix, SkewOutcome, SkewRow, VersionSide};
use super::request::{
    ClientType, Intent, IntentOutcome, LEGEND, LOST_BY_LIMIT, ROW_LEGEND, RequestVerb,
};

const LABEL_WIDTH: usize = 24;
const COLUMN_WIDTH: usize = 12;

impl fmt::Display for SkewMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, "server", ["old", "new"])?;
        let cells: Vec<&SkewCell> = self.cells().collect();
        let mut reasons: Vec<&str> = Vec::new();
        let (mut client, mut verb) = (None, None);
        for pair in cells.chunks(2) {
            let [old_cell, new_cell] = pair else { continue };
            for cell in [old_cell, new_cell] {
                if let SkewOutcome::NotApplicable(reason) = cell.outcome
                    && !reasons.contains(&reason)
                {
                    reasons.push(reason);
                }
            }
            if [old_cell, new_cell]
                .iter()
                .all(|cell| matches!(cell.outcome, SkewOutcome::NotApplicable(_)))
            {
                continue;
            }
            let row = &old_cell.row;
            if client.replace((row.client_type, row.client)) != Some((row.client_type, row.client))
            {
                writeln!(
                    f,
                    "\n{} client of the {} version",
                    row.kind_name(),
                    row.client.as_str()
                )?;
                verb = None;
            }
            if verb.replace(row.verb) != Some(row.verb) {
                writeln!(f, "{}", row.verb_name())?;
            }
            let label = format!("  {}", row.intent_name());
            let outcomes = [old_cell, new_cell].map(|cell| cell.outcome.label());
            write_line(f, &label, outcomes)?;
        }
        let reasons = reasons
            .iter()
            .map(|reason| format!("           {reason}\n"));
        let reasons: String = reasons.collect();
        write!(f, "\n{ROW_LEGEND}\n{LEGEND}{reasons}")?;
        if self
            .cells()
            .any(|cell| matches!(cell.outcome, SkewOutcome::Unreadable(_)))
        {
            writeln!(
                f,
                "unreadable the client's type cannot deserialize the stored object, so the client sends nothing"
            )?;
        }
        writeln!(
            f,
            "\nhonoured {}, refused {}, lost {}",
            self.count(IntentOutcome::Honoured),
            self.count(IntentOutcome::Rejected),
            self.count(IntentOutcome::Lost)
        )
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, label: &str, labels: [&str; 2]) -> fmt::Result {
    let [old, new] = labels;
    let line = format!("{label:LABEL_WIDTH$}{old:COLUMN_WIDTH$}{new}");
    writeln!(f, "{}", line.trim_end())
}

impl SkewOutcome {
    const fn label(&self) -> &'static str {
        match self {
            Self::Sent { is_limit: true, .. } => LOST_BY_LIMIT,
            Self::Sent { intent_outcome, .. } => intent_outcome.as_str(),
            Self::Unreadable(_) => "unreadable",
            Self::NotApplicable(_) => "-",
        }
    }
}

impl VersionSide {
    /// Returns `old` or `new`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl fmt::Display for SkewRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} client of the {} version: {}: {}",
            self.kind_name(),
            self.client.as_str(),
            self.verb_name(),
            self.intent_name()
        )
    }
}

impl SkewRow {
    pub(super) const fn kind_name(&self) -> &'static str {
        match self.client_type {
            ClientType::Structured => "structured",
            ClientType::Unstructured => "unstructured",
        }
    }

    pub(super) const fn verb_name(&self) -> &'static str {
        match self.verb {
            RequestVerb::Create => "create",
            RequestVerb::Replace => "replace",
            RequestVerb::MergePatch => "merge patch",
            RequestVerb::Apply => "apply",
            RequestVerb::ApplyOwning => "apply (its other version applied what is set)",
        }
    }

    pub(super) fn intent_name(&self) -> String {
        match &self.intent {
            Intent::Unchanged => "echo".to_owned(),
            Intent::EditElsewhere => "edit elsewhere".to_owned(),
            Intent::EditMember => "edit inside".to_owned(),
            Intent::SetMember(member) => format!("set {member}"),
            Intent::SwitchMember(member) => format!("switch to {member}"),
            Intent::ClearMembers => "clear".to_owned(),
        }
    }
}
