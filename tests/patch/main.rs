//! Strategic merge patches with `$retainKeys`.

#[path = "../engine/deep.rs"]
mod deep;
mod errors;
mod fixed;
mod hostile;
mod impacted;
mod kept;
mod properties;
mod schemas;
mod seed;
mod switch;
mod tables;
mod world;
