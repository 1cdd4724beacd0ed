//! The cluster that a command reads from.

use std::collections::HashMap;
use std::ops::ControlFlow;

use k8s_crd_validation::KubeVersion;
use serde_json::Value;

use super::api_path::ApiPath;
use super::kubectl::{Kubectl, ReadError};
use super::lists::{self, ObjectQuery};
use super::resources::{self, CrdLookup, LiveSchema, Resource, ResourceList};
use super::server_version;
use super::unread_parts::UnreadParts;
use crate::error::CommandError;
use crate::input::Documents;
use crate::input::object::{self, GroupVersionKind};
use crate::output::print::{self, CommandStatus};

/// The name of the cluster in messages, in the place of a file.
pub(crate) const CLUSTER: &str = "cluster";

/// The namespace of a context that does not set it.
const DEFAULT_NAMESPACE: &str = "default";

/// The JSON of a CRD.
pub(crate) struct CrdString(String);

impl CrdString {
    pub(crate) fn parse(&self) -> Value {
        // The string was written from a `Value`, so the parser accepts it.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

/// A cluster that is read by kubectl.
#[derive(Debug)]
pub(crate) struct Cluster {
    kubectl: Kubectl,
    unread: UnreadParts,
    /// The discovery documents, by group and version. A document is `None` if it cannot be read.
    discovered: HashMap<(String, String), Option<ResourceList>>,
    context_namespace: Option<String>,
}

impl Cluster {
    pub(super) fn new(kubectl: Kubectl) -> Self {
        Self {
            kubectl,
            unread: UnreadParts::default(),
            discovered: HashMap::new(),
            context_namespace: None,
        }
    }

    /// Returns the number of parts that could not be read.
    pub(crate) const fn unread_count(&self) -> usize {
        self.unread.count()
    }

    /// Returns the status of a command, which changes from success to incomplete if a part of the
    /// cluster could not be read.
    pub(crate) fn complete_status(&self, status: CommandStatus) -> CommandStatus {
        status.with_unread_parts(self.unread.count())
    }

    /// Reports a part of the cluster that is skipped.
    pub(crate) fn skip(&mut self, part: &str, message: &str) {
        self.unread.add_message(part, message);
    }

    /// Returns the version of Kubernetes that the server runs.
    pub(crate) fn version(&self) -> Result<KubeVersion, CommandError> {
        let no_version = |reason: &str| {
            let message = format!(
                "no version of the server{reason}; pass the version to --kube-version or --from"
            );
            CommandError::new(CLUSTER, message)
        };
        let answer = match self.kubectl.get(&ApiPath::version()) {
            Ok(answer) => answer,
            Err(ReadError::Stops(error)) => return Err(error),
            Err(error) => return Err(no_version(&format!(" ({})", error.message()))),
        };
        let (version, note) = server_version::parse(&answer).ok_or_else(|| no_version(""))?;
        print::notes(note.as_slice());
        Ok(version)
    }

    /// Returns the namespace of the context, for objects without a namespace.
    pub(crate) fn context_namespace(&mut self) -> Result<&str, CommandError> {
        if self.context_namespace.is_none() {
            let namespace = if let Ok(output) = self.kubectl.context_namespace() {
                String::from_utf8_lossy(&output).trim().to_owned()
            } else {
                // In a pod, kubectl works without a context.
                self.check_interrupt()?;
                print::notes(&[format!(
                    "kubectl has no context; objects without a namespace are in \"{DEFAULT_NAMESPACE}\", or in the namespace of --namespace"
                )]);
                String::new()
            };
            let namespace = Some(namespace).filter(|namespace| !namespace.is_empty());
            self.context_namespace =
                Some(namespace.unwrap_or_else(|| DEFAULT_NAMESPACE.to_owned()));
        }
        Ok(self
            .context_namespace
            .as_deref()
            .unwrap_or(DEFAULT_NAMESPACE))
    }

    fn check_interrupt(&self) -> Result<(), CommandError> {
        match self.kubectl.check_interrupt() {
            Err(ReadError::Stops(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads the CRDs for which `is_wanted` returns true.
    pub(crate) fn crds(
        &mut self,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Result<Documents, CommandError> {
        let mut crds = Vec::new();
        self.for_each_crd(|crd| {
            if is_wanted(&crd) {
                crds.push(crd);
            }
        })?;
        Ok(Documents::from_values(CLUSTER, crds))
    }

    /// Reads all CRDs. Strings need less memory than values.
    pub(crate) fn crd_strings(&mut self) -> Result<Vec<CrdString>, CommandError> {
        let mut crds = Vec::new();
        self.for_each_crd(|crd| crds.push(CrdString(crd.to_string())))?;
        Ok(crds)
    }

    fn for_each_crd(&mut self, mut process: impl FnMut(Value)) -> Result<(), CommandError> {
        let query = ObjectQuery {
            resource: &Resource::crds(),
            namespace: None,
            selector: None,
        };
        self.for_each_object(&query, |crd, _| {
            process(without_managed_fields(crd));
            ControlFlow::Continue(())
        })
    }

    /// Reads a CRD by its name. Returns `None` if the cluster does not have the CRD. Also returns
    /// `None` if the CRD cannot be read, and reports the error.
    pub(crate) fn crd(&mut self, name: &str) -> Result<Option<Value>, CommandError> {
        let crd = self.object(&Resource::crds(), None, name)?;
        Ok(crd.map(without_managed_fields))
    }

    /// Reads an object. Returns `None` if the cluster does not have the object. Also returns `None`
    /// if the object cannot be read, and reports the error.
    pub(crate) fn object(
        &mut self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<Value>, CommandError> {
        let Some(path) = resource.object_path(namespace, name) else {
            return Ok(None);
        };
        let bytes = self.kubectl.get(&path);
        match bytes.and_then(|bytes| resources::parse_object(&bytes, Some(resource))) {
            Ok(object) => Ok(Some(object)),
            Err(ReadError::NotFound(_)) => Ok(None),
            Err(error) => {
                let namespace = namespace.filter(|_| resource.is_namespaced);
                let namespace = namespace.map(|namespace| format!("{namespace}/"));
                let namespace = namespace.unwrap_or_default();
                let part = format!("{} {:?}", resource.name(), format!("{namespace}{name}"));
                self.unread.add(&part, error)?;
                Ok(None)
            }
        }
    }

    /// Adds the namespace of the context to an object without a namespace, as kubectl does, if the
    /// objects of its kind have namespaces.
    pub(crate) fn add_namespace(&mut self, object: &mut Value) -> Result<(), CommandError> {
        let Some(object_type) = object::group_version_kind(object) else {
            return Ok(());
        };
        let resource = self.resource(object_type)?;
        let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
        if let (Some(resource), Some(metadata)) = (resource, metadata)
            && resource.is_namespaced
            && !metadata.contains_key("namespace")
        {
            let namespace = self.context_namespace()?.into();
            metadata.insert("namespace".to_owned(), namespace);
        }
        Ok(())
    }

    /// Reads the stored object that a new object replaces. Returns `None` if there is no such
    /// object. Also returns `None` if the object cannot be read, and reports the error. An object
    /// without a namespace is in the namespace of the context.
    pub(crate) fn stored_object(&mut self, object: &Value) -> Result<Option<Value>, CommandError> {
        let metadata = |field| object.get("metadata")?.get(field)?.as_str();
        let (Some(object_type), Some(name)) =
            (object::group_version_kind(object), metadata("name"))
        else {
            return Ok(None);
        };
        let Some(resource) = self.resource(object_type)? else {
            return Ok(None);
        };
        let namespace = match metadata("namespace") {
            None if resource.is_namespaced => self.context_namespace()?.to_owned(),
            namespace => namespace.unwrap_or_default().to_owned(),
        };
        self.object(&resource, Some(&namespace), name)
    }

    /// Calls `process` with each object of a resource and with its size in bytes, until `process`
    /// returns `Break`. A list that cannot be read is reported.
    pub(crate) fn for_each_object(
        &mut self,
        query: &ObjectQuery<'_>,
        process: impl FnMut(Value, usize) -> ControlFlow<()>,
    ) -> Result<(), CommandError> {
        match lists::for_each(&self.kubectl, query, process) {
            Ok(()) => Ok(()),
            Err(error) => self.unread.add(&query.resource.name(), error),
        }
    }

    /// Returns the resource of a kind. Reports an error and returns `None` if the server does not
    /// serve the kind, or if the list of resources cannot be read.
    pub(crate) fn resource(
        &mut self,
        object_type: GroupVersionKind<'_>,
    ) -> Result<Option<Resource>, CommandError> {
        let GroupVersionKind {
            group,
            version,
            kind,
        } = object_type;
        let key = (group.to_owned(), version.to_owned());
        if !self.discovered.contains_key(&key) {
            let resources = self.discover(object_type)?;
            self.discovered.insert(key.clone(), resources);
        }
        let Some(Some(resources)) = self.discovered.get(&key) else {
            return Ok(None);
        };
        let resource = resources.find(object_type);
        if resource.is_none() {
            let part = format!("{kind} of {}", api_version(object_type));
            self.unread
                .add_message(&part, "the server does not serve this kind");
        }
        Ok(resource)
    }

    /// Reads the discovery document of a group and a version, which lists the resources. Reports an
    /// error and returns `None` if the document cannot be read.
    fn discover(
        &mut self,
        object_type: GroupVersionKind<'_>,
    ) -> Result<Option<ResourceList>, CommandError> {
        let part = api_version(object_type);
        let Some(path) = resources::discovery_path(object_type) else {
            self.unread
                .add_message(&part, "no server can serve this group and version");
            return Ok(None);
        };
        let resources = self.kubectl.get(&path).and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|error| {
                ReadError::Failed(format!("the answer is not a list of resources: {error}"))
            })
        });
        match resources {
            Ok(resources) => Ok(Some(resources)),
            Err(error) => {
                let error = match error {
                    ReadError::NotFound(_) => {
                        let message = "the server does not serve this group and version";
                        ReadError::NotFound(message.to_owned())
                    }
                    error => error,
                };
                self.unread.add(&part, error)?;
                Ok(None)
            }
        }
    }

    /// Finds the CRD of a kind.
    pub(crate) fn crd_for(
        &mut self,
        object_type: GroupVersionKind<'_>,
    ) -> Result<CrdLookup, CommandError> {
        // The group of a CRD must contain a dot.
        if !object_type.group.contains('.') {
            return Ok(CrdLookup::WithoutCrd);
        }
        let Some(resource) = self.resource(object_type)? else {
            return Ok(CrdLookup::NotServed);
        };
        let unread_before = self.unread.count();
        Ok(match self.crd(&resource.name())? {
            Some(crd) => CrdLookup::Found(crd),
            None if self.unread.count() > unread_before => CrdLookup::Unread,
            None => CrdLookup::WithoutCrd,
        })
    }

    /// Returns the schema of a kind: its CRD, or else the `OpenAPI` document of its group. Reports
    /// an error and returns `None` if the schema cannot be read.
    pub(crate) fn schema(
        &mut self,
        object_type: GroupVersionKind<'_>,
    ) -> Result<Option<LiveSchema>, CommandError> {
        match self.crd_for(object_type)? {
            CrdLookup::Found(crd) => return Ok(Some(LiveSchema::Crd(crd))),
            CrdLookup::NotServed | CrdLookup::Unread => return Ok(None),
            CrdLookup::WithoutCrd => {}
        }
        let Some(resource) = self.resource(object_type)? else {
            return Ok(None);
        };
        let part = format!("the schema of {}", resource.name());
        let document = resources::openapi_path(&resource)
            .ok_or_else(|| ReadError::NotFound("it has no path".to_owned()))
            .and_then(|path| self.kubectl.get(&path))
            .and_then(|bytes| resources::parse_object(&bytes, None));
        let document = match document {
            Ok(document) => document,
            Err(error) => return self.unread.add(&part, error).map(|()| None),
        };
        let Some(name) = resources::find_openapi_name(&document, &resource) else {
            self.unread
                .add_message(&part, "the OpenAPI document does not describe it");
            return Ok(None);
        };
        Ok(Some(LiveSchema::OpenApi(document, name)))
    }
}

fn api_version(object_type: GroupVersionKind<'_>) -> String {
    let GroupVersionKind { group, version, .. } = object_type;
    if group.is_empty() {
        return version.to_owned();
    }
    format!("{group}/{version}")
}

/// Removes the field owners of a stored CRD, which are often larger than its schemas.
fn without_managed_fields(mut crd: Value) -> Value {
    if let Some(metadata) = crd.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    crd
}
