//! Tests of the ratcheting comparator, and of the field paths that it receives.

mod faults;
mod paths;
mod plain;
mod second;
mod server;
mod small;
mod split;
mod world;

/// The comparator's types are `Send`, so that a handler may keep a comparison across an `await`.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<union_runtime::comparator::Comparison<'static, &'static serde_json::Value>>();
    is_send::<union_runtime::comparator::Equality<'static>>();
};
