//! The ratcheting comparator, and the paths that it is asked about.

mod faults;
mod paths;
mod plain;
mod second;
mod server;
mod small;
mod split;
mod world;

/// A handler can hold a comparison while it waits.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<union_runtime::comparator::Comparison<'static, &'static serde_json::Value>>();
    is_send::<union_runtime::comparator::Equality<'static>>();
};
