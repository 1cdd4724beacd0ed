//! Clients and servers of two versions of an API, and unions that are turned on, off and upgraded.

mod upgrade;
mod version_skew;
