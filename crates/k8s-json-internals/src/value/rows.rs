//! Flat tables whose rows refer to each other by numbers: compiled schemas.

/// Returns the row with this number.
#[expect(
    clippy::indexing_slicing,
    reason = "numbers come from the table that they are looked up in, or one that is as long, and no row is ever taken out"
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
