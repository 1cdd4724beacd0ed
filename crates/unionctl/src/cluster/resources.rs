//! Finds the resource, the CRD and the schema of a kind, by the discovery documents of the server.

use k8s_yaml::Document;
use serde::Deserialize;
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};

use super::api_path::ApiPath;
use super::kubectl::ReadError;
use crate::input::object::GroupVersionKind;

/// A resource of an API server: the plural name of a kind in a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) plural: String,
    pub(super) kind: String,
    pub(super) is_namespaced: bool,
}

/// The result of a search for the CRD of a kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CrdLookup {
    Found(Value),
    /// The kind is part of Kubernetes, or of another API server.
    WithoutCrd,
    NotServed,
    /// The CRD cannot be read, and the error was reported.
    Unread,
}

/// A document of the cluster that describes a kind.
#[derive(Debug)]
pub(crate) enum LiveSchema {
    Crd(Value),
    /// An `OpenAPI` document, with the name of the schema.
    OpenApi(Value, String),
}

/// The resources of a group and a version.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ResourceList {
    resources: Vec<DiscoveredResource>,
}

#[derive(Debug, Deserialize)]
struct DiscoveredResource {
    name: String,
    kind: String,
    namespaced: bool,
}

impl ResourceList {
    /// Returns the resource of a kind. Names of subresources contain a slash.
    pub(super) fn find(&self, object_type: GroupVersionKind<'_>) -> Option<Resource> {
        let mut resources = self.resources.iter();
        let resource = resources
            .find(|resource| resource.kind == object_type.kind && !resource.name.contains('/'))?;
        Some(Resource {
            group: object_type.group.to_owned(),
            version: object_type.version.to_owned(),
            plural: resource.name.clone(),
            kind: resource.kind.clone(),
            is_namespaced: resource.namespaced,
        })
    }
}

impl Resource {
    /// Returns the resource of the CRDs.
    pub(super) fn crds() -> Self {
        Self {
            group: "apiextensions.k8s.io".to_owned(),
            version: "v1".to_owned(),
            plural: "customresourcedefinitions".to_owned(),
            kind: "CustomResourceDefinition".to_owned(),
            is_namespaced: false,
        }
    }

    /// Returns the resource of a CRD, in the first of these versions that is served: the requested
    /// version, the stored version, which needs no conversion, and all versions in order. Returns
    /// `None` if no version is served.
    pub(crate) fn of_crd(crd: &Value, version: Option<&str>) -> Option<Self> {
        let crd = Crd::new(crd);
        let is_served = |version: &CrdVersion<'_>| version.served() == Some(true);
        let requested = version.and_then(|version| crd.version(version));
        let default_version = || {
            let stored = crd.stored_version().filter(is_served);
            stored.or_else(|| crd.versions().find(is_served))
        };
        let version = requested.filter(is_served).or_else(default_version)?;
        Some(Self {
            group: crd.group()?.to_owned(),
            version: version.name()?.to_owned(),
            plural: crd.plural()?.to_owned(),
            kind: crd.kind()?.to_owned(),
            is_namespaced: crd.is_namespaced(),
        })
    }

    /// Returns the name of the resource and of its CRD: `databases.example.com`.
    pub(crate) fn name(&self) -> String {
        if self.group.is_empty() {
            return self.plural.clone();
        }
        format!("{}.{}", self.plural, self.group)
    }

    /// Returns the path of the list of all objects, or of those in a namespace.
    pub(super) fn list_path(&self, namespace: Option<&str>) -> Result<ApiPath, ReadError> {
        self.path(namespace, &[]).ok_or_else(|| {
            ReadError::Failed("the namespace, or a name in the CRD, is not a valid name".to_owned())
        })
    }

    /// Returns the path of an object; `None` if no object can have this name.
    pub(super) fn object_path(&self, namespace: Option<&str>, name: &str) -> Option<ApiPath> {
        self.path(namespace, &[name])
    }

    fn path(&self, namespace: Option<&str>, last_segments: &[&str]) -> Option<ApiPath> {
        let mut segments = group_segments(&self.group);
        segments.push(&self.version);
        if let Some(namespace) = namespace.filter(|_| self.is_namespaced) {
            segments.extend(["namespaces", namespace]);
        }
        segments.push(&self.plural);
        segments.extend(last_segments);
        ApiPath::from_segments(segments)
    }
}

/// Returns the first segments of the paths of a group. The core group has an older path.
fn group_segments(group: &str) -> Vec<&str> {
    if group.is_empty() {
        vec!["api"]
    } else {
        vec!["apis", group]
    }
}

/// Returns the path of the discovery document of a group and a version.
pub(super) fn discovery_path(object_type: GroupVersionKind<'_>) -> Option<ApiPath> {
    let mut segments = group_segments(object_type.group);
    segments.push(object_type.version);
    ApiPath::from_segments(segments)
}

/// Returns the path of the `OpenAPI` document of a group and a version.
pub(super) fn openapi_path(resource: &Resource) -> Option<ApiPath> {
    let mut segments = vec!["openapi", "v3"];
    segments.extend(group_segments(&resource.group));
    segments.push(&resource.version);
    ApiPath::from_segments(segments)
}

/// Returns the name of the schema of a kind in an `OpenAPI` document.
pub(super) fn find_openapi_name(document: &Value, resource: &Resource) -> Option<String> {
    const TYPES: &str = "x-kubernetes-group-version-kind";
    let schemas = document.pointer("/components/schemas")?.as_object()?;
    let is_type = |object_type: &Value| {
        object_type["group"] == resource.group
            && object_type["version"] == resource.version
            && object_type["kind"] == resource.kind
    };
    let (name, _) = schemas.iter().find(|(_, schema)| {
        let types = schema.get(TYPES).and_then(Value::as_array);
        types.is_some_and(|types| types.iter().any(is_type))
    })?;
    Some(name.clone())
}

/// Parses an object that the server has sent. An object in a list may lack `apiVersion` and `kind`,
/// which are then added from the resource.
pub(super) fn parse_object(bytes: &[u8], resource: Option<&Resource>) -> Result<Value, ReadError> {
    let invalid =
        |problem: &str| ReadError::Failed(format!("the answer is not an object: {problem}"));
    let text = std::str::from_utf8(bytes).map_err(|error| invalid(&error.to_string()))?;
    // The parser of files is used, so that numbers are the same as in files.
    let mut object = Document::from_json(text)
        .value()
        .map_err(|error| invalid(&error.message))?;
    let Some(fields) = object.as_object_mut() else {
        return Err(invalid("it is not JSON of an object"));
    };
    if let Some(resource) = resource
        && !fields.contains_key("apiVersion")
        && !fields.contains_key("kind")
    {
        let Resource { group, version, .. } = resource;
        let api_version = if group.is_empty() {
            version.clone()
        } else {
            format!("{group}/{version}")
        };
        fields.insert("apiVersion".to_owned(), api_version.into());
        fields.insert("kind".to_owned(), resource.kind.clone().into());
    }
    Ok(object)
}
