//! The printed form of the table.

use std::fmt;

use super::matrix::{Cell, Outcome, Row, Side, Skew};
use super::request::{ClientKind, Intent, LEGEND, LIMIT, ROWS, Verb, Verdict};

const LABEL: usize = 24;
const COLUMN: usize = 12;

impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(f, "server", ["old", "new"])?;
        let cells: Vec<&Cell> = self.cells().collect();
        let mut reasons: Vec<&str> = Vec::new();
        let (mut client, mut verb) = (None, None);
        for pair in cells.chunks(2) {
            let [old, new] = pair else { continue };
            for cell in [old, new] {
                if let Outcome::Senseless(why) = cell.outcome
                    && !reasons.contains(&why)
                {
                    reasons.push(why);
                }
            }
            if [old, new]
                .iter()
                .all(|cell| matches!(cell.outcome, Outcome::Senseless(_)))
            {
                continue;
            }
            let row = &old.row;
            if client.replace((row.kind, row.client)) != Some((row.kind, row.client)) {
                writeln!(
                    f,
                    "\n{} client of the {} version",
                    row.kind_name(),
                    row.client.name()
                )?;
                verb = None;
            }
            if verb.replace(row.verb) != Some(row.verb) {
                writeln!(f, "{}", row.verb_name())?;
            }
            let label = format!("  {}", row.intent_name());
            line(f, &label, [old, new].map(|cell| cell.outcome.text()))?;
        }
        let reasons = reasons
            .iter()
            .map(|reason| format!("           {reason}\n"));
        let reasons: String = reasons.collect();
        write!(f, "\n{ROWS}\n{LEGEND}{reasons}")?;
        if self
            .cells()
            .any(|cell| matches!(cell.outcome, Outcome::Unreadable(_)))
        {
            writeln!(
                f,
                "unreadable the client's type cannot deserialize the stored object, so the client sends nothing"
            )?;
        }
        writeln!(
            f,
            "\nhonoured {}, refused {}, lost {}",
            self.count(Verdict::Honoured),
            self.count(Verdict::Refused),
            self.count(Verdict::Lost)
        )
    }
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, texts: [&str; 2]) -> fmt::Result {
    let [old, new] = texts;
    let line = format!("{label:LABEL$}{old:COLUMN$}{new}");
    writeln!(f, "{}", line.trim_end())
}

impl Outcome {
    const fn text(&self) -> &'static str {
        match self {
            Self::Sent { is_limit: true, .. } => LIMIT,
            Self::Sent { verdict, .. } => verdict.text(),
            Self::Unreadable(_) => "unreadable",
            Self::Senseless(_) => "-",
        }
    }
}

impl Side {
    /// Returns `old` or `new`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} client of the {} version: {}: {}",
            self.kind_name(),
            self.client.name(),
            self.verb_name(),
            self.intent_name()
        )
    }
}

impl Row {
    pub(super) const fn kind_name(&self) -> &'static str {
        match self.kind {
            ClientKind::Structured => "structured",
            ClientKind::Unstructured => "unstructured",
        }
    }

    pub(super) const fn verb_name(&self) -> &'static str {
        match self.verb {
            Verb::Create => "create",
            Verb::Replace => "replace",
            Verb::MergePatch => "merge patch",
            Verb::Apply => "apply",
            Verb::ApplyOwning => "apply (its other version applied what is set)",
        }
    }

    pub(super) fn intent_name(&self) -> String {
        match &self.intent {
            Intent::Echo => "echo".to_owned(),
            Intent::EditElsewhere => "edit elsewhere".to_owned(),
            Intent::EditInside => "edit inside".to_owned(),
            Intent::Set(member) => format!("set {member}"),
            Intent::Switch(member) => format!("switch to {member}"),
            Intent::Clear => "clear".to_owned(),
        }
    }
}
