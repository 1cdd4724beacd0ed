//! The fields of a CRD that the cases change, and their invalid values.

use k8s_go_text::base64;
use serde_json::{Value, json};

use crate::schemas;
use crate::texts;
use union_random::Random;

/// A change of a field.
#[derive(Clone, Copy)]
pub(crate) enum FieldChange {
    Remove,
    /// The field gets a value from the generator.
    Set(fn(&mut Random) -> Value),
}

fn null(_: &mut Random) -> Value {
    Value::Null
}

/// Returns a value of a random type, which most fields do not have.
fn other_type(random: &mut Random) -> Value {
    let types = [
        json!(1),
        json!("x"),
        json!(true),
        json!([]),
        json!({}),
        json!([1]),
        json!({"a": 1}),
    ];
    random.pick(&types).clone()
}

fn names(random: &mut Random) -> Value {
    (0..random.below(4)).map(|_| texts::name(random)).collect()
}

fn boolean(random: &mut Random) -> Value {
    json!(random.chance(50))
}

fn kind(random: &mut Random) -> Value {
    json!(*random.pick(&["Doc", "DocList", "D oc", "", "1D", "Ä", "doc-", "Other"]))
}

fn group(random: &mut Random) -> Value {
    const GROUPS: [&str; 8] = [
        "",
        "com",
        "Example.com",
        "example..com",
        "k8s.io",
        "x.kubernetes.io",
        "example.org",
        "a b.c",
    ];
    json!(*random.pick(&GROUPS))
}

fn long(random: &mut Random) -> Value {
    json!("a".repeat(*random.pick(&[63, 64, 253, 254])))
}

fn scope(random: &mut Random) -> Value {
    json!(*random.pick(&["", "Galaxy", "cluster", "Cluster", "Namespaced"]))
}

fn version(random: &mut Random) -> Value {
    json!(*random.pick(&["v1", "v2beta1", "V1", "", "1", "v.1", "v9"]))
}

fn strategy(random: &mut Random) -> Value {
    json!(*random.pick(&["", "None", "Webhook", "none", "X"]))
}

fn reviews(random: &mut Random) -> Value {
    let versions = ["v1", "v1beta1", "v2", "V1", "", "v1"];
    json!(random.subset(&versions, 40))
}

fn client(random: &mut Random) -> Value {
    let clients = [
        json!({}),
        json!({"url": "https://a.b", "service": {"name": "a", "namespace": "b"}}),
        json!({"service": {}}),
        json!({"service": {"name": "", "namespace": "B"}}),
        json!({"caBundle": "eA=="}),
        json!({"url": ""}),
    ];
    random.pick(&clients).clone()
}

/// PEM in base64: a block of another type, a certificate of three zero bytes, and a certificate
/// that is an empty sequence.
const PEM: [&str; 3] = [
    "LS0tLS1CRUdJTiBYLS0tLS0KQUFBQQotLS0tLUVORCBYLS0tLS0K",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BQT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=",
];

fn bundle(random: &mut Random) -> Value {
    if random.chance(50) {
        return json!(*random.pick(&["", "eA==", "!", "eA", "LS0t", PEM[0], PEM[1], PEM[2]]));
    }
    let blocks: String = (0..random.below(4)).map(|_| pem_piece(random)).collect();
    let mut bundle = base64::encode(blocks.as_bytes());
    // A line break is ignored. Other characters are errors, at a position in the message.
    for _ in 0..random.below(3) {
        let position = random.below(bundle.len() + 1);
        bundle.insert(position, *random.pick(&['\n', '\r', '=', ' ', 'A', '-']));
    }
    json!(bundle)
}

/// Returns a PEM block, or a string between blocks.
fn pem_piece(random: &mut Random) -> String {
    if random.chance(20) {
        return (*random.pick(&["\n", "x", "x\n", " ", "-----BEGIN X-----\n"])).to_owned();
    }
    let label = *random.pick(&["CERTIFICATE", "CERTIFICATE", "X", ""]);
    let header = *random.pick(&["", "", "", "Proc-Type: 4,ENCRYPTED\n\n", "a: b\n"]);
    // Three zero bytes, an empty sequence, and a string that is not base64.
    let body = *random.pick(&[
        "AAAA", "MAA=", "M A\tA=", "MA\nA=", "MA\r\nA=", "", "!", "MAA",
    ]);
    let end = *random.pick(&["\n", "", "\n\n", " \n"]);
    format!("-----BEGIN {label}-----\n{header}{body}{end}-----END {label}-----{end}")
}

