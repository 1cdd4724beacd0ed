//! A CRD as a server validates it: types are checked, defaults are filled in, and parts that all
//! versions share are separated from the versions.

use serde_json::Value;

use super::shape::CRD;
use crate::metadata::meta::{self, Fields};
use crate::schema::depth::NESTED;
use crate::schema::go;
use union_runtime::path::FieldPath;
use union_runtime::{Found, Violation, ViolationKind};

/// A CRD whose fields have the right types.
pub(super) struct Definition<'v> {
    pub(super) metadata: Option<&'v Value>,
    pub(super) group: &'v str,
    pub(super) scope: &'v str,
    pub(super) names: Names<'v>,
    pub(super) versions: Option<Vec<Version<'v>>>,
    /// The parts that all versions share. They are removed from the versions.
    pub(super) common: Common<'v>,
    pub(super) conversion: Conversion<'v>,
    pub(super) preserves_unknown: bool,
    pub(super) status: Fields<'v>,
}

/// The names of a resource.
pub(super) struct Names<'v> {
    pub(super) plural: &'v str,
    pub(super) singular: String,
    pub(super) kind: &'v str,
    pub(super) list_kind: String,
    pub(super) short: &'v [Value],
    pub(super) categories: &'v [Value],
}

/// A version of a CRD. `parts` contains only parts that not all versions share.
pub(super) struct Version<'v> {
    pub(super) name: &'v str,
    pub(super) is_served: bool,
    pub(super) is_stored: bool,
    pub(super) is_deprecated: bool,
    pub(super) warning: Option<&'v str>,
    pub(super) parts: Parts<'v>,
}

/// The parts that each version has, or that all versions share.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts<'v> {
    /// The object that contains the schema.
    pub(super) validation: Option<&'v Value>,
    pub(super) subresources: Option<&'v Value>,
    pub(super) columns: Option<&'v [Value]>,
    pub(super) selectable: Option<&'v [Value]>,
}

pub(super) type Common<'v> = Parts<'v>;

/// The conversion of objects between versions.
pub(super) struct Conversion<'v> {
    pub(super) strategy: &'v str,
    pub(super) client: Option<Fields<'v>>,
    pub(super) review_versions: Option<&'v [Value]>,
}

impl<'v> Parts<'v> {
    /// Returns the schema, if there is one.
    pub(super) fn schema(&self) -> Option<&'v Value> {
        Fields::of(self.validation).get("openAPIV3Schema")
    }

    pub(super) fn has_status(&self) -> bool {
        Fields::of(self.subresources).get("status").is_some()
    }
}

impl<'v> Definition<'v> {
    /// Reads a CRD.
    ///
    /// # Errors
    ///
    /// Returns an error if a server cannot decode the CRD. The message is the message of Go.
    pub(super) fn read(crd: &'v Value) -> Result<Self, Violation> {
        if k8s_json_internals::deep::is_deeper(crd, NESTED) {
            return Err(bad_request(format!(
                "the CRD has more than {NESTED} levels; make it flatter"
            )));
        }
        if let Some(problem) = wrong_kind(crd).or_else(|| meta::first_wrong(crd, &CRD)) {
            return Err(bad_request(problem));
        }
        let crd = Fields::of(Some(crd));
        let spec = crd.inside("spec");
        let mut versions = spec
            .array("versions")
            .map(|versions| versions.iter().map(Version::read).collect::<Vec<_>>());
        let common = take_common(versions.as_deref_mut().unwrap_or_default());
        Ok(Self {
            metadata: crd.get("metadata"),
            group: spec.text("group"),
            scope: spec.text("scope"),
            names: Names::of_spec(spec.inside("names")),
            versions,
            common,
            conversion: Conversion::read(spec.get("conversion")),
            preserves_unknown: spec.boolean("preserveUnknownFields"),
            status: crd.inside("status"),
        })
    }

    pub(super) fn versions(&self) -> &[Version<'v>] {
        self.versions.as_deref().unwrap_or_default()
    }

    /// Returns the schema of a version, own or shared. `None` if the version does not exist or has
    /// no schema.
    pub(super) fn schema_of(&self, version: &str) -> Option<&'v Value> {
        self.common.schema().or_else(|| {
            let mut versions = self.versions().iter();
            let version = versions.find(|other| other.name == version)?;
            version.parts.schema()
        })
    }

    /// Returns all schemas: the shared schema, or the schema of each version.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'v Value> {
        let own = self.versions().iter().map(|version| version.parts);
        core::iter::once(self.common)
            .chain(own)
            .filter_map(|parts| parts.schema())
    }
}

fn bad_request(problem: String) -> Violation {
    Violation::found(
        ViolationKind::BadRequest,
        FieldPath::root(),
        Found::Nothing,
        problem,
    )
}

