//! The limits on the size of schemas and objects.

/// The limits on the size of schemas and objects. All documents of Kubernetes itself are within the
/// default limits.
///
/// ```
/// use union_json::{Limits, Unions};
///
/// let compiler = Unions::compiler().with_limits(Limits::default().max_depth(64).max_nodes(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of schemas that can be reached from a schema. A schema to which several
    /// references refer counts once. This is also the maximum total size of the schemas to which
    /// several references refer: their fields and values count once for each reference but the
    /// first. Default: 200,000.
    pub max_schemas: usize,
    /// The maximum number of schemas that `$ref`, `allOf` and similar keywords combine at a place.
    /// Default: 32.
    pub max_combined: usize,
    /// The maximum number of levels of an object. Default: 128. A number above 256 counts as 256.
    pub max_depth: usize,
    /// The maximum number of values in an object that are visited because they may contain unions.
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
    /// Returns the limits with this maximum number of schemas.
    #[must_use]
    pub const fn max_schemas(mut self, schemas: usize) -> Self {
        self.max_schemas = schemas;
        self
    }

    /// Returns the limits with this maximum number of schemas that are combined at a place.
    #[must_use]
    pub const fn max_combined(mut self, combined: usize) -> Self {
        self.max_combined = combined;
        self
    }

    /// Returns the limits with this maximum number of levels of an object, but at most 256.
    #[must_use]
    pub const fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth < DEPTH_LIMIT {
            depth
        } else {
            DEPTH_LIMIT
        };
        self
    }

    /// Returns the limits with this maximum number of visited values in an object.
    #[must_use]
    pub const fn max_nodes(mut self, places: usize) -> Self {
        self.max_nodes = places;
        self
    }

    /// Returns the maximum number of levels that applies: `depth`, but at most 256.
    #[must_use]
    pub const fn effective_max_depth(self) -> usize {
        if self.max_depth < DEPTH_LIMIT {
            self.max_depth
        } else {
            DEPTH_LIMIT
        }
    }
}
