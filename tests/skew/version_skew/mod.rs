//! Tests of version skew between clients and servers (KEP-1027, "Discriminator Field"): the matrix
//! of `union_simulation`, its laws, and the cases that the KEP names.

mod cases;
mod laws;
mod restore;
mod rolled_back;
mod snapshot;
mod two_types;
mod typed;
