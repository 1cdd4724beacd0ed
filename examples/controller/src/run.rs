//! The loop: lists and watches all objects of a kind.

use std::sync::Arc;

use futures::{Stream, StreamExt as _};
use kube::runtime::controller::{self, Controller};
use kube::runtime::watcher;
use kube::{Api, Client};

use crate::reconcile::{ManagedResource, error_policy, reconcile};

/// Reconciles all objects of a kind. Returns a stream with an item for each reconciliation: the
/// name of the object, or an error message. If listing the objects fails, the stream has an error,
/// and no object is reconciled.
pub fn run<K: ManagedResource>(client: Client) -> impl Stream<Item = Result<String, String>> {
    let objects = Api::<K>::all(client.clone());
    Controller::new(objects, watcher::Config::default())
        .run(reconcile, error_policy, Arc::new(client))
        .map(|result| match result {
            Ok((object, _)) => Ok(object.name),
            Err(error) => Err(with_causes(&error)),
        })
}

/// Returns the message of an error with the messages of its causes.
fn with_causes(error: &controller::Error<kube::Error, watcher::Error>) -> String {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let cause_message = error.to_string();
        // Some messages contain the messages of their causes.
        if !message.contains(&cause_message) {
            message.push_str(": ");
            message.push_str(&cause_message);
        }
        cause = error.source();
    }
    message
}
