//! Turning union checks on and off on a living server (KEP-1027, "Feature Enablement and Rollback"), and giving a union
//! that has none a discriminator ("Migrating existing unions").

mod case;
mod gate;
mod gated;
mod models;
mod persisted;
mod served;
mod table;
mod upgraded;
mod versions;
mod world;
