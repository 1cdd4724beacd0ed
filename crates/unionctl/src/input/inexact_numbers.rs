//! Notes on numbers that lose precision in an API server.

use std::collections::HashSet;

use k8s_yaml::{Document, InexactNumber};

/// The maximum number of notes on single numbers. Further numbers are counted in a last note.
const MAX_NOTES: usize = 5;

/// The number of characters after which a note cuts a number off.
const MAX_SHOWN_DIGITS: usize = 40;

/// A note on a number, or the last note, which counts the remaining numbers.
#[derive(Debug)]
pub(crate) struct NumberNote {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// The numbers that lose precision in a file.
#[derive(Debug, Default)]
pub(crate) struct InexactNumbers {
    notes: Vec<NumberNote>,
    /// The numbers as the file writes them. A repeated number has only one note.
    seen: HashSet<String>,
    /// The line of the first number without a note.
    first_line_without_note: usize,
}

impl InexactNumbers {
    /// Adds the numbers of a document that lose precision.
    pub(crate) fn add(&mut self, document: &Document) {
        for number in document.inexact_numbers() {
            if self.seen.contains(number.written) {
                continue;
            }
            self.seen.insert(number.written.to_owned());
            if self.notes.len() < MAX_NOTES {
                self.notes.push(NumberNote::new(&number));
            } else if self.first_line_without_note == 0 {
                self.first_line_without_note = number.line;
            }
        }
    }

    /// Returns the notes, in the order of the file.
    pub(crate) fn into_notes(self) -> Vec<NumberNote> {
        let mut notes = self.notes;
        let further_count = self.seen.len() - notes.len();
        if further_count > 0 {
            notes.push(NumberNote {
                line: self.first_line_without_note,
                message: format!("{further_count} more numbers lose precision, from this line on"),
            });
        }
        notes
    }

    /// Returns the notes with the file and the lines of the numbers.
    pub(super) fn into_file_notes(self, file: &str) -> Vec<String> {
        let notes = self.into_notes().into_iter();
        let notes = notes.map(|note| format!("{file}:{}: {}", note.line, note.message));
        notes.collect()
    }
}

impl NumberNote {
    fn new(number: &InexactNumber<'_>) -> Self {
        let InexactNumber {
            written, stored, ..
        } = number;
        let shown = written.get(..MAX_SHOWN_DIGITS).unwrap_or(written);
        let ellipsis = if shown.len() < written.len() {
            "..."
        } else {
            ""
        };
        Self {
            line: number.line,
            message: format!(
                "number {shown}{ellipsis} loses precision and becomes {stored}, as on an API server; \
                 use a string to keep every digit"
            ),
        }
    }
}
