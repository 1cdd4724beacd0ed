//! Tests of clients and servers of two versions of an API, and of unions that are turned on, turned
//! off and upgraded.

mod upgrade;
mod version_skew;
