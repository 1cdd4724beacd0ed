//! The switch of a union in a list element.

use serde_json::{Map, Value, json};

use super::json_merge_patch::merge_into;
use super::switch::{ElementKey, Switch, SwitchError};
use super::union_path::{UnionPathElement, UnionPathStep};
use crate::elements::document;
use crate::elements::scalar::to_sort_string;
use crate::elements::warning::{PatchWarning, PatchWarningKind};
use crate::merge::directive_names::{DIRECTIVE_MARKER, REPLACE_DIRECTIVE};
use union_runtime::path::{FieldPath, Path};

/// An element of a live list, with the keys by which the forms of a switch find the element.
#[derive(Clone, Copy)]
pub(super) struct ListElement<'l> {
    pub(super) list: &'l [Value],
    pub(super) position: usize,
    /// The merge key first. Empty if strategic merge patches replace the list.
    pub(super) strategic_keys: &'l [(&'l str, Value)],
    /// The keys of a list of type map; empty for other lists.
    pub(super) apply_keys: &'l [(&'l str, Value)],
}

impl Switch {
    /// Wraps the patches in a list element with these keys, by their JSON names; the element is the
    /// union or its parent, and `live` is the list in the live object.
    ///
    /// The JSON merge patch then contains the whole list, because it cannot patch a single element.
    /// Pass the merge key of the list first: an API server finds the element of a strategic merge
    /// patch by this key alone. If an earlier element has the same key, the strategic merge patch
    /// replaces the whole list, and [`warnings`](Self::warnings) names the elements.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use union_runtime::{EnumType, Union};
    /// # #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
    /// # enum Kind { Git, Bucket }
    /// # #[derive(Union, Serialize, Deserialize, JsonSchema)]
    /// # #[schemars(transform = union_runtime::add_unions::<Source>)]
    /// # struct Source {
    /// #     #[union(discriminator)]
    /// #     kind: Kind,
    /// #     #[union(member)]
    /// #     #[serde(skip_serializing_if = "Option::is_none")]
    /// #     git: Option<String>,
    /// #     #[union(member)]
    /// #     #[serde(skip_serializing_if = "Option::is_none")]
    /// #     bucket: Option<String>,
    /// # }
    /// use serde_json::json;
    /// use k8s_strategic_merge_patch::switch;
    ///
    /// let live = json!({
    ///     "metadata": {"name": "p"},
    ///     "sources": [
    ///         {"name": "a", "kind": "Git", "git": "x"}, {"name": "b", "kind": "Git", "git": "y"},
    ///     ],
    /// });
    /// let old = Source { kind: Kind::Git, git: Some("y".into()), bucket: None };
    /// let new = Source { kind: Kind::Bucket, git: None, bucket: Some("z".into()) };
    /// let switch = switch(&old, &new)?
    ///     .element(&[("name", json!("b"))], &live["sources"])?
    ///     .field("sources");
    ///
    /// assert_eq!(switch.removed_fields().collect::<Vec<_>>(), ["git"]);
    /// assert_eq!(
    ///     switch.merge_patch()["sources"][1],
    ///     json!({"name": "b", "kind": "Bucket", "bucket": "z"}),
    /// );
    /// assert_eq!(
    ///     switch.apply_body(&live),
    ///     json!({
    ///         "metadata": {"name": "p"},
    ///         "sources": [{"name": "b", "kind": "Bucket", "bucket": "z"}],
    ///     }),
    /// );
    /// // The live object does not have field managers, so apply would not remove `git`.
    /// assert_eq!(switch.unowned_fields(&live, "me"), ["git"]);
    /// # Ok::<(), k8s_strategic_merge_patch::SwitchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `live` is not a list, or does not have an element with these keys.
    pub fn element(self, keys: &[(&str, Value)], live: &Value) -> Result<Self, SwitchError> {
        document::check_depth(live, self.depth)?;
        let list = live.as_array().map(Vec::as_slice).unwrap_or_default();
        let Some(position) = list.iter().position(|element| has_keys(element, keys)) else {
            let keys = keys.iter().cloned();
            let keys = keys.map(|(name, value)| ElementKey {
                name: name.to_owned(),
                value,
            });
            return Err(SwitchError::ElementNotFound {
                keys: keys.collect(),
            });
        };
        let element = ListElement {
            list,
            position,
            strategic_keys: keys,
            apply_keys: keys,
        };
        let warnings = shared_key_warnings(keys, list, position);
        Ok(self.in_list(&element, warnings))
    }

