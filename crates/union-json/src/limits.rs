//! The limits on the size of schemas and objects.

/// The limits on the size of schemas and objects. The defaults are enough for all of Kubernetes'
/// own documents.
///
/// ```
/// use union_json::{Limits, Unions};
///
/// let compiler = Unions::compiler().limits(Limits::default().depth(64).places(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of schemas that are reached from a schema; a schema behind several
    /// references counts once. Also the maximum number of fields and values in the schemas behind
    /// several references, counted at each reference but the first. Default: 200,000.
    pub schemas: usize,
    /// The maximum number of schemas that `$ref`, `allOf` and similar keywords combine at one
    /// place. Default: 32.
    pub combined: usize,
    /// The maximum number of levels of an object that are walked. Default: 128. At most 256: a
    /// larger number counts as 256.
    pub depth: usize,
    /// The maximum number of objects, lists and values of an object that are visited because they
    /// may contain unions. Default: 1,000,000.
    pub places: usize,
}

/// The maximum of [`Limits::depth`]. The walk through an object takes up to 3.2 kB of stack for
/// each level in a debug build, and a thread may have 1 MiB.
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
    /// Returns the limits with another maximum number of schemas.
    #[must_use]
    pub const fn schemas(mut self, schemas: usize) -> Self {
        self.schemas = schemas;
        self
    }

    /// Returns the limits with another maximum number of schemas at one place.
    #[must_use]
    pub const fn combined(mut self, combined: usize) -> Self {
        self.combined = combined;
        self
    }

    /// Returns the limits with another depth of objects.
    #[must_use]
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = if depth < DEEPEST { depth } else { DEEPEST };
        self
    }

    /// Returns the limits with another maximum number of places in an object.
    #[must_use]
    pub const fn places(mut self, places: usize) -> Self {
        self.places = places;
        self
    }

    /// Returns the depth, but at most 256.
    #[must_use]
    pub const fn deepest(self) -> usize {
        if self.depth < DEEPEST {
            self.depth
        } else {
            DEEPEST
        }
    }
}
