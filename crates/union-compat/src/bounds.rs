//! Limits of a comparison. The input may be any CRD, so the work must be limited. A comparison
//! reports what it left out because of a limit.

/// The maximum nesting of a schema.
pub const LEVELS: usize = 64;

/// The maximum number of schemas of objects with unions that a comparison visits in one version.
pub const UNION_OBJECTS: usize = 512;

/// The maximum number of schemas that are searched for unions.
pub const SCHEMAS: usize = 65_536;

/// The maximum number of objects that are built for the unions of one object. Smaller objects are
/// built first.
pub const OBJECTS: usize = 1_024;

/// The number of validated objects after which a comparison skips the remaining unions.
pub const ALL_OBJECTS: usize = 16_384;

/// The maximum number of members for which all combinations of set and unset members are built.
/// With more members, at most two are set at once.
pub const EXHAUSTIVE_MEMBERS: usize = 5;

/// The maximum number of updates of a tolerated object that are tried to find a rejected update.
pub const UPDATE_TRIES: usize = 64;

/// The maximum number of values that are tried for a member.
pub const VALUE_TRIES: usize = 128;

/// The maximum number of objects that are validated for the unions of one object to find objects
/// with the other fields that a state of the unions requires.
pub const STATE_VALIDATIONS: usize = 9_000;

/// The maximum number of objects that are validated for all unions of a comparison to find objects
/// with the other fields that a state of the unions requires.
pub const ALL_STATE_VALIDATIONS: usize = 60_000;
