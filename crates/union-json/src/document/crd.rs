//! Views of a `CustomResourceDefinition` and of its versions.
//!
//! [`Crd`] and [`CrdVersion`] borrow the JSON of the CRD. Each method looks up one field, and a
//! field with the wrong type counts as missing. To check that an API server accepts a CRD, use the
//! crate `k8s-crd-validation`.

use serde_json::Value;

use crate::document::reference::longest_valid_prefix;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;

/// A view of the JSON of a `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.
///
/// ```
/// use serde_json::json;
/// use union_json::document::Crd;
///
/// let json = json!({
///     "kind": "CustomResourceDefinition",
///     "metadata": {"name": "backups.example.com"},
///     "spec": {
///         "group": "example.com",
///         "names": {"kind": "Backup", "plural": "backups"},
///         "versions": [
///             {"name": "v1", "served": true, "storage": false},
///             {"name": "v2", "served": true, "storage": true, "subresources": {"status": {}},
///              "schema": {"openAPIV3Schema": {"type": "object"}}},
///         ],
///     },
/// });
/// let crd = Crd::from_object(&json).expect("the kind is CustomResourceDefinition");
/// assert_eq!(crd.group(), Some("example.com"));
/// assert_eq!(crd.kind(), Some("Backup"));
///
/// let version = crd.find_version(None)?;
/// assert_eq!(version.name(), Some("v2"));
/// assert!(version.has_status_subresource());
/// assert_eq!(version.schema(), json.pointer(&version.schema_pointer()));
///
/// let error = crd.find_version(Some("v3")).unwrap_err();
/// assert!(error.message().contains(r#"use one of: "v1", "v2""#));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Crd<'v> {
    json: &'v Value,
}

/// A view of a version of a [`Crd`]: an entry of `spec.versions`.
#[derive(Clone, Copy, Debug)]
pub struct CrdVersion<'v> {
    index: usize,
    json: &'v Value,
}

/// The JSON pointer to the schema of a version, relative to the entry of `spec.versions`.
const SCHEMA_POINTER: &str = "/schema/openAPIV3Schema";

impl<'v> Crd<'v> {
    /// Creates a view of a CRD. The `kind` of the JSON is not checked.
    #[must_use]
    pub const fn new(json: &'v Value) -> Self {
        Self { json }
    }

    /// Creates a view of an object if its `kind` is `CustomResourceDefinition`. Returns `None` for
    /// other kinds.
    #[must_use]
    pub fn from_object(object: &'v Value) -> Option<Self> {
        let kind = object.get("kind")?;
        (kind == "CustomResourceDefinition").then_some(Self::new(object))
    }

