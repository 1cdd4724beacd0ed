//! A CRD as a server validates it: types are checked, defaults are filled in, and parts that all
//! versions share are separated from the versions.

use serde_json::Value;

use super::go_types::CRD;
use crate::metadata::meta::{self, Fields};
use crate::schema::depth::MAX_VALUE_DEPTH;
use crate::schema::go_schema;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A CRD whose fields have the right types.
pub(super) struct CrdDefinition<'v> {
    pub(super) metadata: Option<&'v Value>,
    pub(super) group: &'v str,
    pub(super) scope: &'v str,
    pub(super) names: CrdNames<'v>,
    pub(super) versions: Option<Vec<CrdDefinitionVersion<'v>>>,
    /// The parts that all versions share. They are removed from the versions.
    pub(super) shared: SharedFields<'v>,
    pub(super) conversion: CrdConversion<'v>,
    pub(super) preserves_unknown: bool,
    pub(super) status: Fields<'v>,
}

/// The names of a resource.
pub(super) struct CrdNames<'v> {
    pub(super) plural: &'v str,
    pub(super) singular: String,
    pub(super) kind: &'v str,
    pub(super) list_kind: String,
    pub(super) short: &'v [Value],
    pub(super) categories: &'v [Value],
}

/// A version of a CRD. `parts` contains only parts that not all versions share.
pub(super) struct CrdDefinitionVersion<'v> {
    pub(super) name: &'v str,
    pub(super) is_served: bool,
    pub(super) is_storage: bool,
    pub(super) is_deprecated: bool,
    pub(super) warning: Option<&'v str>,
    pub(super) fields: VersionFields<'v>,
}

/// The parts that each version has, or that all versions share.
#[derive(Clone, Copy, Default)]
pub(super) struct VersionFields<'v> {
    /// The object that contains the schema.
    pub(super) validation: Option<&'v Value>,
    pub(super) subresources: Option<&'v Value>,
    pub(super) columns: Option<&'v [Value]>,
    pub(super) selectable: Option<&'v [Value]>,
}

pub(super) type SharedFields<'v> = VersionFields<'v>;

/// The conversion of objects between versions.
pub(super) struct CrdConversion<'v> {
    pub(super) strategy: &'v str,
    pub(super) client: Option<Fields<'v>>,
    pub(super) review_versions: Option<&'v [Value]>,
}

impl<'v> VersionFields<'v> {
    /// Returns the schema, if there is one.
    pub(super) fn schema(&self) -> Option<&'v Value> {
        Fields::new(self.validation).get("openAPIV3Schema")
    }

    pub(super) fn has_status(&self) -> bool {
        Fields::new(self.subresources).get("status").is_some()
    }
}

impl<'v> CrdDefinition<'v> {
    /// Reads a CRD.
    ///
    /// # Errors
    ///
    /// Returns an error if a server cannot decode the CRD. The message is the message of Go.
    pub(super) fn decode(crd: &'v Value) -> Result<Self, Violation> {
        if k8s_json_internals::deep::is_deeper(crd, MAX_VALUE_DEPTH) {
            return Err(bad_request(format!(
                "the CRD has more than {MAX_VALUE_DEPTH} levels; make it flatter"
            )));
        }
        let problem = wrong_type_meta(crd).or_else(|| wrong_kind(crd));
        if let Some(problem) = problem.or_else(|| meta::first_type_error(crd, &CRD)) {
            return Err(bad_request(problem));
        }
        let crd = Fields::new(Some(crd));
        let spec = crd.object("spec");
        let mut versions = spec.optional_list("versions").map(|versions| {
            versions
                .iter()
                .map(CrdDefinitionVersion::from_value)
                .collect::<Vec<_>>()
        });
        let common = take_shared_fields(versions.as_deref_mut().unwrap_or_default());
        Ok(Self {
            metadata: crd.get("metadata"),
            group: spec.string("group"),
            scope: spec.string("scope"),
            names: CrdNames::from_spec(spec.object("names")),
            versions,
            shared: common,
            conversion: CrdConversion::from_value(spec.get("conversion")),
            preserves_unknown: spec.boolean("preserveUnknownFields"),
            status: crd.object("status"),
        })
    }

    pub(super) fn versions(&self) -> &[CrdDefinitionVersion<'v>] {
        self.versions.as_deref().unwrap_or_default()
    }

    /// Returns the schema of a version, own or shared. `None` if the version does not exist or has
    /// no schema.
    pub(super) fn find_schema(&self, version: &str) -> Option<&'v Value> {
        self.shared.schema().or_else(|| {
            let mut versions = self.versions().iter();
            let version = versions.find(|other| other.name == version)?;
            version.fields.schema()
        })
    }

    /// Returns all schemas: the shared schema, or the schema of each version.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'v Value> {
        let own = self.versions().iter().map(|version| version.fields);
        core::iter::once(self.shared)
            .chain(own)
            .filter_map(|parts| parts.schema())
    }
}

fn bad_request(problem: String) -> Violation {
    Violation::from_parts(
        ViolationKind::BadRequest,
        FieldPath::root(),
        BadValue::Omitted,
        problem,
    )
}

/// Returns the message of Go for an `apiVersion` or a `kind` that is not a string. A server reads
/// them before all other fields, and ignores the case of their names.
fn wrong_type_meta(crd: &Value) -> Option<String> {
    let mut fields = crd.as_object()?.iter().filter_map(|(name, value)| {
        let known = ["apiVersion", "kind"].into_iter();
        let mut known = known.filter(|field| field.eq_ignore_ascii_case(name));
        Some((known.next()?, value))
    });
    let (field, value) = fields.find(|(_, value)| !value.is_string() && !value.is_null())?;
    let found = meta::json_kind(value);
    Some(format!(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into Go struct \
         field .{field} of type string"
    ))
}

