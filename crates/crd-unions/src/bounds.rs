//! How much is looked at. All bounds are counted, none is a time, so that a reading is the same everywhere. Beyond a bound
//! something is *unknown* or *not decided*, which only widens what is taken to be allowed.

/// How many fields a rule with a table may name.
pub const TABLE_FIELDS: usize = 12;

/// How many rows a table may have.
pub const TABLE_ROWS: usize = 65_536;

/// How many rows all tables of an object schema may have.
pub const ALL_ROWS: usize = 1_048_576;

/// How many fields a component may have.
pub const COMPONENT_FIELDS: usize = 256;

/// How many states a field may have: values of its enum, or literals that rules ask for.
pub const FIELD_STATES: usize = 256;

/// How many steps the solver may take for a question.
pub const QUESTION_STEPS: u64 = 10_000;

/// How many steps the solver may take for all questions of an object schema.
pub const SOLVER_STEPS: u64 = 1_000_000;

/// How many parts of rules may be evaluated for the tables of an object schema.
pub const EVALUATION_STEPS: u64 = 4_000_000;

/// How many steps all objects of a schema may take; those behind are not understood.
pub const SCHEMA_STEPS: u64 = 40_000_000;

/// How many values of a discriminator may have a member.
pub const MEMBER_VALUES: usize = 64;

/// How many levels of lists and objects a schema may have as JSON.
pub const LEVELS: usize = 400;

/// How many places of a schema are read.
pub const PLACES: usize = 100_000;

/// How many items a rule of a list may tell apart: lists of up to three of them are asked for.
pub const LIST_ITEMS: usize = 12;

/// How much the rules of the lists of a schema may cost, as a server counts; those behind are not read.
pub const LIST_STEPS: u64 = 4_000_000;
