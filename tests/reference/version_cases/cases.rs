//! CRDs that only servers of some versions accept. Each CRD contains a function, a macro or a
//! keyword that a version introduced. Each CRD is tested as a new CRD and as a stored CRD.

use k8s_cel::{Feature, FeatureKind, KubeVersion, Signature, Type, overloads};
use serde_json::{Value, json};

/// A CRD with a part that only some versions accept.
#[derive(Debug)]
pub(crate) struct VersionCase {
    /// The part of the CRD that only some versions accept.
    pub(crate) name: String,
    /// The new CRD.
    pub(crate) new: Value,
    pub(crate) needs: VersionRequirement,
}

/// The versions that accept a part of a CRD, according to our table of features.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VersionRequirement {
    /// The versions that have all of these features.
    Features(&'static [Feature]),
    /// The first versions for a new rule and for a stored rule.
    Versions {
        new: Option<KubeVersion>,
        stored: Option<KubeVersion>,
    },
    /// The versions that do not have the feature.
    Absence(Feature),
}

impl VersionCase {
    fn of_rule(rule: &str, needs: VersionRequirement) -> Self {
        Self {
            name: rule.to_owned(),
            new: crd(&schema(&json!({"rule": rule}))),
            needs,
        }
    }

    /// Returns the CRD as a stored CRD.
    pub(crate) fn stored(&self) -> Value {
        let mut stored = self.new.clone();
        stored["status"] = json!({
            "storedVersions": ["v1"],
            "conditions": [{"type": "Established", "status": "True"}],
        });
        stored
    }

    /// Returns true if, according to the table, a server of the version accepts the new CRD or the
    /// stored CRD.
    pub(crate) fn is_accepted(&self, version: KubeVersion, is_stored: bool) -> bool {
        let has = |feature: Feature| match feature.kind() {
            FeatureKind::Library if !is_stored => version.of_new_rules().has(feature),
            _ => version.has(feature),
        };
        match self.needs {
            VersionRequirement::Features(features) => features.iter().all(|feature| has(*feature)),
            VersionRequirement::Versions { new, stored } => {
                let since = if is_stored { stored } else { new };
                since.is_some_and(|since| since <= version)
            }
            // A server drops a keyword whose gate is off from a new CRD, but not from a stored CRD.
            VersionRequirement::Absence(feature) if is_stored => version < feature.introduced(),
            VersionRequirement::Absence(feature) => !has(feature) || is_dropped(feature, version),
        }
    }
}

/// Returns all cases.
pub(crate) fn all() -> Vec<VersionCase> {
    let calls = overloads();
    let calls = calls.iter().filter_map(|overload| {
        let rule = format!("[{}].size() == 1", call(overload)?);
        let (new, stored) = (overload.since_in_new_rules, overload.since);
        Some(VersionCase::of_rule(
            &rule,
            VersionRequirement::Versions { new, stored },
        ))
    });
    let others = OTHERS.iter();
    let others =
        others.map(|(rule, needs)| VersionCase::of_rule(rule, VersionRequirement::Features(needs)));
    calls.chain(others).chain(keywords()).collect()
}

/// Macros, types and syntax, with the feature that introduced them.
const OTHERS: &[(&str, &[Feature])] = &[
    ("self.l.all(x, x > 0)", &[]),
    ("self.l.exists(x, x > 0)", &[]),
    ("self.l.exists_one(x, x > 0)", &[]),
    ("self.l.map(x, x).size() > 0", &[]),
    ("self.l.map(x, x > 0, x).size() > 0", &[]),
    ("self.l.filter(x, x > 0).size() > 0", &[]),
    ("has(self.s)", &[]),
    ("self.l.all(i, x, x > i)", &[Feature::TwoVariableMacros]),
    ("self.l.exists(i, x, x > i)", &[Feature::TwoVariableMacros]),
    (
        "self.l.existsOne(i, x, x > i)",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.l.exists_one(i, x, x > i)",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.l.transformList(i, x, x).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.l.transformList(i, x, x > 0, x).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.m.transformMap(k, v, v).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.m.transformMap(k, v, v > 0, v).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.m.transformMapEntry(k, v, {k: v}).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    (
        "self.m.transformMapEntry(k, v, v > 0, {k: v}).size() > 0",
        &[Feature::TwoVariableMacros],
    ),
    ("self.l.sortBy(x, -x).size() > 0", &[Feature::ListsVersion3]),
    ("self.?s.hasValue()", &[Feature::Optionals]),
    ("self.l[?0].hasValue()", &[Feature::Optionals]),
    ("[?optional.of(1)].size() == 1", &[Feature::Optionals]),
    ("{?'a': optional.of(1)}.size() == 1", &[Feature::Optionals]),
    ("self.?s.optMap(x, 1).hasValue()", &[Feature::Optionals]),
    (
        "self.?s.optFlatMap(x, optional.of(x)).hasValue()",
        &[Feature::Optionals, Feature::OptFlatMap],
    ),
    (
        "type(1) == optional_type",
        &[Feature::Optionals, Feature::OptionalTypeName],
    ),
    ("type(1) == net.IP", &[Feature::IpAndCidr]),
    ("type(1) == net.CIDR", &[Feature::IpAndCidr]),
    ("self.namespace == 'a'", &[Feature::ReservedFieldNames]),
    ("self.__namespace__ == 'a'", &[]),
    ("self.__if__ == 'a'", &[]),
    ("self.if == 'a'", &[Feature::ReservedFieldNames]),
    ("self.s.matches('^a')", &[]),
    (
        "self.l.isSorted() && self.l.sum() > 0 && self.l.min() > 0 && self.l.max() > 0",
        &[],
    ),
];