    /// Returns the JSON that the view reads.
    #[must_use]
    pub const fn json(self) -> &'v Value {
        self.json
    }

    /// Returns the string at a JSON pointer.
    fn string(self, pointer: &str) -> Option<&'v str> {
        // `Value::pointer` would allocate strings to unescape the names, which have no escapes.
        let mut names = pointer.split('/').skip(1);
        names
            .try_fold(self.json, |value, name| value.get(name))?
            .as_str()
    }

    /// Returns the name of the CRD itself, such as `backups.example.com`.
    #[must_use]
    pub fn name(self) -> Option<&'v str> {
        self.string("/metadata/name")
    }

    /// Returns the API group of the objects.
    #[must_use]
    pub fn group(self) -> Option<&'v str> {
        self.string("/spec/group")
    }

    /// Returns the kind of the objects.
    #[must_use]
    pub fn kind(self) -> Option<&'v str> {
        self.string("/spec/names/kind")
    }

    /// Returns the plural name of the resource, which is part of URLs.
    #[must_use]
    pub fn plural(self) -> Option<&'v str> {
        self.string("/spec/names/plural")
    }

    /// Returns true if the objects have a namespace, because `spec.scope` is not `Cluster`.
    #[must_use]
    pub fn is_namespaced(self) -> bool {
        self.string("/spec/scope") != Some("Cluster")
    }

    /// Returns true if a webhook converts objects between the versions of the CRD.
    #[must_use]
    pub fn is_converted_by_webhook(self) -> bool {
        self.string("/spec/conversion/strategy") == Some("Webhook")
    }

    fn version_entries(self) -> Option<&'v [Value]> {
        let versions = self.json.pointer("/spec/versions")?.as_array()?;
        Some(versions)
    }

    /// Returns true if `spec.versions` is a list, which may be empty.
    #[must_use]
    pub fn has_version_list(self) -> bool {
        self.version_entries().is_some()
    }

    /// Returns the versions in the order of `spec.versions`. The result is empty if `spec.versions`
    /// is not a list.
    #[must_use]
    pub fn versions(
        self,
    ) -> impl DoubleEndedIterator<Item = CrdVersion<'v>> + ExactSizeIterator + Clone {
        let entries = self
            .version_entries()
            .unwrap_or_default()
            .iter()
            .enumerate();
        entries.map(|(index, json)| CrdVersion { index, json })
    }

    /// Returns the first version with this name.
    #[must_use]
    pub fn version(self, name: &str) -> Option<CrdVersion<'v>> {
        self.versions().find(|version| version.name() == Some(name))
    }

    /// Returns the version in which an API server stores objects: the first version with
    /// `storage: true`.
    #[must_use]
    pub fn stored_version(self) -> Option<CrdVersion<'v>> {
        self.versions().find(|version| version.is_stored())
    }

    /// Returns the version with this name. Without a name, returns the stored version, or the only
    /// version.
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD does not have versions, or does not have a version with this
    /// name. Without a name, returns an error if there are several versions, but no stored version.
    pub fn find_version(self, name: Option<&str>) -> Result<CrdVersion<'v>, SchemaError> {
        let mut versions = self.versions();
        if versions.len() == 0 {
            return Err(SchemaError::new(
                longest_valid_prefix(self.json, "/spec/versions"),
                "`spec.versions` is missing or empty; expected a CustomResourceDefinition of \
                 apiextensions.k8s.io/v1",
            ));
        }
        let version = match name {
            Some(name) => self.version(name),
            None if versions.len() == 1 => versions.next(),
            None => self.stored_version(),
        };
        version.ok_or_else(|| {
            let names = self.versions().filter_map(CrdVersion::name);
            let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
            let names = names.join(", ");
            let problem = match name {
                Some(name) => format!("unknown version {name:?}; use one of: {names}"),
                None => format!("the CRD has no storage version; name one of: {names}"),
            };
            SchemaError::new("/spec/versions", problem)
        })
    }
}

