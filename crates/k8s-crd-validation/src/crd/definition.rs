//! A decoded CRD: its types are checked, its defaults are set, and the fields that all versions
//! share are moved out of the versions.
//!
//! Kubernetes converts a CRD of `apiextensions.k8s.io/v1` to its internal type before validation.
//! The internal type has a single copy of a schema, or of another field, that is equal in all
//! versions.

use serde_json::Value;

use super::go_types::CRD;
use crate::metadata::meta::{self, ObjectFields};
use crate::schema::depth::MAX_VALUE_DEPTH;
use crate::schema::raw::go_schema;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A decoded CRD.
pub(super) struct CrdDefinition<'v> {
    pub(super) metadata: Option<&'v Value>,
    pub(super) group: &'v str,
    pub(super) scope: &'v str,
    pub(super) names: CrdNames<'v>,
    pub(super) versions: Option<Vec<CrdDefinitionVersion<'v>>>,
    /// The fields that are equal in all versions. The versions do not contain them.
    pub(super) shared: SharedFields<'v>,
    pub(super) conversion: CrdConversion<'v>,
    /// The value of `spec.preserveUnknownFields`.
    pub(super) preserves_unknown: bool,
    pub(super) status: ObjectFields<'v>,
}

/// The names of a resource: `spec.names`, or `status.acceptedNames`.
pub(super) struct CrdNames<'v> {
    pub(super) plural: &'v str,
    pub(super) singular: String,
    pub(super) kind: &'v str,
    pub(super) list_kind: String,
    pub(super) short: &'v [Value],
    pub(super) categories: &'v [Value],
}

/// A version of a CRD.
pub(super) struct CrdDefinitionVersion<'v> {
    pub(super) name: &'v str,
    pub(super) is_served: bool,
    pub(super) is_storage: bool,
    pub(super) is_deprecated: bool,
    /// The value of `deprecationWarning`.
    pub(super) warning: Option<&'v str>,
    /// The fields that are not equal in all versions.
    pub(super) fields: VersionFields<'v>,
}

/// The fields of a version that all versions may share.
#[derive(Clone, Copy, Default)]
pub(super) struct VersionFields<'v> {
    /// The value of `schema`: an object with the field `openAPIV3Schema`.
    pub(super) validation: Option<&'v Value>,
    pub(super) subresources: Option<&'v Value>,
    /// The value of `additionalPrinterColumns`.
    pub(super) columns: Option<&'v [Value]>,
    /// The value of `selectableFields`.
    pub(super) selectable: Option<&'v [Value]>,
}

/// The fields that all versions share.
pub(super) type SharedFields<'v> = VersionFields<'v>;

/// The conversion of objects between versions.
pub(super) struct CrdConversion<'v> {
    pub(super) strategy: &'v str,
    /// The value of `webhook.clientConfig`.
    pub(super) client: Option<ObjectFields<'v>>,
    /// The value of `webhook.conversionReviewVersions`.
    pub(super) review_versions: Option<&'v [Value]>,
}

impl<'v> VersionFields<'v> {
    /// Returns the schema, or `None` if the schema is missing.
    pub(super) fn schema(&self) -> Option<&'v Value> {
        ObjectFields::new(self.validation).get("openAPIV3Schema")
    }

    /// Returns true if the status is a subresource.
    pub(super) fn has_status(&self) -> bool {
        ObjectFields::new(self.subresources).get("status").is_some()
    }
}

impl<'v> CrdDefinition<'v> {
    /// Decodes a CRD.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server cannot decode the CRD. The message is the message of Go's
    /// JSON decoder, unless the object is not a CRD of version `v1` or has too many levels.
    pub(super) fn decode(crd: &'v Value) -> Result<Self, Violation> {
        if k8s_json_internals::deep::is_deeper(crd, MAX_VALUE_DEPTH) {
            return Err(bad_request(format!(
                "the CRD has more than {MAX_VALUE_DEPTH} levels; make it flatter"
            )));
        }
        let message = type_meta_error(crd).or_else(|| crd_kind_error(crd));
        if let Some(message) = message.or_else(|| meta::first_type_error(crd, &CRD)) {
            return Err(bad_request(message));
        }
        let crd = ObjectFields::new(Some(crd));
        let spec = crd.object("spec");
        let mut versions = spec.optional_list("versions").map(|versions| {
            versions
                .iter()
                .map(CrdDefinitionVersion::from_value)
                .collect::<Vec<_>>()
        });
        let shared = take_shared_fields(versions.as_deref_mut().unwrap_or_default());
        Ok(Self {
            metadata: crd.get("metadata"),
            group: spec.string("group"),
            scope: spec.string("scope"),
            names: CrdNames::from_spec(spec.object("names")),
            versions,
            shared,
            conversion: CrdConversion::from_value(spec.get("conversion")),
            preserves_unknown: spec.boolean("preserveUnknownFields"),
            status: crd.object("status"),
        })
    }

