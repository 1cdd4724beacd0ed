//! How much is looked at. CRDs may come from anybody; what lies beyond a bound is said, never left out in silence.

/// How deep a schema may be.
pub const LEVELS: usize = 64;

/// How many places of a schema are compared.
pub const PLACES: usize = 512;

/// How many schemas are gone through in search of places.
pub const SCHEMAS: usize = 65_536;

/// How many objects the small world of a place has at most: the smallest come first.
pub const OBJECTS: usize = 1_024;

/// How many objects are judged in one comparison.
pub const ALL_OBJECTS: usize = 16_384;

/// Up to so many members all combinations of set and unset ones are in the world; beyond, those of at most two set ones.
pub const EXHAUSTIVE: usize = 5;

/// How many requests are tried for one that is refused though the object is tolerated.
pub const REQUESTS: usize = 64;

/// How many values are tried for a member.
pub const TRIES: usize = 128;