impl<'v> CrdVersion<'v> {
    /// Returns the position of the version in `spec.versions`.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// Returns the entry of `spec.versions` that the view reads.
    #[must_use]
    pub const fn json(self) -> &'v Value {
        self.json
    }

    /// Returns the name, such as `v1`.
    #[must_use]
    pub fn name(self) -> Option<&'v str> {
        self.json.get("name")?.as_str()
    }

    /// Returns the value of `served`, or `None` if the value is missing or not a boolean.
    /// Kubernetes requires this field, but a CRD that is written by hand for a tool may omit the
    /// field.
    #[must_use]
    pub fn served(self) -> Option<bool> {
        self.json.get("served")?.as_bool()
    }

    /// Returns true if an API server stores objects in this version, because `storage` is true.
    #[must_use]
    pub fn is_stored(self) -> bool {
        self.json.get("storage") == Some(&Value::Bool(true))
    }

    /// Returns true if `status` is a subresource of the objects, because `subresources.status` is
    /// an object.
    #[must_use]
    pub fn has_status_subresource(self) -> bool {
        let status = self.json.pointer("/subresources/status");
        status.is_some_and(Value::is_object)
    }

    /// Returns the schema of the objects: the value of `schema.openAPIV3Schema`, even if the value
    /// is not an object.
    #[must_use]
    pub fn schema(self) -> Option<&'v Value> {
        self.json.pointer(SCHEMA_POINTER)
    }

    /// Returns the JSON pointer from the CRD to the schema of this version, such as
    /// `/spec/versions/0/schema/openAPIV3Schema`, even if the schema is missing.
    #[must_use]
    pub fn schema_pointer(self) -> String {
        format!("/spec/versions/{}{SCHEMA_POINTER}", self.index)
    }

    /// Returns the schema as a document of its own, with its JSON pointer in the CRD.
    ///
    /// # Errors
    ///
    /// Returns an error if the version does not have a schema.
    pub fn located_schema(self) -> Result<SchemaInDocument<'v>, SchemaError> {
        if let Some(schema) = self.schema() {
            return Ok(SchemaInDocument::standalone(schema, &self.schema_pointer()));
        }
        let name = self.name().unwrap_or_default();
        let pointer = format!(
            "/spec/versions/{}{}",
            self.index,
            longest_valid_prefix(self.json, SCHEMA_POINTER)
        );
        Err(SchemaError::new(
            pointer,
            format!(
                "version {name:?} has no `schema.openAPIV3Schema`, which apiextensions.k8s.io/v1 \
                 requires"
            ),
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Crd, CrdVersion};

    fn crd_with_versions(versions: &Value) -> Value {
        json!({"spec": {"versions": versions}})
    }

    #[test]
    fn from_object_accepts_only_the_kind_of_crds() {
        let crd = json!({"kind": "CustomResourceDefinition"});
        assert!(Crd::from_object(&crd).is_some());
        for object in [json!({"kind": "Backup"}), json!({}), json!([]), json!(null)] {
            assert!(Crd::from_object(&object).is_none(), "{object}");
        }
    }

    #[test]
    fn fields_with_the_wrong_type_count_as_missing() {
        for wrong in [json!(1), json!(null), json!([]), json!({})] {
            let json = json!({
                "metadata": {"name": wrong},
                "spec": {
                    "group": wrong, "names": {"kind": wrong, "plural": wrong},
                    "scope": wrong, "conversion": {"strategy": wrong},
                    "versions": [{
                        "name": wrong, "served": wrong, "storage": wrong,
                        "subresources": wrong,
                    }],
                },
            });
            let crd = Crd::new(&json);
            let strings = [crd.name(), crd.group(), crd.kind(), crd.plural()];
            assert_eq!(strings, [None; 4], "{wrong}");
            assert!(
                crd.is_namespaced() && !crd.is_converted_by_webhook(),
                "{wrong}"
            );
            let version = crd.find_version(None).unwrap();
            assert_eq!((version.name(), version.served()), (None, None), "{wrong}");
            assert!(
                !version.is_stored() && !version.has_status_subresource(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn without_a_version_list_there_are_no_versions() {
        for json in [json!(null), json!({}), crd_with_versions(&json!({"a": {}}))] {
            let crd = Crd::new(&json);
            assert!(
                !crd.has_version_list() && crd.versions().len() == 0,
                "{json}"
            );
        }
        let json = crd_with_versions(&json!([]));
        assert!(Crd::new(&json).has_version_list());
        assert_eq!(Crd::new(&json).versions().len(), 0);
    }

    #[test]
    fn of_versions_with_one_name_the_first_is_returned() {
        let json = crd_with_versions(&json!([
            {"name": "v1", "storage": "true"},
            {"name": "v2", "storage": true, "served": false},
            {"name": "v2", "storage": true, "served": true},
        ]));
        let crd = Crd::new(&json);
        assert_eq!(crd.version("v2").map(CrdVersion::index), Some(1));
        assert_eq!(crd.version("v2").unwrap().served(), Some(false));
        assert_eq!(crd.stored_version().map(CrdVersion::index), Some(1));
        assert_eq!(crd.find_version(None).unwrap().index(), 1);
        assert!(crd.version("v3").is_none());
    }

    #[test]
    fn the_only_version_is_the_default_even_if_not_stored() {
        let json = crd_with_versions(&json!([{"name": "v1"}]));
        let crd = Crd::new(&json);
        assert!(crd.stored_version().is_none());
        assert_eq!(crd.find_version(None).unwrap().name(), Some("v1"));
        let json = crd_with_versions(&json!([{"name": "v1"}, {"name": "v2"}]));
        let error = Crd::new(&json).find_version(None).unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"/spec/versions: the CRD has no storage version; name one of: "v1", "v2""#,
        );
    }

    #[test]
    fn an_error_has_the_pointer_to_the_innermost_existing_value() {
        let error_pointer = |json: &Value| {
            Crd::new(json)
                .find_version(None)
                .unwrap_err()
                .pointer()
                .to_owned()
        };
        assert_eq!(error_pointer(&json!({})), "");
        assert_eq!(error_pointer(&json!({"spec": {}})), "/spec");
        assert_eq!(
            error_pointer(&crd_with_versions(&json!([]))),
            "/spec/versions"
        );

        let json = crd_with_versions(&json!([{"name": "v1"}, {"name": "v2", "schema": {}}]));
        let pointers: Vec<String> = Crd::new(&json)
            .versions()
            .map(|version| version.located_schema().unwrap_err().pointer().to_owned())
            .collect();
        assert_eq!(pointers, ["/spec/versions/0", "/spec/versions/1/schema"]);
    }
}
