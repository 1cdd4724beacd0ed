//! Flat tables whose rows know each other by their numbers: what a schema was made into.

/// The row with this number.
#[expect(
    clippy::indexing_slicing,
    reason = "numbers come from the table that they are looked up in, or one that is as long, and no row is ever taken out"
)]
#[inline]
pub fn row<T>(rows: &[T], number: u32) -> &T {
    &rows[number as usize]
}

/// The same, to be changed.
#[expect(clippy::indexing_slicing, reason = "as for `row`")]
#[inline]
pub fn row_mut<T>(rows: &mut [T], number: u32) -> &mut T {
    &mut rows[number as usize]
}
