//! The limits of an analysis. All limits are counts, not times, so that results are the same on
//! every machine. Beyond a limit, a rule is *unknown* or a query is *not decided*: the analysis
//! then assumes that more objects are allowed, never fewer.
//!
//! A rule becomes a *table*, with a row for each combination of the states of its fields. A *query*
//! searches for an allowed object under assumptions, such as "both fields are set".

/// The maximum number of fields in the table of a rule.
pub const TABLE_FIELDS: usize = 12;

/// The maximum number of rows in the table of a rule.
pub const TABLE_ROWS: usize = 65_536;

/// The maximum number of rows in all tables of an object schema together.
pub const ALL_TABLE_ROWS: usize = 1_048_576;

/// The maximum number of fields of a component: fields that are connected by rules.
pub const COMPONENT_FIELDS: usize = 256;

/// The maximum number of states of a field: values of its enum, or literals that rules compare the
/// field with.
pub const FIELD_STATES: usize = 256;

/// The maximum number of solver steps for one query.
pub const QUERY_STEPS: u64 = 10_000;

/// The maximum number of solver steps for all queries about an object schema.
pub const SOLVER_STEPS: u64 = 1_000_000;

/// The maximum number of evaluated terms for the truth tables of an object schema.
pub const EVALUATION_STEPS: u64 = 4_000_000;

/// The maximum number of steps for all objects of a schema together. Beyond it, the rules of the
/// remaining objects are unknown.
pub const SCHEMA_STEPS: u64 = 40_000_000;

/// The maximum number of members of a discriminated union.
pub const MEMBER_VALUES: usize = 64;

/// The maximum nesting depth of the JSON of a schema.
pub const LEVELS: usize = 400;

/// The maximum number of subschemas that are read.
pub const SUBSCHEMAS: usize = 100_000;

/// The maximum number of representative items for a rule of a list. The rule is evaluated for all
/// lists of up to three of these items.
pub const LIST_ITEMS: usize = 12;

/// The maximum cost of evaluating the rules of all lists of a schema, as the API server counts
/// cost. Rules beyond this cost are skipped.
pub const LIST_RULE_COST: u64 = 4_000_000;

/// The number of bytes of a description that are read. Its other bytes are ignored.
pub const DESCRIPTION_BYTES: usize = 65_536;

/// The maximum number of words and punctuation marks in a sentence of a description. A longer
/// sentence is split.
pub const SENTENCE_TOKENS: usize = 128;

/// The maximum number of transition rules of a schema that are examined for
/// `immutability-evaded`.
pub const TRANSITION_RULES: usize = 4_096;

/// The maximum number of subschemas in the CEL types of all examined transition rules.
pub const TRANSITION_SCHEMAS: usize = 400_000;

/// The maximum cost of evaluating the transition rules of a schema, as the API server counts cost.
pub const TRANSITION_RULE_COST: u64 = 2_000_000;
