//! The conditions that an update of a CRD need not meet if the stored CRD does not meet them. A new
//! CRD must meet all of them.

/// The conditions of this kind that apply to a schema (`validationOptions` in
/// `k8s.io/apiextensions-apiserver`). All other conditions apply to every schema.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct ValidationOptions {
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

impl ValidationOptions {
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
