//! Values as YAML, as sigs.k8s.io/yaml prints them.

mod emitter;
mod key_order;
mod next_line;
mod number;
mod style;

pub use emitter::to_yaml;
