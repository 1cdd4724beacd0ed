//! Hints on CEL expressions that do not compile.

/// The functions of types that do not have operators: the operator, the type and the expression.
const METHODS: [(&str, &str, &str); 10] = [
    ("_<_", "kubernetes.Quantity", "a.isLessThan(b)"),
    ("_>_", "kubernetes.Quantity", "a.isGreaterThan(b)"),
    ("_<=_", "kubernetes.Quantity", "!a.isGreaterThan(b)"),
    ("_>=_", "kubernetes.Quantity", "!a.isLessThan(b)"),
    ("_+_", "kubernetes.Quantity", "a.add(b)"),
    ("_-_", "kubernetes.Quantity", "a.sub(b)"),
    ("_<_", "kubernetes.Semver", "a.isLessThan(b)"),
    ("_>_", "kubernetes.Semver", "a.isGreaterThan(b)"),
    ("_<=_", "kubernetes.Semver", "!a.isGreaterThan(b)"),
    ("_>=_", "kubernetes.Semver", "!a.isLessThan(b)"),
];

/// Returns a hint on an operator whose operands have a type without operators.
pub(crate) fn overload_hint(detail: &str) -> Option<String> {
    let (_, mismatch) = detail.split_once("found no matching overload for '")?;
    let (operator, operands) = mismatch.split_once("' applied to '(")?;
    let (first_type, _) = operands.split_once(',')?;
    let is_match =
        |(name, type_name, _): &&(&str, &str, &str)| *name == operator && *type_name == first_type;
    let (_, _, expression) = METHODS.iter().find(is_match)?;
    let sign = operator.trim_matches('_');
    Some(format!(
        "{first_type} does not have the operator `{sign}`; write `{expression}`"
    ))
}