/// Returns the problem with a document that is not a CRD of version `v1`. An empty `apiVersion` or
/// `kind` is accepted.
fn wrong_kind(crd: &Value) -> Option<String> {
    const VERSION: &str = "apiextensions.k8s.io/v1";
    const KIND: &str = "CustomResourceDefinition";
    if !crd.is_object() {
        return Some("expected a CustomResourceDefinition object".to_owned());
    }
    let of = Fields::of(Some(crd));
    let (version, kind) = (of.text("apiVersion"), of.text("kind"));
    let is = |said: &str, wanted: &str| said.is_empty() || said == wanted;
    let is_it = is(version, VERSION) && is(kind, KIND);
    (!is_it).then(|| format!("expected a {KIND} of {VERSION}, not {kind:?} of {version:?}"))
}

impl<'v> Names<'v> {
    /// Reads the names of a spec, and fills in the defaults of `singular` and `listKind`.
    fn of_spec(names: Fields<'v>) -> Self {
        let mut names = Self::read(names);
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

    pub(super) fn read(names: Fields<'v>) -> Self {
        Self {
            plural: names.text("plural"),
            singular: names.text("singular").to_owned(),
            kind: names.text("kind"),
            list_kind: names.text("listKind").to_owned(),
            short: names.list("shortNames"),
            categories: names.list("categories"),
        }
    }
}

impl<'v> Version<'v> {
    fn read(version: &'v Value) -> Self {
        let of = Fields::of(Some(version));
        Self {
            name: of.text("name"),
            is_served: of.boolean("served"),
            is_stored: of.boolean("storage"),
            is_deprecated: of.boolean("deprecated"),
            warning: of.get("deprecationWarning").and_then(Value::as_str),
            parts: Parts {
                validation: of.get("schema"),
                subresources: of.get("subresources"),
                columns: of.array("additionalPrinterColumns"),
                selectable: of.array("selectableFields"),
            },
        }
    }
}

impl<'v> Conversion<'v> {
    fn read(conversion: Option<&'v Value>) -> Self {
        let Some(conversion) = conversion else {
            return Self {
                strategy: "None",
                client: None,
                review_versions: None,
            };
        };
        let of = Fields::of(Some(conversion));
        let webhook = of.inside("webhook");
        let client = webhook.get("clientConfig");
        Self {
            strategy: of.text("strategy"),
            client: client.map(|client| Fields::of(Some(client))),
            review_versions: webhook.array("conversionReviewVersions"),
        }
    }

    pub(super) fn review_versions(&self) -> &'v [Value] {
        self.review_versions.unwrap_or_default()
    }
}

/// Moves the parts that all versions share out of the versions. A server stores shared parts once,
/// and reports errors in them at the path of the shared part.
fn take_common<'v>(versions: &mut [Version<'v>]) -> Common<'v> {
    let Some(first) = versions.first().map(|version| version.parts) else {
        return Common::default();
    };
    let all = |is_same: &dyn Fn(&Parts<'v>) -> bool| {
        versions.iter().all(|version| is_same(&version.parts))
    };
    let validation = all(&|parts| {
        parts.validation.is_some() == first.validation.is_some()
            && go::same(parts.schema(), first.schema())
    });
    let subresources = all(&|parts| same_subresources(parts.subresources, first.subresources));
    let columns = all(&|parts| same_rows(parts.columns, first.columns, &COLUMN));
    let selectable = all(&|parts| same_rows(parts.selectable, first.selectable, &["jsonPath"]));
    for parts in versions.iter_mut().map(|version| &mut version.parts) {
        *parts = Parts {
            validation: parts.validation.filter(|_| !validation),
            subresources: parts.subresources.filter(|_| !subresources),
            columns: parts.columns.filter(|_| !columns),
            selectable: parts.selectable.filter(|_| !selectable),
        };
    }
    Common {
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

fn same_subresources(a: Option<&Value>, b: Option<&Value>) -> bool {
    let (in_a, in_b) = (Fields::of(a), Fields::of(b));
    let (scale_a, scale_b) = (in_a.get("scale"), in_b.get("scale"));
    let paths = ["specReplicasPath", "statusReplicasPath"];
    let (of_a, of_b) = (Fields::of(scale_a), Fields::of(scale_b));
    a.is_some() == b.is_some()
        && in_a.get("status").is_some() == in_b.get("status").is_some()
        && scale_a.is_some() == scale_b.is_some()
        && paths.iter().all(|path| of_a.text(path) == of_b.text(path))
        && of_a.get("labelSelectorPath") == of_b.get("labelSelectorPath")
}

/// Returns true if two lists have equal rows, compared by `fields`. A missing list equals an empty
/// list.
fn same_rows(a: Option<&[Value]>, b: Option<&[Value]>, fields: &[&str]) -> bool {
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let same = |(a, b): (&Value, &Value)| {
        let (a, b) = (Fields::of(Some(a)), Fields::of(Some(b)));
        fields.iter().all(|field| match *field {
            "priority" => a.integer(field) == b.integer(field),
            _ => a.text(field) == b.text(field),
        })
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}
