//! Limits on the size of schemas and objects.

/// Limits on the size of schemas and objects. All documents of Kubernetes itself are within the
/// default limits.
///
/// ```
/// use union_json::{Limits, Unions};
///
/// let limits = Limits::default().max_depth(64).max_nodes(10_000);
/// let compiler = Unions::compiler().with_limits(limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of schemas that can be reached from a schema. A schema with several
    /// references counts once. Default: 200,000.
    ///
    /// The number also limits the work for schemas that are referred to repeatedly: the fields and
    /// values of such a schema count for each reference except the first.
    pub max_schemas: usize,
    /// The maximum number of schemas that `$ref`, `allOf` and similar keywords combine for one
    /// value. Default: 32.
    pub max_combined: usize,
    /// The maximum depth of an object. Default: 128. A value above 256 counts as 256.
    pub max_depth: usize,
    /// The maximum number of values in an object that may contain unions and are therefore visited.
    /// Default: 1,000,000.
    pub max_nodes: usize,
}

/// The maximum value of [`Limits::max_depth`]. In a debug build, a walk takes up to 3.2 kB of stack
/// for each level of an object, and a thread may have only 1 MiB.
const DEPTH_LIMIT: usize = 256;

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_schemas: 200_000,
            max_combined: 32,
            max_depth: 128,
            max_nodes: 1_000_000,
        }
    }
}

impl Limits {
    /// Sets [`Limits::max_schemas`].
    #[must_use]
    pub const fn max_schemas(mut self, schemas: usize) -> Self {
        self.max_schemas = schemas;
        self
    }

    /// Sets [`Limits::max_combined`].
    #[must_use]
    pub const fn max_combined(mut self, combined: usize) -> Self {
        self.max_combined = combined;
        self
    }

    /// Sets [`Limits::max_depth`]. A value above 256 is stored as 256.
    #[must_use]
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth < DEPTH_LIMIT {
            depth
        } else {
            DEPTH_LIMIT
        };
        self
    }

    /// Sets [`Limits::max_nodes`].
    #[must_use]
    pub const fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = nodes;
        self
    }

    /// Returns the maximum depth that applies: the value of `max_depth`, but at most 256.
    #[must_use]
    pub const fn effective_max_depth(self) -> usize {
        if self.max_depth < DEPTH_LIMIT {
            self.max_depth
        } else {
            DEPTH_LIMIT
        }
    }
}
