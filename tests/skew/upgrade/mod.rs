//! Tests of union checks that are turned on and off on a live server (KEP-1027, "Feature Enablement
//! and Rollback"), and of a discriminator that is added to a union ("Migrating existing unions").

mod case;
mod differences;
mod gate;
mod gated;
mod models;
mod persisted;
mod served;
mod upgraded;
mod versions;
mod world;