/// Returns a case for each keyword, with an invalid value that only servers with the keyword
/// reject.
fn keywords() -> impl Iterator<Item = VersionCase> {
    let of_rules = [
        (
            json!({"rule": "true", "messageExpression": "1"}),
            Feature::MessageExpression,
        ),
        (
            json!({"rule": "true", "reason": "Bad"}),
            Feature::ReasonAndFieldPath,
        ),
        (
            json!({"rule": "true", "fieldPath": ".missing"}),
            Feature::ReasonAndFieldPath,
        ),
        (
            json!({"rule": "oldSelf.s == 'a'", "optionalOldSelf": true}),
            Feature::OptionalOldSelf,
        ),
    ];
    let of_rules = of_rules.into_iter().map(|(rule, feature)| VersionCase {
        name: rule.to_string(),
        new: crd(&schema(&rule)),
        needs: VersionRequirement::Absence(feature),
    });
    let mut selectable = crd(&schema(&json!({"rule": "true"})));
    selectable["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": ".missing"}]);
    let selectable = VersionCase {
        name: "selectableFields".to_owned(),
        new: selectable,
        needs: VersionRequirement::Absence(Feature::SelectableFields),
    };
    of_rules.chain([selectable])
}

/// Returns a call of an overload with simple arguments. Returns `None` if no rule can have such
/// arguments, or if only macros call the overload.
fn call(overload: &Signature) -> Option<String> {
    let args = overload.args.iter();
    let args: Vec<String> = args.map(value).collect::<Option<_>>()?;
    Some(match (overload.name, &*args) {
        ("-_", [operand]) => format!("-{operand}"),
        ("!_", [operand]) => format!("!{operand}"),
        ("_?_:_", [condition, yes, no]) => format!("({condition} ? {yes} : {no})"),
        ("_[_]", [container, key]) => format!("{container}[{key}]"),
        ("_[?_]", [container, key]) => format!("{container}[?{key}]"),
        ("@in", [element, list]) => format!("({element} in {list})"),
        (name, _) if name.contains('@') => return None,
        ("_?._", _) => return None,
        // A server declares this conversion, but does not implement it.
        ("duration", [operand]) if operand == "1" => return None,
        (name, [left, right]) if name.starts_with('_') => {
            format!("({left} {} {right})", name.trim_matches('_'))
        }
        (name, [target, rest @ ..]) if overload.is_member => {
            format!("{target}.{name}({})", rest.join(", "))
        }
        (name, args) => format!("{name}({})", args.join(", ")),
    })
}

/// Returns an expression of a type. Strings of a special form, such as URLs, are read from the
/// object, because a server validates literals when it compiles the rule.
fn value(ty: &Type) -> Option<String> {
    let of_string = |function: &str| Some(format!("{function}(self.s)"));
    Some(match ty {
        Type::Dyn => "dyn(1)".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "true".to_owned(),
        Type::Int | Type::Var(0) => "1".to_owned(),
        Type::Uint => "1u".to_owned(),
        Type::Double => "1.5".to_owned(),
        Type::String | Type::Var(_) => "self.s".to_owned(),
        Type::Bytes => "b'a'".to_owned(),
        Type::Timestamp => return of_string("timestamp"),
        Type::Duration => return of_string("duration"),
        Type::List(of) => format!("[{}]", value(of)?),
        Type::Map(of) => format!("{{{}: {}}}", value(&of.0)?, value(&of.1)?),
        Type::Optional(of) => format!("optional.of({})", value(of)?),
        Type::Type(of) => format!("type({})", value(of)?),
        Type::Opaque("kubernetes.URL") => return of_string("url"),
        Type::Opaque("kubernetes.Quantity") => return of_string("quantity"),
        Type::Opaque("kubernetes.Semver") => return of_string("semver"),
        Type::Opaque("kubernetes.NamedFormat") => "format.uri()".to_owned(),
        Type::Opaque("net.IP") => return of_string("ip"),
        Type::Opaque("net.CIDR") => return of_string("cidr"),
        _ => return None,
    })
}

fn schema(rule: &Value) -> Value {
    let string = json!({"type": "string", "maxLength": 5});
    json!({
        "type": "object",
        "properties": {
            "s": string, "namespace": string, "if": string,
            "l": {"type": "array", "maxItems": 3, "items": {"type": "integer"}},
            "m": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "integer"}},
        },
        "x-kubernetes-validations": [rule],
    })
}

fn crd(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com", "resourceVersion": "7", "uid": "u"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Doc", "listKind": "DocList", "plural": "docs", "singular": "doc"},
            "scope": "Cluster",
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}},
            }],
        },
    })
}

/// Returns true if a server of the version drops the keyword of the feature from new CRDs, because
/// the feature gate of the keyword is off by default.
fn is_dropped(feature: Feature, version: KubeVersion) -> bool {
    let is_gate_off =
        version.has(Feature::OptionalOldSelfGate) && !version.has(Feature::Ratcheting);
    feature == Feature::OptionalOldSelf && is_gate_off
}
