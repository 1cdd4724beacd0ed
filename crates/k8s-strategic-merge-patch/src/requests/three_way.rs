//! The three-way patch of an object: the additions and the deletions, composed.

use serde_json::{Map, Value};

use crate::diff::diff::{DepthCheck, Differ};
use crate::error::PatchError;
use crate::merge::merge::Merger;
use crate::merge::merge_target::MergeTarget;
use crate::merge::set_element_order::move_element_orders;
use crate::schema::schema::NodeId;
use union_runtime::path::Path;

/// The versions of an object: last applied by the author, to be applied by the author, and live.
#[derive(Clone, Copy)]
pub(super) struct ObjectVersions<'v> {
    pub(super) original: &'v Map<String, Value>,
    pub(super) modified: &'v Map<String, Value>,
    pub(super) current: &'v Map<String, Value>,
}

impl Differ<'_> {
    /// Returns the three-way patch of an object; `None` if nothing changes.
    pub(super) fn three_way_object(
        self,
        versions: ObjectVersions<'_>,
        node: NodeId,
        with_retain_keys: bool,
        location: &Path<'_>,
    ) -> Result<Option<Map<String, Value>>, PatchError> {
        let ObjectVersions {
            original,
            modified,
            current,
        } = versions;
        let additions_differ = Differ {
            element_orders: true,
            additions: true,
            deletions: false,
            ..self
        };
        let additions =
            additions_differ.diff_object(current, modified, node, with_retain_keys, location)?;
        let deletions_differ = Differ {
            element_orders: true,
            additions: false,
            deletions: true,
            depth: DepthCheck {
                // The additions checked the document.
                checks_modified: false,
                ..self.depth
            },
            ..self
        };
        let deletions_differ = deletions_differ.with_sibling_patch(additions.as_ref(), modified);
        let deletions =
            deletions_differ.diff_object(original, modified, node, with_retain_keys, location)?;
        let Some(mut additions) = additions else {
            return Ok(deletions);
        };
        let mut patch = deletions.unwrap_or_default();
        let merger = Merger {
            schema: self.schema,
            target: MergeTarget::Patch,
            is_own_patch: true,
        };
        merger.merge_object(&mut patch, &additions, node, location)?;
        move_element_orders(&mut additions, &mut patch);
        Ok(Some(patch))
    }
}