fn port(random: &mut Random) -> Value {
    json!(*random.pick(&[0, 1, -1, 65535, 65536, 443, 2_147_483_648_i64]))
}

fn webhook_client(random: &mut Random) -> Value {
    let mut webhook = json!({"clientConfig": {}, "conversionReviewVersions": ["v1"]});
    if random.chance(70) {
        webhook["clientConfig"]["url"] = texts::url(random);
    } else {
        webhook["clientConfig"]["service"] =
            json!({"name": "a", "namespace": "b", "path": texts::service_path(random)});
        if random.chance(30) {
            webhook["clientConfig"]["service"]["port"] = port(random);
        }
    }
    json!({"strategy": "Webhook", "webhook": webhook})
}

fn column(random: &mut Random) -> Value {
    let names = ["a", "", "B c"];
    let types = ["string", "", "date", "boolean", "String", "object"];
    let formats = ["", "int32", "uuid", "date-time", "x"];
    let mut column = json!({
        "name": *random.pick(&names), "type": *random.pick(&types), "jsonPath": texts::path(random),
    });
    if random.chance(40) {
        column["format"] = json!(*random.pick(&formats));
    }
    column
}

fn columns(random: &mut Random) -> Value {
    if random.chance(10) {
        return json!([null, {}]);
    }
    (0..random.below(4)).map(|_| column(random)).collect()
}

fn selectable(random: &mut Random) -> Value {
    if random.chance(10) {
        return json!([null, {}]);
    }
    let count = random.weighted(&[(6, 1), (3, 2), (1, 10)]);
    (0..count)
        .map(|_| json!({"jsonPath": texts::path(random)}))
        .collect()
}

fn scale(random: &mut Random) -> Value {
    let mut scale = json!({});
    for name in [
        "specReplicasPath",
        "statusReplicasPath",
        "labelSelectorPath",
    ] {
        if random.chance(80) {
            scale[name] = texts::path(random);
        }
    }
    json!({ "scale": scale })
}

fn subresources(random: &mut Random) -> Value {
    let parts = [
        json!({}),
        json!({"status": {}}),
        json!({"status": null, "scale": null}),
        json!({"scale": {}}),
    ];
    random.pick(&parts).clone()
}

fn labels(random: &mut Random) -> Value {
    random
        .pick(&[json!({"a b": "c"}), json!({"a": "c d"}), json!({"a": "b"})])
        .clone()
}

fn finalizers(random: &mut Random) -> Value {
    random
        .pick(&[
            json!(["a b"]),
            json!(["x/y"]),
            json!(["orphan", "foregroundDeletion"]),
        ])
        .clone()
}

fn annotations(random: &mut Random) -> Value {
    json!({"api-approved.kubernetes.io": texts::approval(random)})
}

use FieldChange::{Remove, Set};

