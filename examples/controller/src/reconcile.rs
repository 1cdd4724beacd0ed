//! What is done for one object.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::NamespaceResourceScope;
use kube::api::{Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::{Api, Client, Resource, ResourceExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::condition::Condition;

/// The condition that this controller sets.
pub const READY: &str = "Ready";

/// What `schedule` is where nobody says it.
pub const SCHEDULE: &str = "@daily";

/// Who says it.
const MANAGER: &str = "union-controller";

/// How soon something that failed is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// What the loop asks of a resource.
pub trait Reconciled:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Serialize
    + DeserializeOwned
    + Clone
    + Debug
    + Send
    + Sync
    + 'static
{
    /// What is to be done for it.
    ///
    /// # Errors
    ///
    /// This build does not know how.
    fn plan(&self) -> Result<Plan, Unsupported>;

    /// A field that the controller fills in.
    fn schedule_mut(&mut self) -> &mut Option<String>;

    /// What it said before.
    fn conditions(&self) -> &[Condition];
}

/// What is done, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan(pub String);

/// Why nothing is done, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// Fills in the schedule, and then says in a condition whether the object can be looked after.
///
/// # Errors
///
/// Those of the API server, conflicts with other clients among them: it is called again then.
pub async fn reconcile<K: Reconciled>(object: Arc<K>, client: Arc<Client>) -> kube::Result<Action> {
    let namespace = object.namespace().unwrap_or_default();
    let api = Api::<K>::namespaced(Client::clone(&client), &namespace);
    let name = object.name_any();

    let mut filled = K::clone(&object);
    if filled.schedule_mut().is_none() {
        *filled.schedule_mut() = Some(SCHEDULE.to_owned());
        // The whole object goes back as it was read: what this build does not know too.
        api.replace(&name, &PostParams::default(), &filled).await?;
        return Ok(Action::await_change());
    }

    let condition = condition(&*object);
    if !object.conditions().contains(&condition) {
        // Applied, so that what others say beside it stays.
        let status = json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "status": {"conditions": [condition]},
        });
        let params = PatchParams::apply(MANAGER).force();
        api.patch_status(&name, &params, &Patch::Apply(status))
            .await?;
    }
    Ok(Action::await_change())
}

/// What is to be said of an object.
#[must_use]
pub fn condition<K: Reconciled>(object: &K) -> Condition {
    let (status, reason, message) = match object.plan() {
        Ok(Plan(message)) => ("True", "Planned", message),
        Err(Unsupported(message)) => ("False", "UnsupportedValue", message),
    };
    Condition {
        r#type: READY.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message,
        observed_generation: object.meta().generation,
    }
}

/// What failed is tried again.
pub(crate) fn again<K, E: Error>(_: Arc<K>, error: &E, _: Arc<Client>) -> Action {
    eprintln!("again in {AGAIN:?}: {error}");
    Action::requeue(AGAIN)
}