    pub(super) fn versions(&self) -> &[CrdDefinitionVersion<'v>] {
        self.versions.as_deref().unwrap_or_default()
    }

    /// Returns the schema of a version, or `None` if the version does not exist or has no schema.
    /// Returns a shared schema for any version.
    pub(super) fn find_schema(&self, version: &str) -> Option<&'v Value> {
        self.shared.schema().or_else(|| {
            let mut versions = self.versions().iter();
            let version = versions.find(|candidate| candidate.name == version)?;
            version.fields.schema()
        })
    }

    /// Returns all schemas: the shared schema, or the schemas of the versions.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'v Value> {
        let version_fields = self.versions().iter().map(|version| version.fields);
        core::iter::once(self.shared)
            .chain(version_fields)
            .filter_map(|fields| fields.schema())
    }
}

fn bad_request(message: String) -> Violation {
    Violation::from_parts(
        ViolationKind::BadRequest,
        FieldPath::root(),
        BadValue::Omitted,
        message,
    )
}

/// Returns the error message of Go for an `apiVersion` or a `kind` that is not a string. A server
/// decodes these two fields before all other fields, and matches their names in any case.
fn type_meta_error(crd: &Value) -> Option<String> {
    let mut fields = crd.as_object()?.iter().filter_map(|(name, value)| {
        let mut expected_fields = ["apiVersion", "kind"].into_iter();
        let field = expected_fields.find(|field| field.eq_ignore_ascii_case(name))?;
        Some((field, value))
    });
    let (field, value) = fields.find(|(_, value)| !value.is_string() && !value.is_null())?;
    let actual_kind = meta::json_kind(value);
    Some(format!(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {actual_kind} into Go struct \
         field .{field} of type string"
    ))
}

/// Returns the error message for a document that is not a CRD of version `v1`. An empty
/// `apiVersion` or `kind` is accepted.
fn crd_kind_error(crd: &Value) -> Option<String> {
    const VERSION: &str = "apiextensions.k8s.io/v1";
    const KIND: &str = "CustomResourceDefinition";
    if !crd.is_object() {
        return Some("expected a CustomResourceDefinition object".to_owned());
    }
    let fields = ObjectFields::new(Some(crd));
    let (version, kind) = (fields.string("apiVersion"), fields.string("kind"));
    let is_accepted = |actual: &str, expected: &str| actual.is_empty() || actual == expected;
    let is_crd = is_accepted(version, VERSION) && is_accepted(kind, KIND);
    (!is_crd).then(|| format!("expected a {KIND} of {VERSION}, not {kind:?} of {version:?}"))
}

impl<'v> CrdNames<'v> {
    /// Reads `spec.names`, and sets the defaults of `singular` and `listKind`.
    fn from_spec(names: ObjectFields<'v>) -> Self {
        let mut names = Self::from_fields(names);
        if !names.kind.is_empty() {
            if names.singular.is_empty() {
                names.singular = meta::names::lowercase(names.kind).into_owned();
            }
            if names.list_kind.is_empty() {
                names.list_kind = format!("{}List", names.kind);
            }
        }
        names
    }

    /// Reads names without defaults.
    pub(super) fn from_fields(names: ObjectFields<'v>) -> Self {
        Self {
            plural: names.string("plural"),
            singular: names.string("singular").to_owned(),
            kind: names.string("kind"),
            list_kind: names.string("listKind").to_owned(),
            short: names.list("shortNames"),
            categories: names.list("categories"),
        }
    }
}

impl<'v> CrdDefinitionVersion<'v> {
    fn from_value(version: &'v Value) -> Self {
        let fields = ObjectFields::new(Some(version));
        Self {
            name: fields.string("name"),
            is_served: fields.boolean("served"),
            is_storage: fields.boolean("storage"),
            is_deprecated: fields.boolean("deprecated"),
            warning: fields.get("deprecationWarning").and_then(Value::as_str),
            fields: VersionFields {
                validation: fields.get("schema"),
                subresources: fields.get("subresources"),
                columns: fields.optional_list("additionalPrinterColumns"),
                selectable: fields.optional_list("selectableFields"),
            },
        }
    }
}

