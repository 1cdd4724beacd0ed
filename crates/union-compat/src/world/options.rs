//! Options of comparisons and tables of requests.

use std::fmt;

use union_runtime::Settings;

use crate::world::value::{ValueSource, no_values};

/// Options of [`compare`](Self::compare) and [`skew`](Self::skew): values of members, and the
/// settings of servers.
///
/// ```
/// use serde_json::{Value, json};
/// use union_compat::{Options, ApiVersion};
///
/// // No generated value matches the pattern, so the values are passed.
/// let schema = |values: Value| json!({
///     "type": "object",
///     "required": ["type"],
///     "properties": {
///         "type": {"type": "string", "enum": values, "x-kubernetes-unions": {
///             "fieldMembers": {"Disk": {"name": "disk"}},
///         }},
///         "disk": {"type": "string", "pattern": "^disk-[0-9]+$"},
///     },
/// });
/// let old = ApiVersion::from_schema("v1", &schema(json!(["Disk"])))?;
/// let new = ApiVersion::from_schema("v2", &schema(json!(["Disk", "None"])))?;
/// let disks = |member: &str, number: usize| {
///     (member == "disk").then(|| Value::from(format!("disk-{number}")))
/// };
/// let comparison = Options::new().values(&disks).compare(&old, &new);
/// assert_eq!(comparison.findings.len(), 1);
/// # Ok::<(), union_compat::VersionError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Options<'f> {
    pub(crate) values: ValueSource<'f>,
    pub(crate) settings: Settings,
}

impl<'f> Options<'f> {
    /// Returns the default options: values are generated from schemas, and servers have the default
    /// [`Settings`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a function that returns values of members, for members whose schemas are not
    /// sufficient.
    #[must_use]
    pub const fn values(mut self, values: ValueSource<'f>) -> Self {
        self.values = values;
        self
    }

    /// Sets the settings with which the servers of [`skew`](Self::skew) normalize and validate
    /// unions. A comparison does not use the settings.
    #[must_use]
    pub const fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            values: &no_values,
            settings: Settings::default(),
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
