//! Access to flat tables whose rows refer to each other by index, such as compiled schemas.

/// Returns the row with this index.
#[expect(
    clippy::indexing_slicing,
    reason = "each index is a row of this table, or of a table of the same length, and no row is ever removed"
)]
#[inline]
pub fn row<T>(rows: &[T], index: u32) -> &T {
    &rows[index as usize]
}

/// Returns the row with this index, mutably.
#[expect(clippy::indexing_slicing, reason = "as for `row`")]
#[inline]
pub fn row_mut<T>(rows: &mut [T], index: u32) -> &mut T {
    &mut rows[index as usize]
}
