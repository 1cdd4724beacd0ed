//! The bounds of a comparison. The input may be any CRD, so the work is bounded. A comparison
//! reports what a bound leaves out.

/// The maximum number of levels of a schema.
pub const LEVELS: usize = 64;

/// The maximum number of places, which are objects with unions, that a comparison visits in a
/// schema.
pub const UNION_OBJECTS: usize = 512;

/// The maximum number of schemas that are searched for places.
pub const SCHEMAS: usize = 65_536;

/// The maximum number of objects that are built for a place. Smaller objects have precedence.
pub const OBJECTS: usize = 1_024;

/// The number of validated objects after which a comparison skips the remaining places.
pub const ALL_OBJECTS: usize = 16_384;

/// The maximum number of members for which all combinations of set and unset members are built. For
/// more members, only combinations with at most two set members are built.
pub const EXHAUSTIVE_MEMBERS: usize = 5;

/// The maximum number of updates that are tried to find a rejected one, for an object that is
/// tolerated.
pub const UPDATE_TRIES: usize = 64;

/// The maximum number of values that are tried for a member.
pub const VALUE_TRIES: usize = 128;
