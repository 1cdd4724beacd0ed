//! Patches that switch a union to another member, in each form that a client may send.

use core::cell::Cell;
use core::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::union_path::UnionPathStep;
use crate::diff::diff::{Differ, RetainKeys};
use crate::elements::document::{self, InputKind};
use crate::elements::scalar::to_sort_string;
use crate::elements::warning::{PatchWarning, PatchWarningKind};
use crate::error::PatchError;
use crate::merge::directive_names::{DIRECTIVE_MARKER, REPLACE_DIRECTIVE};
use crate::requests::shared_keys::{ComparisonForm, Documents, SharedKeyDiffer};
use crate::schema::schema::PatchSchema;
use k8s_json_internals::deep;
use union_runtime::MemberSpec;
use union_runtime::path::{FieldPath, Path};
use union_runtime::spec::UnionType;

/// Patches that switch a union from one state to another, in each form that a client may send.
/// Applied to an object that contains the old state, each form results in the new state.
///
/// The patches of [`switch`](PatchSchema::switch) patch the union itself. [`field`](Self::field)
/// and [`element`](Self::element) add the path to the union in its object, from the inside out.
///
/// The forms clear the old member in different ways:
///
/// - [`merge_patch`](Self::merge_patch) and [`strategic_patch`](Self::strategic_patch) have a null
///   for each member that the new state does not set, whoever set the member.
/// - [`apply_body`](Self::apply_body) does not contain the member, which clears the member if no
///   other manager owns it: [`field_owners`](Self::field_owners) lists the owners.
///
/// No form deletes a field that the type does not know, except in lists that are replaced as a
/// whole: the live object may have fields of a newer version, or contain an inlined union. No form
/// therefore has `$retainKeys`, which deletes all fields that it does not list; its proposal
/// excludes inlined unions for this reason. [`PatchSchema::diff`] of two whole objects creates
/// `$retainKeys`.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    merge_patch: Value,
    strategic_patch: Value,
    apply_body: Value,
    /// The fields that the switch removes.
    pub(crate) removed_fields: Vec<String>,
    /// The path to the union, from the inside out.
    pub(crate) union_path: Vec<UnionPathStep>,
    /// The maximum depth of documents.
    depth: usize,
    warnings: Vec<PatchWarning>,
}

/// The reason why a switch cannot be created.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SwitchError {
    /// Serde cannot write the union as JSON.
    #[non_exhaustive]
    NotSerializable {
        /// The error of serde.
        error: Arc<serde_json::Error>,
    },
    /// The union serializes as null.
    SerializesAsNull,
    /// The schema of the type is invalid.
    Schema(union_json::SchemaError),
    /// No patch can be created from the states.
    Patch(PatchError),
    /// The list does not have the element.
    #[non_exhaustive]
    ElementNotFound {
        /// The keys of the element, by their JSON names.
        keys: Vec<ElementKey>,
    },
}

/// A key of a list element: a field that identifies the element, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ElementKey {
    /// The JSON name of the field.
    pub name: String,
    /// The value of the field.
    pub value: Value,
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSerializable { error } => write_not_an_object(error, f),
            Self::SerializesAsNull => write_not_an_object(&"it serializes as null", f),
            Self::Schema(error) => error.fmt(f),
            Self::Patch(error) => error.fmt(f),
            Self::ElementNotFound { keys } => {
                f.write_str("the live list has no element with ")?;
                for (i, ElementKey { name, value }) in keys.iter().enumerate() {
                    let separator = if i == 0 { "" } else { ", " };
                    write!(f, "{separator}{name}: {value}")?;
                }
                f.write_str("; pass the list that contains the old state")
            }
        }
    }
}

fn write_not_an_object(problem: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        "the union does not serialize as a JSON object: {problem}; use a struct that does"
    )
}

impl core::error::Error for SwitchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Schema(error) => Some(error),
            Self::Patch(error) => Some(error),
            Self::NotSerializable { error } => Some(&**error),
            Self::SerializesAsNull | Self::ElementNotFound { .. } => None,
        }
    }
}

impl From<PatchError> for SwitchError {
    fn from(error: PatchError) -> Self {
        Self::Patch(error)
    }
}

/// Returns the patches that switch a union from one state to another, with the schema of its type.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use union_runtime::{EnumType, Union};
///
/// #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
/// enum StrategyType {
///     Recreate,
///     RollingUpdate,
/// }
///
/// #[derive(Union, Serialize, Deserialize, JsonSchema)]
/// #[serde(rename_all = "camelCase")]
/// #[schemars(transform = union_runtime::add_unions::<Strategy>)]
/// struct Strategy {
///     #[union(discriminator)]
///     r#type: StrategyType,
///     #[union(member, optional)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     rolling_update: Option<u32>,
/// }
///
/// let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: Some(1) };
/// let new = Strategy { r#type: StrategyType::Recreate, rolling_update: None };
/// let switch = k8s_strategic_merge_patch::switch(&old, &new)?.field("strategy").field("spec");
///
/// assert_eq!(
///     switch.merge_patch(),
///     &json!({"spec": {"strategy": {"type": "Recreate", "rollingUpdate": null}}}),
/// );
/// assert_eq!(
///     switch.strategic_patch(),
///     &json!({"spec": {"strategy": {"type": "Recreate", "rollingUpdate": null}}}),
/// );
/// # Ok::<(), k8s_strategic_merge_patch::SwitchError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the union does not serialize as a JSON object, or if no patch can be created
/// from its states.
#[cfg(feature = "schemars")]
pub fn switch<T: UnionType + Serialize + schemars::JsonSchema>(
    old: &T,
    new: &T,
) -> Result<Switch, SwitchError> {
    let schema = crate::schema::from_rust_type::patch_schema::<T>().map_err(SwitchError::Schema)?;
    schema.switch(old, new)
}

