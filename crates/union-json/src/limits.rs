//! How large schemas and objects may be.

/// How large schemas and objects may be. The defaults hold all of Kubernetes' own documents.
///
/// ```
/// use union_json::{Limits, Unions};
///
/// let compiler = Unions::compiler().limits(Limits::default().depth(64).places(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many schemas there may be in one, those behind references counted once; and how many fields and values they may
    /// have together that stand behind several references, counted each time but the first. Default: 200,000.
    pub schemas: usize,
    /// How many schemas may be combined at one place by `$ref`, `allOf` and the like. Default: 32.
    pub combined: usize,
    /// The number of levels of an object that are walked. Default: 128. At most 256: a larger
    /// number counts as 256.
    pub depth: usize,
    /// How many objects, lists and values of an object are looked at, of those that may hold unions. Default: 1,000,000.
    pub places: usize,
}

/// The most levels. The walk through an object takes up to 3.2 kB of stack for each level in a
/// debug build, and a thread may have 1 MiB.
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
    /// The same limits with another number of schemas.
    #[must_use]
    pub const fn schemas(mut self, schemas: usize) -> Self {
        self.schemas = schemas;
        self
    }

    /// The same limits with another number of schemas at one place.
    #[must_use]
    pub const fn combined(mut self, combined: usize) -> Self {
        self.combined = combined;
        self
    }

    /// The same limits with another depth of objects.
    #[must_use]
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = if depth < DEEPEST { depth } else { DEEPEST };
        self
    }

    /// The same limits with another size of objects.
    #[must_use]
    pub const fn places(mut self, places: usize) -> Self {
        self.places = places;
        self
    }

    /// The depth, whatever was written into the field.
    #[must_use]
    pub const fn deepest(self) -> usize {
        if self.depth < DEEPEST {
            self.depth
        } else {
            DEEPEST
        }
    }
}
