//! Normalization for server-side apply: the applied object says what its author wants.

use super::admit;
use super::normalize::{Normalizer, by_applied, by_live};
use super::restore_unaware::RestoreUnaware;
use super::settings::Settings;
use super::validate::Finding;
use crate::report::changes::Changes;
use crate::report::violations::Violations;
use crate::spec::UnionSpec;
use crate::walk::nested::Nested;
use crate::walk::node::VisitorMut;
use crate::walk::place::Place;
use k8s_json_internals::keyed::Indexes;

/// Normalizes the object that a server-side apply makes. `applied` is what the author sent, `live` what is stored,
/// `merged` what happens to both. The changes are to be added to the managed fields of the author; validate `merged`
/// after it.
///
/// - Where the discriminator rules (the 2022 model), it is an update of `live`: [`normalize`](crate::normalize).
/// - Where it follows the members, or there is none (the 2019 model), what was applied is meant: one member, or a
///   discriminator alone, clears the others in `merged`.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{Settings, Union, normalize_apply};
///
/// #[derive(Union, Serialize, Deserialize, Clone, Default)]
/// struct EnvVar {
///     #[union(member, group = value)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     value: Option<String>,
///     #[union(member, group = value)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     secret: Option<String>,
/// }
///
/// let live = EnvVar { value: Some("1".into()), ..EnvVar::default() };
/// let applied = EnvVar { secret: Some("s".into()), ..EnvVar::default() };
/// let mut merged = EnvVar { secret: Some("s".into()), ..live.clone() };
/// let changes = normalize_apply(&applied, Some(&live), &mut merged, &Settings::default())?;
/// assert_eq!(changes.to_string(), "value: cleared");
/// # Ok::<(), union_runtime::Violations>(())
/// ```
///
/// # Errors
///
/// In the 2019 model, where `applied` does not say one thing: it has several members of a union, or a discriminator that
/// names another member (2019 text, "Future Work"). `merged` stays as it was then.
pub fn normalize_apply<T: Nested>(
    applied: &T,
    live: Option<&T>,
    merged: &mut T,
    settings: &Settings,
) -> Result<Changes, Violations> {
    if !settings.unions {
        return Ok(Changes::default());
    }
    admit::refuse_where(applied, contradicts)?;
    Ok(normalize(
        settings.restore_unaware,
        &mut |against, visitor| {
            let indexes = Indexes::default();
            match against {
                Against::Live => merged.walk_mut(live, &Place::root(&indexes), visitor),
                Against::Applied => {
                    merged.walk_mut(Some(applied), &Place::applied(&indexes), visitor);
                }
            }
        },
    ))
}

/// What the merged object is compared with.
pub(crate) enum Against {
    /// What is stored.
    Live,
    /// What the author sent.
    Applied,
}

/// Whether what an author sent does not say one thing. In the 2019 model it has to; to say nothing is fine, as what is
/// merged is validated too. A member that cannot be read says which one is meant.
pub(crate) fn contradicts(spec: &UnionSpec<'_>, finding: Finding) -> bool {
    !spec.is_selected_by_discriminator()
        && !matches!(finding, Finding::NoneSet | Finding::Unreadable)
}

/// Normalizes a merged object, which `walk` walks through.
pub(crate) fn normalize(
    restore: RestoreUnaware,
    walk: &mut dyn FnMut(Against, &mut dyn VisitorMut),
) -> Changes {
    let mut normalizer = Normalizer::new(by_live, restore);
    walk(Against::Live, &mut normalizer);
    normalizer.rule = by_applied;
    walk(Against::Applied, &mut normalizer);
    normalizer.changes
}