    /// Wraps the patches in a list element. A form whose keys are empty contains the whole list.
    pub(super) fn in_list(
        mut self,
        element: &ListElement<'_>,
        warnings: Vec<PatchWarning>,
    ) -> Self {
        let ListElement {
            list,
            position,
            strategic_keys,
            apply_keys,
        } = *element;
        let mut new_list = list.to_vec();
        if let Some(element) = new_list.get_mut(position) {
            merge_into(element, &self.merge_patch);
        }
        let is_replaced = |warning: &PatchWarning| warning.kind() == PatchWarningKind::ListReplaced;
        let needs_marker = warnings.iter().any(is_replaced);
        let is_list_replaced = needs_marker || strategic_keys.is_empty();
        self.strategic_patch = if is_list_replaced {
            // The list contains the new state, so no smaller patch remains to warn about. An
            // ambiguous element is still ambiguous in the list.
            self.warnings
                .retain(|warning| warning.kind() == PatchWarningKind::AmbiguousElements);
            let marker = json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE });
            let marker = needs_marker.then_some(marker).into_iter();
            marker.chain(new_list.iter().cloned()).collect()
        } else {
            element_alone(self.strategic_patch.take(), strategic_keys)
        };
        self.apply_body = if apply_keys.is_empty() {
            new_list.clone().into()
        } else {
            element_alone(self.apply_body.take(), apply_keys)
        };
        self.merge_patch = new_list.into();
        let outer = match strategic_keys.first() {
            Some((_, key)) => FieldPath::root().key(&to_sort_string(key)),
            None => FieldPath::root().index(position),
        };
        self.warnings
            .iter_mut()
            .for_each(|warning| warning.move_below(&outer));
        self.warnings.extend(warnings);
        self.union_path
            .push(UnionPathStep::Element(UnionPathElement {
                position,
                keys: to_map(apply_keys),
                is_list_replaced,
            }));
        self
    }
}

/// Returns a list with one element, which has these keys.
fn element_alone(element: Value, keys: &[(&str, Value)]) -> Value {
    let mut element = element;
    if let Value::Object(element) = &mut element {
        element.extend(to_map(keys));
    }
    Value::Array(vec![element])
}

fn to_map(keys: &[(&str, Value)]) -> Map<String, Value> {
    let keys = keys.iter().cloned();
    keys.map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns true if an element has all these keys.
fn has_keys(element: &Value, keys: &[(&str, Value)]) -> bool {
    keys.iter()
        .all(|(key, value)| element.get(*key) == Some(value))
}

/// Returns the warnings about the first element of a list with all these keys: if an earlier
/// element has the first key, and if a later element has all keys.
pub(super) fn shared_key_warnings(
    keys: &[(&str, Value)],
    list: &[Value],
    position: usize,
) -> Vec<PatchWarning> {
    let (Some(first_key), Some((merge_key, _))) = (keys.get(..1), keys.first()) else {
        return Vec::new();
    };
    let warning = |kind, keys| {
        let elements = list.iter().filter(|element| has_keys(element, keys));
        PatchWarning::new(kind, merge_key, elements.cloned().collect(), &Path::ROOT)
    };
    let mut earlier_elements = list.iter().take(position);
    let mut later_elements = list.iter().skip(position + 1);
    let mut warnings = Vec::new();
    if earlier_elements.any(|element| has_keys(element, first_key)) {
        warnings.push(warning(PatchWarningKind::ListReplaced, first_key));
    }
    if later_elements.any(|element| has_keys(element, keys)) {
        warnings.push(warning(PatchWarningKind::AmbiguousElements, keys));
    }
    warnings
}
