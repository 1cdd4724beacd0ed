//! Patches that switch a union to another member, in each form that a client may send.

use core::cell::Cell;
use core::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::json_merge_patch::{is_set, merge_into, merge_patch, without_nulls};
use super::union_path::{UnionPathElement, UnionPathStep};
use crate::diff::diff::{Differ, RetainKeys};
use crate::elements::document::{self, InputKind};
use crate::elements::warning::PatchWarning;
use crate::error::PatchError;
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
    pub(super) merge_patch: Value,
    pub(super) strategic_patch: Value,
    pub(super) apply_body: Value,
    /// The fields that the switch removes.
    pub(super) removed_fields: Vec<String>,
    /// The path to the union, from the inside out.
    pub(super) union_path: Vec<UnionPathStep>,
    /// The maximum depth of documents.
    pub(super) depth: usize,
    pub(super) warnings: Vec<PatchWarning>,
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
        self.switch_values(&old?, &new?, &members)
    }

    fn switch_values(
        &self,
        old: &Value,
        new: &Value,
        members: &[&str],
    ) -> Result<Switch, SwitchError> {
        let old_object = document::to_object(old, self.depth, InputKind::Document)?;
        let new_object = document::to_object(new, self.depth, InputKind::Document)?;
        let (Some(old_object), Some(new_object)) = (old_object, new_object) else {
            return Err(SwitchError::SerializesAsNull);
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
        let mut switch = Switch::new(old_object, new_object, self.depth);
        switch.merge_patch = json_merge_patch.into();
        switch.strategic_patch = strategic_patch.into();
        switch.warnings = warnings;
        Ok(switch)
    }
}

impl Switch {
    /// Creates the switch from an old to a new state of a union, with empty patches.
    pub(super) fn new(
        old_object: &Map<String, Value>,
        new_object: &Map<String, Value>,
        depth: usize,
    ) -> Self {
        let removed_fields = old_object
            .keys()
            .filter(|name| is_set(old_object, name) && !is_set(new_object, name));
        Self {
            merge_patch: json!({}),
            strategic_patch: json!({}),
            removed_fields: removed_fields.cloned().collect(),
            apply_body: without_nulls(new_object.clone().into()),
            union_path: Vec::new(),
            depth,
            warnings: Vec::new(),
        }
    }

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

    /// Returns the path of the outermost list that the JSON merge patch replaces as a whole; `None`
    /// if the union is in no list. Changes that others make to the list in the meantime are lost.
    #[must_use]
    pub fn list_in_merge_patch(&self) -> Option<FieldPath> {
        self.outermost_list(|_| true)
    }

    /// Returns the path of the outermost list that the strategic merge patch replaces as a whole,
    /// because the elements have no merge key, or share one; `None` if there is no such list.
    #[must_use]
    pub fn list_in_strategic_patch(&self) -> Option<FieldPath> {
        self.outermost_list(|element| element.is_list_replaced)
    }

    fn outermost_list(&self, is_replaced: impl Fn(&UnionPathElement) -> bool) -> Option<FieldPath> {
        let mut path = FieldPath::root();
        for step in self.union_path.iter().rev() {
            path = match step {
                UnionPathStep::Field(name) => path.field(name),
                UnionPathStep::Element(element) if is_replaced(element) => return Some(path),
                UnionPathStep::Element(element) => path.index(element.position),
            };
        }
        None
    }

    /// Returns the live object after the switch.
    #[must_use]
    pub fn switched_object(&self, live: &Value) -> Value {
        let mut object = deep::copy(live);
        merge_into(&mut object, &self.merge_patch);
        object
    }

    /// Returns the fields that the switch removes: the JSON names of fields of the union that the
    /// old state sets and the new state does not.
    pub fn removed_fields(&self) -> impl Iterator<Item = &str> {
        self.removed_fields.iter().map(String::as_str)
    }
}
