//! Reads the stored objects of a CRD from a cluster.

use std::ops::ControlFlow;

use serde_json::Value;
use union_json::document::Crd;

use crate::cluster::args::SelectionArgs;
use crate::cluster::{CLUSTER, Cluster, ObjectQuery, Resource};
use crate::error::CommandError;
use crate::judge::crds::Crds;
use crate::judge::object_args::ObjectArgs;
use crate::judge::objects::{self, InputObject};

/// The flags of a command that select the stored objects.
#[derive(Clone, Copy)]
pub(crate) struct StoredObjectQuery<'q> {
    pub(crate) args: &'q ObjectArgs,
    pub(crate) selection: &'q SelectionArgs,
}

impl StoredObjectQuery<'_> {
    /// Calls `process` with each object of a stored CRD, one by one, and with its size in bytes.
    /// `crds` are the CRDs that describe the objects. The first error of `process` ends the reading
    /// and is returned in `Ok`, because the caller can go on with other CRDs. `Err` is an error of
    /// the cluster.
    pub(crate) fn for_each(
        self,
        cluster: &mut Cluster,
        stored_crd: &Value,
        crds: &mut Crds,
        mut process: impl FnMut(InputObject, usize, &mut Crds) -> Result<(), CommandError>,
    ) -> Result<Option<CommandError>, CommandError> {
        let Some(resource) = Resource::of_crd(stored_crd, None) else {
            let name = Crd::new(stored_crd).name().unwrap_or_default();
            cluster.skip(name, "the CRD has no served version");
            return Ok(None);
        };
        let query = ObjectQuery {
            resource: &resource,
            namespace: self.args.namespace.as_deref(),
            selector: self.selection.selector.as_deref(),
        };
        let mut process_error = None;
        cluster.for_each_object(&query, |value, bytes| {
            let result = match crds.find(&value) {
                Some(crd) => {
                    let object = InputObject {
                        file: CLUSTER.to_owned(),
                        value,
                        crd,
                        source: None,
                    };
                    process(object, bytes, crds)
                }
                // The new CRD has the same name as the stored CRD, but does not define this kind.
                None => objects::require_crd(&value, true, CLUSTER, crds),
            };
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    process_error = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        Ok(process_error)
    }
}
