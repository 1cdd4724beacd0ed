//! The limits on the size of schemas and objects.

/// The limits on the size of schemas and objects. All documents of Kubernetes itself are within the
/// default limits.
///
/// ```
/// use union_json::{Limits, Unions};
///
/// let compiler = Unions::compiler().limits(Limits::default().depth(64).places(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of schemas that can be reached from a schema. A schema to which several
    /// references refer counts once. This is also the maximum total size of the schemas to which
    /// several references refer: their fields and values count once for each reference but the
    /// first. Default: 200,000.
    pub schemas: usize,
    /// The maximum number of schemas that `$ref`, `allOf` and similar keywords combine at a place.
    /// Default: 32.
    pub combined: usize,
    /// The maximum number of levels of an object. Default: 128. A number above 256 counts as 256.
    pub depth: usize,
    /// The maximum number of values in an object that are visited because they may contain unions.
    /// Default: 1,000,000.
    pub places: usize,
}

/// The maximum value of [`Limits::depth`]. In a debug build, a walk takes up to 3.2 kB of stack for
/// each level of an object, and a thread may have only 1 MiB.
const DEEPEST: usize = 256;

impl Default for Limits {
    fn default() -> Self {
        Self {
            schemas: 200_000,
            combined: 32,
            depth: 128,
            places: 1_000_000,
        }
    }
}

impl Limits {
    /// Returns the limits with this maximum number of schemas.
    #[must_use]
    pub const fn schemas(mut self, schemas: usize) -> Self {
        self.schemas = schemas;
        self
    }

    /// Returns the limits with this maximum number of schemas that are combined at a place.
    #[must_use]
    pub const fn combined(mut self, combined: usize) -> Self {
        self.combined = combined;
        self
    }

    /// Returns the limits with this maximum number of levels of an object, but at most 256.
    #[must_use]
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = if depth < DEEPEST { depth } else { DEEPEST };
        self
    }

    /// Returns the limits with this maximum number of visited values in an object.
    #[must_use]
    pub const fn places(mut self, places: usize) -> Self {
        self.places = places;
        self
    }

    /// Returns the maximum number of levels that applies: `depth`, but at most 256.
    #[must_use]
    pub const fn deepest(self) -> usize {
        if self.depth < DEEPEST {
            self.depth
        } else {
            DEEPEST
        }
    }
}