impl<'v> CrdConversion<'v> {
    /// Reads `spec.conversion`. The default strategy is `None`.
    fn from_value(conversion: Option<&'v Value>) -> Self {
        let Some(conversion) = conversion else {
            return Self {
                strategy: "None",
                client: None,
                review_versions: None,
            };
        };
        let fields = ObjectFields::new(Some(conversion));
        let webhook = fields.object("webhook");
        let client = webhook.get("clientConfig");
        Self {
            strategy: fields.string("strategy"),
            client: client.map(|client| ObjectFields::new(Some(client))),
            review_versions: webhook.optional_list("conversionReviewVersions"),
        }
    }

    pub(super) fn review_versions(&self) -> &'v [Value] {
        self.review_versions.unwrap_or_default()
    }
}

/// Removes the fields that are equal in all versions from the versions, and returns them. A server
/// reports errors in such fields once, at paths without a version, such as `spec.validation`.
fn take_shared_fields<'v>(versions: &mut [CrdDefinitionVersion<'v>]) -> SharedFields<'v> {
    let Some(first_fields) = versions.first().map(|version| version.fields) else {
        return SharedFields::default();
    };
    let is_shared = |is_same: &dyn Fn(&VersionFields<'v>) -> bool| {
        versions.iter().all(|version| is_same(&version.fields))
    };
    let shares_validation = is_shared(&|fields| {
        fields.validation.is_some() == first_fields.validation.is_some()
            && go_schema::is_same_schema(fields.schema(), first_fields.schema())
    });
    let shares_subresources =
        is_shared(&|fields| are_equal_subresources(fields.subresources, first_fields.subresources));
    let shares_columns = is_shared(&|fields| {
        have_equal_fields(fields.columns, first_fields.columns, &COLUMN_FIELDS)
    });
    let shares_selectable = is_shared(&|fields| {
        have_equal_fields(fields.selectable, first_fields.selectable, &["jsonPath"])
    });
    for fields in versions.iter_mut().map(|version| &mut version.fields) {
        *fields = VersionFields {
            validation: fields.validation.filter(|_| !shares_validation),
            subresources: fields.subresources.filter(|_| !shares_subresources),
            columns: fields.columns.filter(|_| !shares_columns),
            selectable: fields.selectable.filter(|_| !shares_selectable),
        };
    }
    SharedFields {
        validation: first_fields.validation.filter(|_| shares_validation),
        subresources: first_fields.subresources.filter(|_| shares_subresources),
        columns: first_fields.columns.filter(|_| shares_columns),
        selectable: first_fields.selectable.filter(|_| shares_selectable),
    }
}

/// The fields by which printer columns are compared.
const COLUMN_FIELDS: [&str; 6] = [
    "name",
    "type",
    "format",
    "description",
    "priority",
    "jsonPath",
];

/// Returns true if two `subresources` are equal. A missing path equals an empty path, except for
/// `labelSelectorPath`, which is a pointer in Go.
fn are_equal_subresources(a: Option<&Value>, b: Option<&Value>) -> bool {
    let (fields_a, fields_b) = (ObjectFields::new(a), ObjectFields::new(b));
    let (scale_a, scale_b) = (fields_a.get("scale"), fields_b.get("scale"));
    let paths = ["specReplicasPath", "statusReplicasPath"];
    let (scale_fields_a, scale_fields_b) = (ObjectFields::new(scale_a), ObjectFields::new(scale_b));
    a.is_some() == b.is_some()
        && fields_a.get("status").is_some() == fields_b.get("status").is_some()
        && scale_a.is_some() == scale_b.is_some()
        && paths
            .iter()
            .all(|path| scale_fields_a.string(path) == scale_fields_b.string(path))
        && scale_fields_a.get("labelSelectorPath") == scale_fields_b.get("labelSelectorPath")
}

/// Returns true if the elements of two lists have equal `fields`. A missing list equals an empty
/// list.
fn have_equal_fields(a: Option<&[Value]>, b: Option<&[Value]>, fields: &[&str]) -> bool {
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let is_equal = |(a, b): (&Value, &Value)| {
        let (a, b) = (ObjectFields::new(Some(a)), ObjectFields::new(Some(b)));
        fields.iter().all(|field| match *field {
            "priority" => a.integer(field) == b.integer(field),
            _ => a.string(field) == b.string(field),
        })
    };
    a.len() == b.len() && a.iter().zip(b).all(is_equal)
}
