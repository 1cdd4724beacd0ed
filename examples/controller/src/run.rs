//! The loop: lists and watches all objects of a kind.

use std::sync::Arc;

use futures::{Stream, StreamExt as _};
use kube::runtime::controller::{self, Controller};
use kube::runtime::watcher;
use kube::{Api, Client};

use crate::reconcile::{Reconciled, again, reconcile};

/// Looks after all objects of a kind, and gives an item for each time that it did: the object's name, or why it did not get to
/// one. A list that cannot be read is such an item: none of its objects is seen then.
pub fn run<K: Reconciled>(client: Client) -> impl Stream<Item = Result<String, String>> {
    let objects = Api::<K>::all(client.clone());
    Controller::new(objects, watcher::Config::default())
        .run(reconcile, again, Arc::new(client))
        .map(|done| match done {
            Ok((object, _)) => Ok(object.name),
            Err(error) => Err(with_causes(&error)),
        })
}

/// An error with all that it is made of.
fn with_causes(error: &controller::Error<kube::Error, watcher::Error>) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        // Some tell of their cause themselves.
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
