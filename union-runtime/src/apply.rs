//! Normalization for server-side apply: the applied object says what its author wants.

use crate::admit::{self, Settings};
use crate::normalize::{Changes, Normalizer, by_applied, by_live};
use crate::traits::Union;
use crate::violation::Violations;
use crate::walk::{Nested as _, Place};

/// Normalizes the object that a server-side apply makes (DESIGN 5). `applied` is what the author sent, `live` what is
/// stored, `merged` what becomes of both. The changes are to be added to the managed fields of the author.
///
/// - Where the discriminator rules (the 2022 model), it is an update of `live`: [`normalize`](crate::normalize).
/// - Where it follows the members, or there is none (the 2019 model), what was applied is meant: one member, or a
///   discriminator alone, clears the others in `merged`.
///
/// # Errors
///
/// In the 2019 model, where `applied` does not say one thing: it has several members of a union, or a discriminator that
/// names another member (2019 text, "Future Work"). `merged` stays as it was then.
pub fn normalize_apply<T: Union>(
    applied: &T,
    live: Option<&T>,
    merged: &mut T,
    settings: &Settings,
) -> Result<Changes, Violations> {
    if !settings.unions {
        return Ok(Changes::default());
    }
    admit::refuse_where(applied, |spec| !spec.is_selected_by_discriminator())?;
    let mut normalizer = Normalizer::new(by_live);
    merged.walk_mut(live, &Place::ROOT, &mut normalizer);
    normalizer.rule = by_applied;
    merged.walk_mut(Some(applied), &Place::ROOT, &mut normalizer);
    Ok(normalizer.changes)
}
