//! Lists that are printed with one item per line.

use core::fmt::{Display, Formatter, Result};

/// Writes the items with a line break between each two items.
///
/// # Errors
///
/// Returns the error of the formatter.
pub fn write_lines(items: impl IntoIterator<Item = impl Display>, f: &mut Formatter<'_>) -> Result {
    for (index, item) in items.into_iter().enumerate() {
        let line_break = if index == 0 { "" } else { "\n" };
        write!(f, "{line_break}{item}")?;
    }
    Ok(())
}
