//! Access to flat tables whose rows refer to each other by number, such as compiled schemas.

/// Returns the row with this number.
#[expect(
    clippy::indexing_slicing,
    reason = "each number is a row of this table, or of a table of the same length, and no row is ever removed"
)]
#[inline]
pub fn row<T>(rows: &[T], number: u32) -> &T {
    &rows[number as usize]
}

/// Returns the row with this number, mutably.
#[expect(clippy::indexing_slicing, reason = "as for `row`")]
#[inline]
pub fn row_mut<T>(rows: &mut [T], number: u32) -> &mut T {
    &mut rows[number as usize]
}
