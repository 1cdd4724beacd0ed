//! The ratcheting comparator, and the paths that it is asked about.

mod faults;
mod paths;
mod plain;
mod second;
mod server;
mod small;
mod split;
mod world;
