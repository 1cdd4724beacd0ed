//! Objects that are types of Kubernetes by their shape.

use serde_json::Value;

/// A type of k8s-openapi that writes what it reads.
struct Core {
    path: &'static str,
    known: Known,
    fields: &'static [Field],
}

/// What makes an object with these fields that type.
enum Known {
    /// No other object has such fields.
    ByShape,
    /// Many objects have such fields; in this one a description has words of Kubernetes' own.
    ByWords(&'static str, &'static str),
    /// Many objects have them: it is that type within another one of these.
    Within,
}

/// A field: its name, what is in it, and whether the type has it always, so that it has to be there.
type Field = (&'static str, Of, bool);

/// What is in a field.
enum Of {
    Text,
    Flag,
    Int32,
    Int64,
    Time,
    Quantity,
    Object(&'static str),
    List(&'static Of),
    Map(&'static Of),
}

/// The fields are those of Kubernetes 1.33, the oldest version that k8s-openapi 0.29 has: what a newer version added is in a
/// struct of its own. Of types of one name, only those of these paths.
#[rustfmt::skip]
const TYPES: &[Core] = &[
    Core { path: "::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition", known: Known::ByShape, fields: &[
        ("lastTransitionTime", Of::Time, true),
        ("message", Of::Text, true),
        ("observedGeneration", Of::Int64, false),
        ("reason", Of::Text, true),
        ("status", Of::Text, true),
        ("type", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector", known: Known::ByShape, fields: &[
        ("matchExpressions", Of::List(&Of::Object("LabelSelectorRequirement")), false),
        ("matchLabels", Of::Map(&Of::Text), false),
    ] },
    Core { path: "::k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelectorRequirement", known: Known::Within, fields: &[
        ("key", Of::Text, true),
        ("operator", Of::Text, true),
        ("values", Of::List(&Of::Text), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::Affinity", known: Known::ByShape, fields: &[
        ("nodeAffinity", Of::Object("NodeAffinity"), false),
        ("podAffinity", Of::Object("PodAffinity"), false),
        ("podAntiAffinity", Of::Object("PodAntiAffinity"), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ConfigMapKeySelector", known: Known::ByWords("key", "key to select"), fields: &[
        ("key", Of::Text, true),
        ("name", Of::Text, true),
        ("optional", Of::Flag, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::EnvVar", known: Known::ByShape, fields: &[
        ("name", Of::Text, true),
        ("value", Of::Text, false),
        ("valueFrom", Of::Object("EnvVarSource"), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::EnvVarSource", known: Known::ByShape, fields: &[
        ("configMapKeyRef", Of::Object("ConfigMapKeySelector"), false),
        ("fieldRef", Of::Object("ObjectFieldSelector"), false),
        ("resourceFieldRef", Of::Object("ResourceFieldSelector"), false),
        ("secretKeyRef", Of::Object("SecretKeySelector"), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::KeyToPath", known: Known::ByWords("key", "key to project"), fields: &[
        ("key", Of::Text, true),
        ("mode", Of::Int32, false),
        ("path", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::LocalObjectReference", known: Known::ByWords("name", "name of the referent"), fields: &[
        ("name", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::NodeAffinity", known: Known::ByShape, fields: &[
        ("preferredDuringSchedulingIgnoredDuringExecution", Of::List(&Of::Object("PreferredSchedulingTerm")), false),
        ("requiredDuringSchedulingIgnoredDuringExecution", Of::Object("NodeSelector"), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::NodeSelector", known: Known::Within, fields: &[
        ("nodeSelectorTerms", Of::List(&Of::Object("NodeSelectorTerm")), true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::NodeSelectorRequirement", known: Known::Within, fields: &[
        ("key", Of::Text, true),
        ("operator", Of::Text, true),
        ("values", Of::List(&Of::Text), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::NodeSelectorTerm", known: Known::Within, fields: &[
        ("matchExpressions", Of::List(&Of::Object("NodeSelectorRequirement")), false),
        ("matchFields", Of::List(&Of::Object("NodeSelectorRequirement")), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ObjectFieldSelector", known: Known::Within, fields: &[
        ("apiVersion", Of::Text, false),
        ("fieldPath", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ObjectReference", known: Known::ByShape, fields: &[
        ("apiVersion", Of::Text, false),
        ("fieldPath", Of::Text, false),
        ("kind", Of::Text, false),
        ("name", Of::Text, false),
        ("namespace", Of::Text, false),
        ("resourceVersion", Of::Text, false),
        ("uid", Of::Text, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::PodAffinity", known: Known::Within, fields: &[
        ("preferredDuringSchedulingIgnoredDuringExecution", Of::List(&Of::Object("WeightedPodAffinityTerm")), false),
        ("requiredDuringSchedulingIgnoredDuringExecution", Of::List(&Of::Object("PodAffinityTerm")), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::PodAffinityTerm", known: Known::ByShape, fields: &[
        ("labelSelector", Of::Object("LabelSelector"), false),
        ("matchLabelKeys", Of::List(&Of::Text), false),
        ("mismatchLabelKeys", Of::List(&Of::Text), false),
        ("namespaceSelector", Of::Object("LabelSelector"), false),
        ("namespaces", Of::List(&Of::Text), false),
        ("topologyKey", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::PodAntiAffinity", known: Known::Within, fields: &[
        ("preferredDuringSchedulingIgnoredDuringExecution", Of::List(&Of::Object("WeightedPodAffinityTerm")), false),
        ("requiredDuringSchedulingIgnoredDuringExecution", Of::List(&Of::Object("PodAffinityTerm")), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::PreferredSchedulingTerm", known: Known::Within, fields: &[
        ("preference", Of::Object("NodeSelectorTerm"), true),
        ("weight", Of::Int32, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ResourceClaim", known: Known::Within, fields: &[
        ("name", Of::Text, true),
        ("request", Of::Text, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ResourceFieldSelector", known: Known::Within, fields: &[
        ("containerName", Of::Text, false),
        ("divisor", Of::Quantity, false),
        ("resource", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::ResourceRequirements", known: Known::ByShape, fields: &[
        ("claims", Of::List(&Of::Object("ResourceClaim")), false),
        ("limits", Of::Map(&Of::Quantity), false),
        ("requests", Of::Map(&Of::Quantity), false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::SecretKeySelector", known: Known::ByWords("key", "key of the secret"), fields: &[
        ("key", Of::Text, true),
        ("name", Of::Text, true),
        ("optional", Of::Flag, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::SecretReference", known: Known::ByWords("name", "secret resource"), fields: &[
        ("name", Of::Text, false),
        ("namespace", Of::Text, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::Toleration", known: Known::ByShape, fields: &[
        ("effect", Of::Text, false),
        ("key", Of::Text, false),
        ("operator", Of::Text, false),
        ("tolerationSeconds", Of::Int64, false),
        ("value", Of::Text, false),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::TopologySpreadConstraint", known: Known::ByShape, fields: &[
        ("labelSelector", Of::Object("LabelSelector"), false),
        ("matchLabelKeys", Of::List(&Of::Text), false),
        ("maxSkew", Of::Int32, true),
        ("minDomains", Of::Int32, false),
        ("nodeAffinityPolicy", Of::Text, false),
        ("nodeTaintsPolicy", Of::Text, false),
        ("topologyKey", Of::Text, true),
        ("whenUnsatisfiable", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::TypedLocalObjectReference", known: Known::ByWords("kind", "type of resource being referenced"), fields: &[
        ("apiGroup", Of::Text, false),
        ("kind", Of::Text, true),
        ("name", Of::Text, true),
    ] },
    Core { path: "::k8s_openapi::api::core::v1::WeightedPodAffinityTerm", known: Known::Within, fields: &[
        ("podAffinityTerm", Of::Object("PodAffinityTerm"), true),
        ("weight", Of::Int32, true),
    ] },
];

/// The type of k8s-openapi that an object schema describes.
pub(crate) fn core_type(schema: &Value) -> Option<&'static str> {
    let found = TYPES.iter().find(|of| {
        let is_known = match of.known {
            Known::ByShape => true,
            Known::ByWords(field, words) => {
                let description = schema.pointer(&format!("/properties/{field}/description"));
                let text = description.and_then(Value::as_str).unwrap_or_default();
                text.to_lowercase().contains(words)
            }
            Known::Within => false,
        };
        is_known && has_fields(schema, of.fields)
    });
    found.map(|of| of.path)
}

/// Whether an object has these fields and no others. The tables end, and so does this.
fn has_fields(schema: &Value, fields: &[Field]) -> bool {
    let is_plain = [
        "additionalProperties",
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return false;
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.into_iter().flatten().any(|found| found == name);
    properties.len() == fields.len()
        && is_plain.iter().all(|keyword| schema.get(keyword).is_none())
        && fields.iter().all(|(name, of, is_always_there)| {
            properties.get(*name).is_some_and(|property| {
                // A server fills in what the type would write.
                let is_filled_in = property.get("default").is_some_and(|default| default == "");
                is_of(property, of) && (!is_always_there || is_required(name) || is_filled_in)
            })
        })
}

fn is_of(schema: &Value, of: &Of) -> bool {
    let says = |keyword: &str, text: &str| schema.get(keyword).is_some_and(|found| found == text);
    if schema.get("nullable").is_some_and(|found| found != false) {
        return false;
    }
    let inner = |keyword: &str, of: &Of| schema.get(keyword).is_some_and(|inner| is_of(inner, of));
    match of {
        Of::Text => {
            says("type", "string") && !says("format", "byte") && !says("format", "date-time")
        }
        Of::Flag => says("type", "boolean"),
        Of::Int32 => says("type", "integer") && says("format", "int32"),
        Of::Int64 => says("type", "integer"),
        Of::Time => says("type", "string") && says("format", "date-time"),
        Of::Quantity => schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)),
        Of::List(of) => says("type", "array") && inner("items", of),
        Of::Map(of) => {
            says("type", "object")
                && schema.get("properties").is_none()
                && inner("additionalProperties", of)
        }
        Of::Object(name) => {
            let mut all = TYPES.iter();
            let found = all.find(|of| of.path.rsplit("::").next() == Some(*name));
            says("type", "object") && found.is_some_and(|of| has_fields(schema, of.fields))
        }
    }
}