impl PatchSchema {
    /// Returns the patches that switch a union from one state to another; `self` is the schema of
    /// its type.
    ///
    /// # Errors
    ///
    /// Returns an error if the union does not serialize as a JSON object, or if no patch can be
    /// created from its states.
    pub fn switch<T: UnionType + Serialize>(
        &self,
        old: &T,
        new: &T,
    ) -> Result<Switch, SwitchError> {
        let [old, new] = [old, new].map(|state| {
            serde_json::to_value(state).map_err(|error| SwitchError::NotSerializable {
                error: Arc::new(error),
            })
        });
        let mut members = Vec::new();
        T::visit_unions(&mut |union| members.extend(union.members().map(MemberSpec::name)));
        self.switch_values(&old?, new?, &members)
    }

    fn switch_values(
        &self,
        old: &Value,
        new: Value,
        members: &[&str],
    ) -> Result<Switch, SwitchError> {
        let old_object = document::to_object(old, self.depth, InputKind::Document)?;
        let new_object = document::to_object(&new, self.depth, InputKind::Document)?;
        let (Some(old_object), Some(new_object)) = (old_object, new_object) else {
            return Err(SwitchError::SerializesAsNull);
        };
        let is_set = |object: &Map<String, Value>, name: &str| {
            object.get(name).is_some_and(|value| !value.is_null())
        };
        let mut json_merge_patch = merge_patch(old_object, new_object);
        let shared_keys = Cell::new(false);
        let differ = Differ {
            element_orders: true,
            additions: true,
            deletions: true,
            retain_keys: RetainKeys::Omit,
            shared_keys: Some(&shared_keys),
            ..self.differ()
        };
        let strategic_patch =
            differ.diff_object(old_object, new_object, self.root, false, &Path::ROOT);
        let mut warnings = Vec::new();
        let mut strategic_patch = if shared_keys.get() {
            let form = ComparisonForm::TwoWay(RetainKeys::Omit);
            let mut differ = SharedKeyDiffer::new(self, form);
            let patch = differ.diff_documents(Documents {
                original: None,
                modified: new_object.clone(),
                current: old_object.clone(),
            })?;
            warnings = differ.warnings;
            patch
        } else {
            strategic_patch?.unwrap_or_default()
        };
        for member in members.iter().filter(|member| !is_set(new_object, member)) {
            json_merge_patch.insert((*member).to_owned(), Value::Null);
            strategic_patch.insert((*member).to_owned(), Value::Null);
        }
        let removed_fields = old_object
            .keys()
            .filter(|name| is_set(old_object, name) && !is_set(new_object, name));
        Ok(Switch {
            merge_patch: json_merge_patch.into(),
            strategic_patch: strategic_patch.into(),
            removed_fields: removed_fields.cloned().collect(),
            apply_body: without_nulls(new),
            union_path: Vec::new(),
            depth: self.depth,
            warnings,
        })
    }
}

