//! The reconciliation of one object.

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
pub const READY_CONDITION: &str = "Ready";

/// The default of `schedule`.
pub const DEFAULT_SCHEDULE: &str = "@daily";

/// The field manager of the conditions.
const FIELD_MANAGER: &str = "union-controller";

/// The time until a failed reconciliation is repeated.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// A resource that the loop can reconcile.
pub trait ManagedResource:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Serialize
    + DeserializeOwned
    + Clone
    + Debug
    + Send
    + Sync
    + 'static
{
    /// Returns the plan for the object.
    ///
    /// # Errors
    ///
    /// Returns an error if the object is invalid, or if this build does not support the object.
    fn plan(&self) -> Result<Plan, PlanError>;

    /// Returns the field that the controller fills in.
    fn schedule_mut(&mut self) -> &mut Option<String>;

    /// Returns the conditions of the object.
    fn conditions(&self) -> &[Condition];
}

/// The message of a planned object, for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan(pub String);

/// The reason why an object has no plan, with a message for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The object is invalid for every build. A user has to change the object.
    Invalid(String),
    /// The object has a value of a newer version. A newer controller has to act.
    Unsupported(String),
}

/// Fills in the schedule, and then sets the condition `Ready`: true if this build supports the
/// object.
///
/// # Errors
///
/// Returns the errors of the API server, including conflicts with other clients; the loop then
/// calls this function again.
pub async fn reconcile<K: ManagedResource>(
    object: Arc<K>,
    client: Arc<Client>,
) -> kube::Result<Action> {
    let namespace = object.namespace().unwrap_or_default();
    let api = Api::<K>::namespaced(Client::clone(&client), &namespace);
    let name = object.name_any();

    let mut filled = K::clone(&object);
    if filled.schedule_mut().is_none() {
        *filled.schedule_mut() = Some(DEFAULT_SCHEDULE.to_owned());
        // The replacement contains the fields that this build does not know, so nothing is lost.
        api.replace(&name, &PostParams::default(), &filled).await?;
        return Ok(Action::await_change());
    }

    let condition = condition(&*object);
    if !object.conditions().contains(&condition) {
        // Server-side apply keeps the conditions of other managers.
        let status = json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "status": {"conditions": [condition]},
        });
        let params = PatchParams::apply(FIELD_MANAGER).force();
        api.patch_status(&name, &params, &Patch::Apply(status))
            .await?;
    }
    Ok(Action::await_change())
}

/// Returns the condition of an object.
#[must_use]
pub fn condition<K: ManagedResource>(object: &K) -> Condition {
    let (status, reason, message) = match object.plan() {
        Ok(Plan(message)) => ("True", "Planned", message),
        Err(PlanError::Invalid(message)) => ("False", "InvalidUnion", message),
        Err(PlanError::Unsupported(message)) => ("False", "UnsupportedValue", message),
    };
    Condition {
        r#type: READY_CONDITION.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message,
        observed_generation: object.meta().generation,
    }
}

/// Schedules another reconciliation after an error.
pub(crate) fn error_policy<K, E: Error>(_: Arc<K>, error: &E, _: Arc<Client>) -> Action {
    eprintln!("reconciliation failed, retrying in {RETRY_DELAY:?}: {error}");
    Action::requeue(RETRY_DELAY)
}
