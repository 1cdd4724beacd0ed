//! The loop: lists and watches all objects of a kind.

use std::sync::Arc;

use futures::{Stream, StreamExt as _};
use kube::runtime::controller::{self, Controller};
use kube::runtime::watcher;
use kube::{Api, Client};

use crate::reconcile::{ManagedResource, error_policy, reconcile};

/// Reconciles all objects of a kind. Returns a stream with an item for each reconciliation: the
/// name of the object, or the error. A failed list is such an error, too: none of its objects is
/// reconciled then.
pub fn run<K: ManagedResource>(client: Client) -> impl Stream<Item = Result<String, String>> {
    let objects = Api::<K>::all(client.clone());
    Controller::new(objects, watcher::Config::default())
        .run(reconcile, error_policy, Arc::new(client))
        .map(|done| match done {
            Ok((object, _)) => Ok(object.name),
            Err(error) => Err(with_causes(&error)),
        })
}

/// Returns the message of an error with the messages of its causes.
fn with_causes(error: &controller::Error<kube::Error, watcher::Error>) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        // Some messages contain the messages of their causes.
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