impl Switch {
    /// Wraps the patches in a field with this JSON name, which contains the union or its parent.
    #[must_use]
    pub fn field(mut self, name: &str) -> Self {
        for form in [
            &mut self.merge_patch,
            &mut self.strategic_patch,
            &mut self.apply_body,
        ] {
            *form = Value::Object(Map::from_iter([(name.to_owned(), form.take())]));
        }
        self.union_path.push(UnionPathStep::Field(name.to_owned()));
        let outer = FieldPath::root().field(name);
        self.warnings
            .iter_mut()
            .for_each(|warning| warning.move_below(&outer));
        self
    }

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
    pub fn element(mut self, keys: &[(&str, Value)], live: &Value) -> Result<Self, SwitchError> {
        document::check_depth(live, self.depth)?;
        let mut list = live.as_array().cloned().unwrap_or_default();
        let position = list.iter().position(|element| has_keys(element, keys));
        let warnings = position.map(|position| shared_key_warnings(keys, &list, position));
        let warnings = warnings.unwrap_or_default();
        let mut warning_kinds = warnings.iter().map(PatchWarning::kind);
        let is_replaced = warning_kinds.any(|kind| kind == PatchWarningKind::ListReplaced);
        let Some(element) = position.and_then(|position| list.get_mut(position)) else {
            let keys = keys.iter().cloned();
            let keys = keys.map(|(name, value)| ElementKey {
                name: name.to_owned(),
                value,
            });
            return Err(SwitchError::ElementNotFound {
                keys: keys.collect(),
            });
        };
        merge_into(element, &self.merge_patch);
        let replacing_list = is_replaced.then(|| {
            let marker = json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE });
            Value::Array(
                std::iter::once(marker)
                    .chain(list.iter().cloned())
                    .collect(),
            )
        });
        self.merge_patch = list.into();
        let first_key = keys
            .first()
            .map(|(_, value)| to_sort_string(value).into_owned());
        let first_key = first_key.unwrap_or_default();
        let keys = keys.iter().cloned();
        let keys: Map<String, Value> = keys.map(|(key, value)| (key.to_owned(), value)).collect();
        for form in [&mut self.strategic_patch, &mut self.apply_body] {
            if let Value::Object(element) = form {
                element.extend(keys.clone());
            }
            *form = Value::Array(vec![form.take()]);
        }
        if let Some(replacing_list) = replacing_list {
            self.strategic_patch = replacing_list;
            // The list contains the new state, so no smaller patch remains to warn about. An
            // ambiguous element is still ambiguous in the list.
            self.warnings
                .retain(|warning| warning.kind() == PatchWarningKind::AmbiguousElements);
        }
        let outer = FieldPath::root().key(&first_key);
        self.warnings
            .iter_mut()
            .for_each(|warning| warning.move_below(&outer));
        self.warnings.extend(warnings);
        self.union_path.push(UnionPathStep::Element(keys));
        Ok(self)
    }

    /// Returns the warnings about the strategic merge patch; none if no list has elements that
    /// share their merge key.
    #[must_use]
    pub fn warnings(&self) -> &[PatchWarning] {
        &self.warnings
    }

    /// Returns the JSON merge patch (RFC 7386, `application/merge-patch+json`).
    #[must_use]
    pub const fn merge_patch(&self) -> &Value {
        &self.merge_patch
    }

    /// Returns the strategic merge patch (`application/strategic-merge-patch+json`), for the
    /// built-in types of API servers, which reject strategic merge patches of custom resources.
    #[must_use]
    pub const fn strategic_patch(&self) -> &Value {
        &self.strategic_patch
    }

    /// Returns the body for server-side apply (`application/apply-patch+yaml`): the new state, in
    /// an object with the name and the type of `live`.
    ///
    /// Apply removes fields that the same manager applied before and that are missing in the body.
    /// Add all other fields of the object that the manager applies.
    #[must_use]
    pub fn apply_body(&self, live: &Value) -> Value {
        let mut body = self.apply_body.clone();
        let type_fields = ["apiVersion", "kind"].map(|name| (name, live.get(name)));
        for (name, value) in type_fields {
            if let (Some(value), Value::Object(body)) = (value, &mut body) {
                body.insert(name.to_owned(), deep::copy(value));
            }
        }
        let metadata = ["name", "namespace"].into_iter().filter_map(|name| {
            let value = live.get("metadata")?.get(name)?;
            Some((name.to_owned(), deep::copy(value)))
        });
        let metadata: Map<String, Value> = metadata.collect();
        if let (false, Value::Object(body)) = (metadata.is_empty(), &mut body) {
            body.insert("metadata".to_owned(), metadata.into());
        }
        body
    }

    /// Returns the fields that the switch removes: the JSON names of fields of the union that the
    /// old state sets and the new state does not.
    pub fn removed_fields(&self) -> impl Iterator<Item = &str> {
        self.removed_fields.iter().map(String::as_str)
    }
}

/// Returns true if an element has all these keys.
fn has_keys(element: &Value, keys: &[(&str, Value)]) -> bool {
    keys.iter()
        .all(|(key, value)| element.get(*key) == Some(value))
}

/// Returns the warnings about the first element of a list with all these keys: if an earlier
/// element has the first key, and if a later element has all keys.
fn shared_key_warnings(
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

/// Returns the JSON merge patch between two objects. The function recurses, because the objects are
/// not deeper than the limits allow.
fn merge_patch(
    old_object: &Map<String, Value>,
    new_object: &Map<String, Value>,
) -> Map<String, Value> {
    let mut patch = Map::new();
    for (name, new) in new_object {
        match (old_object.get(name), new) {
            (Some(old), new) if old == new => {}
            (Some(Value::Object(old)), Value::Object(new)) => {
                patch.insert(name.clone(), merge_patch(old, new).into());
            }
            (_, new) => {
                patch.insert(name.clone(), new.clone());
            }
        }
    }
    let removed_names = old_object
        .keys()
        .filter(|name| !new_object.contains_key(*name));
    patch.extend(removed_names.map(|name| (name.clone(), Value::Null)));
    patch
}

/// Applies a JSON merge patch.
fn merge_into(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    if let Value::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.remove(name);
            } else {
                merge_into(target.entry(name.as_str()).or_insert(Value::Null), value);
            }
        }
    }
}

/// Removes nulls, because a null is not part of an apply body.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let set_fields = object.into_iter().filter(|(_, value)| !value.is_null());
            set_fields
                .map(|(name, value)| (name, without_nulls(value)))
                .collect()
        }
        value => value,
    }
}
