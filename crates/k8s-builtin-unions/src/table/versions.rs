//! The versions of Kubernetes that the table covers.

use std::ops::RangeInclusive;

use crate::table::data::table;

/// Returns the minor versions of Kubernetes that the table covers, such as `28..=37` for 1.28 to
/// 1.37.
#[must_use]
pub fn versions() -> RangeInclusive<u32> {
    let table = table();
    table.oldest..=table.newest
}
