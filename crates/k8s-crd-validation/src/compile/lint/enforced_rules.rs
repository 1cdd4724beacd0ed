//! The conditions that a server checks in new schemas only. An update of a CRD is accepted if the
//! stored CRD does not meet such a condition either.

/// The conditions of this kind that apply to a schema. All other conditions apply to every schema.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is demanded or not")]
pub(crate) struct EnforcedRules {
    /// True if the schema must be structural: every value has a type, and combinators only
    /// validate.
    pub(crate) structural: bool,
    /// True if unknown types are errors.
    pub(crate) types: bool,
    /// True if defaults must not contain unknown fields.
    pub(crate) pruned_defaults: bool,
    /// True if objects in a list of type set must be atomic.
    pub(crate) atomic_sets: bool,
    /// True if each key of a list of type map must be required or have a default, and if keys and
    /// list elements must not be nullable.
    pub(crate) map_keys: bool,
    /// True if the cost of each rule is limited. The total cost is always limited.
    pub(crate) rule_costs: bool,
}

impl EnforcedRules {
    /// All conditions, for a new CRD.
    pub(crate) const ALL: Self = Self {
        structural: true,
        types: true,
        pruned_defaults: true,
        atomic_sets: true,
        map_keys: true,
        rule_costs: true,
    };
}