/// The changes of the fields of any CRD, by JSON pointer. `#` stands for the index of any version.
/// A repeated change occurs more often.
pub(crate) const FIELDS: &[(&str, &[FieldChange])] = &[
    (
        "/metadata/name",
        &[
            Remove,
            Set(texts::name),
            Set(other_type),
            Set(null),
            Set(long),
        ],
    ),
    ("/metadata/labels", &[Set(labels)]),
    ("/metadata/annotations", &[Set(annotations), Remove]),
    ("/metadata/finalizers", &[Set(finalizers)]),
    ("/metadata", &[Set(null), Set(other_type)]),
    (
        "/spec/group",
        &[
            Remove,
            Set(group),
            Set(other_type),
            Set(null),
            Set(long),
            Set(texts::name),
        ],
    ),
    ("/spec/scope", &[Remove, Set(scope), Set(other_type)]),
    ("/spec/names", &[Remove, Set(null), Set(other_type)]),
    (
        "/spec/names/plural",
        &[Remove, Set(texts::name), Set(null), Set(long)],
    ),
    (
        "/spec/names/singular",
        &[Remove, Set(texts::name), Set(other_type)],
    ),
    (
        "/spec/names/kind",
        &[Remove, Set(kind), Set(texts::name), Set(null)],
    ),
    (
        "/spec/names/listKind",
        &[Remove, Set(kind), Set(texts::name)],
    ),
    ("/spec/names/shortNames", &[Set(names), Set(other_type)]),
    ("/spec/names/categories", &[Set(names), Set(null)]),
    (
        "/spec/preserveUnknownFields",
        &[Set(boolean), Set(boolean), Set(other_type), Set(null)],
    ),
    ("/spec/versions", &[Remove, Set(null), Set(other_type)]),
    ("/spec/versions/#", &[Set(null), Set(other_type)]),
    (
        "/spec/versions/#/name",
        &[
            Remove,
            Set(version),
            Set(texts::name),
            Set(other_type),
            Set(long),
        ],
    ),
    (
        "/spec/versions/#/served",
        &[Remove, Set(boolean), Set(other_type)],
    ),
    (
        "/spec/versions/#/storage",
        &[Remove, Set(boolean), Set(boolean), Set(other_type)],
    ),
    ("/spec/versions/#/deprecated", &[Set(boolean)]),
    (
        "/spec/versions/#/deprecationWarning",
        &[Set(texts::warning), Set(texts::warning), Set(other_type)],
    ),
    (
        "/spec/versions/#/schema",
        &[Remove, Set(null), Set(other_type)],
    ),
    (
        "/spec/versions/#/schema/openAPIV3Schema",
        &[Remove, Set(null), Set(schemas::root)],
    ),
    (
        "/spec/versions/#/schema/openAPIV3Schema/properties/broken",
        &[
            Set(schemas::inner),
            Set(schemas::inner),
            Set(schemas::inner),
            Set(schemas::inner),
            Set(schemas::inner),
        ],
    ),
    (
        "/spec/versions/#/subresources",
        &[
            Remove,
            Set(subresources),
            Set(scale),
            Set(scale),
            Set(other_type),
        ],
    ),
    (
        "/spec/versions/#/additionalPrinterColumns",
        &[
            Remove,
            Set(columns),
            Set(columns),
            Set(null),
            Set(other_type),
        ],
    ),
    (
        "/spec/versions/#/selectableFields",
        &[
            Remove,
            Set(selectable),
            Set(selectable),
            Set(selectable),
            Set(other_type),
        ],
    ),
    (
        "/spec/conversion",
        &[
            Remove,
            Set(webhook_client),
            Set(webhook_client),
            Set(webhook_client),
            Set(other_type),
            Set(null),
        ],
    ),
    (
        "/spec/conversion/strategy",
        &[Remove, Set(strategy), Set(strategy), Set(other_type)],
    ),
    (
        "/spec/conversion/webhook",
        &[Remove, Set(null), Set(other_type)],
    ),
    (
        "/spec/conversion/webhook/clientConfig",
        &[Remove, Set(client), Set(client), Set(null)],
    ),
    (
        "/spec/conversion/webhook/clientConfig/caBundle",
        &[Set(bundle), Set(bundle)],
    ),
    (
        "/spec/conversion/webhook/conversionReviewVersions",
        &[Remove, Set(reviews), Set(reviews), Set(other_type)],
    ),
    ("/spec", &[Remove, Set(null)]),
];

fn stored(random: &mut Random) -> Value {
    let names = ["v1", "v2beta1", "v0", "v3alpha2"];
    json!(random.subset(&names, 50))
}

fn conditions(random: &mut Random) -> Value {
    let condition = |random: &mut Random| {
        json!({
            "type": *random.pick(&["Established", "NamesAccepted", "Terminating"]),
            "status": *random.pick(&["True", "True", "False", "Unknown"]),
        })
    };
    (0..random.below(3)).map(|_| condition(random)).collect()
}

fn accepted(random: &mut Random) -> Value {
    let mut names = json!({});
    for name in ["plural", "singular", "kind", "listKind"] {
        if random.chance(40) {
            names[name] = if random.chance(50) {
                kind(random)
            } else {
                texts::name(random)
            };
        }
    }
    names
}

/// The changes of the fields of a stored CRD.
pub(crate) const STORED: &[(&str, &[FieldChange])] = &[
    ("/status/storedVersions", &[Remove, Set(stored), Set(null)]),
    (
        "/status/conditions",
        &[Remove, Set(conditions), Set(conditions)],
    ),
    ("/status/acceptedNames", &[Set(accepted)]),
    ("/status", &[Remove]),
    ("/metadata/resourceVersion", &[Set(null)]),
    (
        "/metadata/deletionTimestamp",
        &[Set(|_| json!("2020-01-01T00:00:00Z"))],
    ),
];

/// The changes of fields that an update sends, but a create does not send.
pub(crate) const SENT: &[(&str, &[FieldChange])] = &[
    ("/metadata/resourceVersion", &[Remove, Set(|_| json!("8"))]),
    ("/metadata/uid", &[Remove, Set(|_| json!("other"))]),
    (
        "/metadata/creationTimestamp",
        &[Set(|_| json!("2020-01-01T00:00:00Z"))],
    ),
    ("/status", &[Remove]),
];
