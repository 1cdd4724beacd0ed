//! Limits of a comparison. The input may be any CRD, so the work must be limited. A comparison
//! reports what it left out because of a limit.

/// The maximum number of schemas that contain a schema. Schemas below are not compared.
pub const LEVELS: usize = 64;

/// The maximum number of differences of two schemas that are examined.
pub const DIFFERENCES: usize = 2_048;

/// The maximum number of objects that are tried for a difference, including random objects and
/// updates. If two versions have many differences, each gets an equal part of [`OBJECTS`], but at
/// least [`FEWEST_OBJECTS`].
pub const OBJECTS_PER_DIFFERENCE: usize = 320;

/// The maximum number of objects with random values near a difference.
pub const RANDOM_OBJECTS: usize = 160;

/// The number of objects that a comparison of two versions divides among the differences.
pub const OBJECTS: usize = 8_192;

/// The number of objects that each difference gets in any case.
pub const FEWEST_OBJECTS: usize = 32;

/// The maximum number of objects that a search for a valid object validates.
pub const SEARCH: usize = 300;

/// The maximum number of objects that a comparison of two versions validates to repair objects:
/// objects that both versions reject, and only one of them because of a difference.
pub const REPAIR: usize = 10_000;

/// The maximum number of bytes of the objects that a comparison tries, as JSON. Larger edges, such
/// as a `maxLength` of a million, are not built.
pub const OBJECT_BYTES: usize = 70_000;

/// The maximum number of objects that are tried to make the object of a finding smaller.
pub const SHRINK: usize = 200;