/// Returns the problem with a document that is not a CRD of version `v1`. An empty `apiVersion` or
/// `kind` is accepted.
fn wrong_kind(crd: &Value) -> Option<String> {
    const VERSION: &str = "apiextensions.k8s.io/v1";
    const KIND: &str = "CustomResourceDefinition";
    if !crd.is_object() {
        return Some("expected a CustomResourceDefinition object".to_owned());
    }
    let of = Fields::new(Some(crd));
    let (version, kind) = (of.string("apiVersion"), of.string("kind"));
    let is = |said: &str, wanted: &str| said.is_empty() || said == wanted;
    let is_it = is(version, VERSION) && is(kind, KIND);
    (!is_it).then(|| format!("expected a {KIND} of {VERSION}, not {kind:?} of {version:?}"))
}

impl<'v> CrdNames<'v> {
    /// Reads the names of a spec, and fills in the defaults of `singular` and `listKind`.
    fn from_spec(names: Fields<'v>) -> Self {
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

    pub(super) fn from_fields(names: Fields<'v>) -> Self {
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
        let of = Fields::new(Some(version));
        Self {
            name: of.string("name"),
            is_served: of.boolean("served"),
            is_storage: of.boolean("storage"),
            is_deprecated: of.boolean("deprecated"),
            warning: of.get("deprecationWarning").and_then(Value::as_str),
            fields: VersionFields {
                validation: of.get("schema"),
                subresources: of.get("subresources"),
                columns: of.optional_list("additionalPrinterColumns"),
                selectable: of.optional_list("selectableFields"),
            },
        }
    }
}

impl<'v> CrdConversion<'v> {
    fn from_value(conversion: Option<&'v Value>) -> Self {
        let Some(conversion) = conversion else {
            return Self {
                strategy: "None",
                client: None,
                review_versions: None,
            };
        };
        let of = Fields::new(Some(conversion));
        let webhook = of.object("webhook");
        let client = webhook.get("clientConfig");
        Self {
            strategy: of.string("strategy"),
            client: client.map(|client| Fields::new(Some(client))),
            review_versions: webhook.optional_list("conversionReviewVersions"),
        }
    }

    pub(super) fn review_versions(&self) -> &'v [Value] {
        self.review_versions.unwrap_or_default()
    }
}

/// Moves the parts that all versions share out of the versions. A server stores shared parts once,
/// and reports errors in them at the path of the shared part.
fn take_shared_fields<'v>(versions: &mut [CrdDefinitionVersion<'v>]) -> SharedFields<'v> {
    let Some(first) = versions.first().map(|version| version.fields) else {
        return SharedFields::default();
    };
    let all = |is_same: &dyn Fn(&VersionFields<'v>) -> bool| {
        versions.iter().all(|version| is_same(&version.fields))
    };
    let validation = all(&|parts| {
        parts.validation.is_some() == first.validation.is_some()
            && go_schema::is_same_schema(parts.schema(), first.schema())
    });
    let subresources = all(&|parts| is_same_subresources(parts.subresources, first.subresources));
    let columns = all(&|parts| is_same_rows(parts.columns, first.columns, &COLUMN));
    let selectable = all(&|parts| is_same_rows(parts.selectable, first.selectable, &["jsonPath"]));
    for parts in versions.iter_mut().map(|version| &mut version.fields) {
        *parts = VersionFields {
            validation: parts.validation.filter(|_| !validation),
            subresources: parts.subresources.filter(|_| !subresources),
            columns: parts.columns.filter(|_| !columns),
            selectable: parts.selectable.filter(|_| !selectable),
        };
    }
    SharedFields {
        validation: first.validation.filter(|_| validation),
        subresources: first.subresources.filter(|_| subresources),
        columns: first.columns.filter(|_| columns),
        selectable: first.selectable.filter(|_| selectable),
    }
}

const COLUMN: [&str; 6] = [
    "name",
    "type",
    "format",
    "description",
    "priority",
    "jsonPath",
];

fn is_same_subresources(a: Option<&Value>, b: Option<&Value>) -> bool {
    let (in_a, in_b) = (Fields::new(a), Fields::new(b));
    let (scale_a, scale_b) = (in_a.get("scale"), in_b.get("scale"));
    let paths = ["specReplicasPath", "statusReplicasPath"];
    let (of_a, of_b) = (Fields::new(scale_a), Fields::new(scale_b));
    a.is_some() == b.is_some()
        && in_a.get("status").is_some() == in_b.get("status").is_some()
        && scale_a.is_some() == scale_b.is_some()
        && paths
            .iter()
            .all(|path| of_a.string(path) == of_b.string(path))
        && of_a.get("labelSelectorPath") == of_b.get("labelSelectorPath")
}

/// Returns true if two lists have equal rows, compared by `fields`. A missing list equals an empty
/// list.
fn is_same_rows(a: Option<&[Value]>, b: Option<&[Value]>, fields: &[&str]) -> bool {
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let same = |(a, b): (&Value, &Value)| {
        let (a, b) = (Fields::new(Some(a)), Fields::new(Some(b)));
        fields.iter().all(|field| match *field {
            "priority" => a.integer(field) == b.integer(field),
            _ => a.string(field) == b.string(field),
        })
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
