//! Paths to fields. A [`Path`] borrows its steps and is used during a walk through an object. A
//! [`FieldPath`] owns its steps and is used in errors and reports.
//!
//! Adding a step to a [`Path`] does not allocate. A [`Violation`](crate::Violation) takes paths of
//! both types.
//!
//! ```
//! use union_runtime::Violation;
//! use union_runtime::path::{FieldPath, Path, PathStep};
//!
//! let spec = Path::ROOT.field("spec");
//! let ports = spec.field("ports");
//! let port = ports.step(PathStep::Index(2));
//! assert_eq!(port.to_string(), "spec.ports[2]");
//! assert_eq!(port.to_field_path(), FieldPath::root().field("spec").field("ports").index(2));
//! assert_eq!(Violation::duplicate(port, 80).to_string(), "spec.ports[2]: Duplicate value: 80");
//! ```

mod borrowed_path;
mod field_path;
mod resolve;

pub use self::borrowed_path::Path;
pub use self::field_path::FieldPath;
pub use k8s_json_internals::path_step::PathStep;
