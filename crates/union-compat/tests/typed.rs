//! Tests of comparisons of Rust types, which clients use to read and write objects.

use std::panic::catch_unwind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_compat::skew::{
    ClientType, Intent, IntentOutcome, RequestVerb, SkewCell, SkewError, SkewOutcome, VersionSide,
};
use union_compat::{
    ApiVersion, ChangeCode, Options, RequestOutcome, Severity, assert_compatible, compare, skew,
};
use union_runtime::{EnumType, RawUnion, RestoreUnaware, Settings, Union, UnionEnum};

use crate::oracle::findings_of;

mod enums {
    use super::{RawUnion, UnionEnum};

    #[derive(UnionEnum, Debug)]
    #[union(discriminator = "type")]
    pub(super) enum Older {
        S3(String),
        Volume(String),
        #[union(other)]
        Other(RawUnion),
    }

    #[derive(UnionEnum, Debug)]
    #[union(discriminator = "type")]
    pub(super) enum Newer {
        S3(String),
        Volume(String),
        Tape(u32),
        #[union(other)]
        Other(RawUnion),
    }

    /// An enum that cannot read unknown values.
    #[derive(UnionEnum, Debug)]
    #[union(discriminator = "type", strict)]
    pub(super) enum Strict {
        S3(String),
        Volume(String),
    }

    #[derive(UnionEnum, Debug)]
    #[union(discriminator = "type")]
    pub(super) enum Lenient {
        S3(String),
        Volume(String),
        Tape(Option<u32>),
        #[union(other)]
        Other(RawUnion),
    }

    #[derive(UnionEnum, Debug)]
    #[union(undiscriminated)]
    pub(super) enum Plain {
        S3(String),
        Volume(String),
        #[union(other)]
        Other(RawUnion),
    }

    #[derive(UnionEnum, Debug)]
    #[union(undiscriminated)]
    pub(super) enum PlainNewer {
        S3(String),
        Volume(String),
        Tape(u32),
        #[union(other)]
        Other(RawUnion),
    }
}

macro_rules! structs {
    ($($module:ident: $kind:ident ($($attribute:meta)?) { $($value:ident,)+ } { $($member:ident: $type:ty,)+ })+) => {$(
        mod $module {
            use super::*;

            #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
            $(#[$attribute])?
            pub(super) enum $kind {
                $($value,)+
                #[enum_type(other)]
                #[serde(untagged)]
                Unknown(String),
            }

            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_unions::<Target>)]
            pub(super) struct Target {
                #[union(discriminator)]
                r#type: $kind,
                $(
                    #[union(member)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<$type>,
                )+
            }
        }
    )+};
}

structs! {
    older: Kind (schemars(transform = union_runtime::add_enum::<Kind>)) { S3, Volume, } { s3: String, volume: String, }
    disks: Kind (schemars(transform = union_runtime::add_enum::<Kind>)) { S3, Tape, } { s3: String, tape: Disk, }
    plain: Kind (schemars(transform = union_runtime::add_enum::<Kind>)) { S3, Tape, } { s3: String, tape: String, }
    newer: Kind (schemars(transform = union_runtime::add_enum::<Kind>)) { S3, Volume, Tape, } { s3: String, volume: String, tape: Disk, }
}

/// A string whose type accepts fewer values than its schema.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[derive(Clone)]
struct Disk(String);

impl TryFrom<String> for Disk {
    type Error = &'static str;

    fn try_from(string: String) -> Result<Self, Self::Error> {
        match string.strip_prefix("disk-") {
            Some(_) => Ok(Self(string)),
            None => Err("a disk is called disk-"),
        }
    }
}

impl From<Disk> for String {
    fn from(disk: Disk) -> Self {
        disk.0
    }
}

fn version<T: JsonSchema + Serialize + for<'d> Deserialize<'d>>() -> ApiVersion {
    ApiVersion::from_type::<T>().expect("the schema is fine")
}

#[test]
fn an_added_value_is_compatible_if_clients_keep_unknown_values() {
    assert_compatible::<enums::Older, enums::Newer>();
    let comparison = compare(&version::<enums::Older>(), &version::<enums::Newer>());
    assert_eq!(
        findings_of(&comparison),
        [(
            "value-added",
            vec!["Tape"],
            json!({"type": "Tape", "tape": 1})
        )]
    );
    // The old client writes back the unknown value and its member.
    assert_eq!(comparison.findings[0].old_clients, RequestOutcome::Accepted);
    assert!(comparison.is_compatible());
}

#[test]
fn a_client_without_an_other_variant_cannot_read_an_added_value() {
    let comparison = compare(&version::<enums::Strict>(), &version::<enums::Newer>());
    let [finding] = &*comparison.findings else {
        panic!("{comparison}")
    };
    assert_eq!(
        (finding.code, finding.severity),
        (ChangeCode::ValueAdded, Severity::Breaking)
    );
    assert!(
        matches!(&finding.old_clients, RequestOutcome::Unreadable(error) if error.contains("Tape")),
        "{finding}"
    );
    let panic_payload = catch_unwind(assert_compatible::<enums::Strict, enums::Newer>).unwrap_err();
    let message = panic_payload
        .downcast_ref::<String>()
        .expect("the panic has a message");
    assert!(
        message.contains("breaking: the value \"Tape\" (`tape`) was added (value-added)"),
        "{message}"
    );
    assert!(
        message.contains("object: {\"tape\":1,\"type\":\"Tape\"}")
            || message.contains("object: {\"type\":\"Tape\",\"tape\":1}"),
        "{message}"
    );
    assert!(
        message.contains("remedy: update clients to an enum type with an `other` variant"),
        "{message}"
    );
}

#[test]
fn added_and_removed_members_without_a_discriminator_are_findings() {
    let comparison = compare(&version::<enums::Plain>(), &version::<enums::PlainNewer>());
    let codes: Vec<ChangeCode> = comparison
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, [ChangeCode::MemberAdded], "{comparison}");
    let reverse_comparison = compare(&version::<enums::PlainNewer>(), &version::<enums::Plain>());
    let codes: Vec<ChangeCode> = reverse_comparison
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, [ChangeCode::MemberRemoved], "{reverse_comparison}");
    assert!(!reverse_comparison.is_compatible());
}

#[test]
fn an_added_discriminator_is_breaking() {
    let comparison = compare(&version::<enums::Plain>(), &version::<enums::Older>());
    let codes: Vec<ChangeCode> = comparison
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, [ChangeCode::DiscriminatorAdded], "{comparison}");
    assert_eq!(comparison.findings[0].subjects, ["type"]);
    assert!(!comparison.is_compatible());
}

#[test]
fn options_supply_values_that_only_the_type_knows() {
    let error = skew::<older::Target, newer::Target>().unwrap_err();
    assert!(matches!(&error, SkewError::NoValue { member, .. } if member == "tape"));
    assert!(error.to_string().starts_with(
        "tape: no value of its schema was accepted by its type (a disk is called disk-)"
    ));
    let disks = |member: &str, index: usize| {
        (member == "tape").then(|| Value::from(["disk-1", "disk-2"][index]))
    };
    let options = Options::new().values(&disks);
    let skew = options.skew::<older::Target, newer::Target>().unwrap();
    assert_eq!(skew.count(IntentOutcome::Lost), 0, "{skew}");
    let comparison = options.compare(&version::<older::Target>(), &version::<newer::Target>());
    assert_eq!(comparison.findings[0].object["tape"], "disk-1");
}

/// Returns the outcome of a request.
#[track_caller]
fn outcome(
    cells: &[SkewCell],
    client_type: ClientType,
    client: VersionSide,
    verb: RequestVerb,
    intent: &Intent<String>,
    server: VersionSide,
) -> SkewOutcome {
    let mut matching = cells.iter().filter(|cell| {
        let row = &cell.row;
        (row.client_type, row.client, row.verb, &row.intent) == (client_type, client, verb, intent)
            && cell.server == server
    });
    matching
        .next()
        .expect("a cell with these properties")
        .outcome
        .clone()
}

#[test]
fn with_a_discriminator_no_intent_is_lost() {
    let skew = skew::<enums::Older, enums::Newer>().unwrap();
    assert_eq!(skew.count(IntentOutcome::Lost), 0, "{skew}");
    let cells: Vec<SkewCell> = skew.cells().cloned().collect();
    let (old, new) = (VersionSide::Old, VersionSide::New);
    let intent_outcome = |client_type, client, verb, intent: &Intent<String>, server| {
        outcome(&cells, client_type, client, verb, intent, server).intent_outcome()
    };
    let structured = ClientType::Structured;
    let tape = Intent::SwitchMember("tape".to_owned());
    // KEP-1027 requires that a server rejects a member that it does not know, and that a client can
    // switch from a member that the client does not know.
    assert_eq!(
        intent_outcome(structured, new, RequestVerb::Replace, &tape, old),
        Some(IntentOutcome::Rejected)
    );
    assert_eq!(
        intent_outcome(structured, new, RequestVerb::Replace, &tape, new),
        Some(IntentOutcome::Honoured)
    );
    let volume = Intent::SwitchMember("volume".to_owned());
    assert_eq!(
        intent_outcome(structured, old, RequestVerb::MergePatch, &volume, new),
        Some(IntentOutcome::Honoured)
    );
    // An enum with `other` writes back unknown values and members.
    assert_eq!(
        intent_outcome(
            structured,
            old,
            RequestVerb::Replace,
            &Intent::Unchanged,
            new
        ),
        Some(IntentOutcome::Honoured)
    );
    assert_eq!(
        intent_outcome(structured, old, RequestVerb::Replace, &tape, new),
        None
    );
}

#[test]
fn a_replace_that_drops_a_member_is_rejected() {
    let disks = |member: &str, index: usize| {
        (member == "tape").then(|| Value::from(["disk-1", "disk-2"][index]))
    };
    let options = Options::new().values(&disks);
    let skew = options.skew::<older::Target, newer::Target>().unwrap();
    let cells: Vec<SkewCell> = skew.cells().cloned().collect();
    let outcome_of_replace = outcome(
        &cells,
        ClientType::Structured,
        VersionSide::Old,
        RequestVerb::Replace,
        &Intent::Unchanged,
        VersionSide::New,
    );
    assert!(
        matches!(outcome_of_replace, SkewOutcome::Sent { intent_outcome: IntentOutcome::Rejected, error: Some(error), .. } if error.contains("tape"))
    );
}

#[test]
fn settings_change_the_outcomes() {
    let settings = Settings::default().restore_unaware(RestoreUnaware::Required);
    let disks = |member: &str, index: usize| {
        (member == "tape").then(|| Value::from(["disk-1", "disk-2"][index]))
    };
    let options = Options::new().values(&disks);
    let [default_skew, restoring_skew] = [options, options.settings(settings)]
        .map(|options| options.skew::<older::Target, newer::Target>().unwrap());
    assert!(
        restoring_skew.count(IntentOutcome::Honoured) > default_skew.count(IntentOutcome::Honoured)
    );
    assert_eq!(restoring_skew.count(IntentOutcome::Lost), 0);
}

#[test]
fn a_strict_type_cannot_read_new_values() {
    let skew = skew::<enums::Strict, enums::Newer>().unwrap();
    let unreadable_cells = skew
        .cells()
        .filter(|cell| matches!(cell.outcome, SkewOutcome::Unreadable(_)));
    let unreadable_cells: Vec<&SkewCell> = unreadable_cells.collect();
    assert!(!unreadable_cells.is_empty());
    for cell in unreadable_cells {
        assert_eq!(
            (cell.row.client, cell.server),
            (VersionSide::Old, VersionSide::New),
            "{}",
            cell.row
        );
        assert_eq!(cell.row.client_type, ClientType::Structured);
    }
    assert!(skew.to_string().contains("unreadable"), "{skew}");
}

#[test]
fn without_a_discriminator_members_are_lost() {
    let skew = skew::<enums::Plain, enums::PlainNewer>().unwrap();
    assert!(skew.count(IntentOutcome::Lost) > 0, "{skew}");
    // The old server drops the unknown member, and keeps the previous member.
    let tape = Intent::SetMember("tape".to_owned());
    let lost_cells = skew.cells_with(IntentOutcome::Lost);
    let replace_cells =
        lost_cells.filter(|cell| cell.row.verb == RequestVerb::Replace && cell.row.intent == tape);
    let servers: Vec<VersionSide> = replace_cells.map(|cell| cell.server).collect();
    assert_eq!(servers, [VersionSide::Old, VersionSide::Old], "{skew}");
    let json = json!(skew);
    let cells = json["cells"].as_array().unwrap();
    assert_eq!(
        cells
            .iter()
            .filter(|cell| cell["outcome"] == "lost")
            .count(),
        skew.count(IntentOutcome::Lost)
    );
}

#[test]
fn lost_intents_with_optional_members_are_a_known_limit() {
    let skew = skew::<older::Target, enums::Lenient>().unwrap();
    let lost_cells: Vec<&SkewCell> = skew.cells_with(IntentOutcome::Lost).collect();
    assert!(!lost_cells.is_empty(), "{skew}");
    for cell in lost_cells {
        assert!(
            matches!(cell.outcome, SkewOutcome::Sent { is_limit: true, .. }),
            "{}",
            cell.row
        );
    }
    assert!(skew.to_string().contains("LOST (1)"), "{skew}");
}

#[test]
fn types_without_a_common_union_are_an_error() {
    #[derive(UnionEnum)]
    #[union(discriminator = "kind")]
    enum Elsewhere {
        Cat(String),
        #[union(other)]
        Other(RawUnion),
    }
    let error = skew::<enums::Older, Elsewhere>().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("have no union with a field in common"),
        "{error}"
    );
}

/// The schemas of both types accept any string, and one of the types does not.
#[test]
fn a_type_that_reads_fewer_values_than_its_schema_is_a_finding() {
    let comparison = compare(&version::<plain::Target>(), &version::<disks::Target>());
    let [finding] = &*comparison.findings else {
        panic!("{comparison}")
    };
    assert_eq!(
        (finding.code, finding.severity),
        (ChangeCode::Unreadable, Severity::Breaking)
    );
    assert_eq!(finding.object["type"], "Tape");
    assert!(
        matches!(&finding.new_clients, RequestOutcome::Unreadable(error) if error.contains("a disk is called disk-"))
    );
    // In the other direction, the old type cannot read the strings of the new type.
    let reverse_comparison = compare(&version::<disks::Target>(), &version::<plain::Target>());
    assert_eq!(reverse_comparison.findings.len(), 1, "{reverse_comparison}");
}

/// The upgrade of KEP-1027 adds a discriminator that may be absent and follows the members.
#[test]
fn a_deduced_discriminator_is_compatible() {
    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Before>)]
    struct Before {
        #[union(member, group = target)]
        #[serde(skip_serializing_if = "Option::is_none")]
        s3: Option<String>,
        #[union(member, group = target)]
        #[serde(skip_serializing_if = "Option::is_none")]
        volume: Option<String>,
    }

    #[derive(Union, Serialize, Deserialize, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<After>)]
    struct After {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        r#type: Option<String>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        s3: Option<String>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        volume: Option<String>,
    }

    assert_compatible::<Before, After>();
    let comparison = compare(&version::<Before>(), &version::<After>());
    let codes: Vec<ChangeCode> = comparison
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, [ChangeCode::DiscriminatorAdded], "{comparison}");
    let skew = skew::<Before, After>().unwrap();
    assert!(skew.count(IntentOutcome::Honoured) > 0, "{skew}");
}

/// The unions are in fields of another type, in one field directly and in one field in a list.
#[test]
fn unions_in_fields_of_a_type_are_compared() {
    macro_rules! spec {
        ($spec:ident, $target:ty) => {
            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            struct $spec {
                replicas: u32,
                #[union(nested)]
                #[serde(skip_serializing_if = "Option::is_none")]
                main: Option<$target>,
                #[union(nested)]
                targets: Vec<$target>,
            }
        };
    }
    spec!(Before, enums::Strict);
    spec!(After, enums::Newer);
    let comparison = compare(&version::<Before>(), &version::<After>());
    let codes_and_paths: Vec<(ChangeCode, &str)> = comparison
        .findings
        .iter()
        .map(|finding| (finding.code, &*finding.path))
        .collect();
    assert_eq!(
        codes_and_paths,
        [
            (ChangeCode::ValueAdded, "main"),
            (ChangeCode::ValueAdded, "targets[*]")
        ],
        "{comparison}"
    );
    assert!(
        comparison
            .findings
            .iter()
            .all(|finding| matches!(finding.old_clients, RequestOutcome::Unreadable(_)))
    );
    assert_eq!(comparison.notes, [] as [&str; 0]);
}

/// No extension can declare "exactly one", so the rules of the type's schema do.
#[test]
fn newly_required_and_newly_optional_groups_are_findings() {
    macro_rules! group {
        ($name:ident, $(#[$attribute:meta])? $($member:ident)+) => {
            #[derive(Union, Serialize, Deserialize, JsonSchema)]
            #[schemars(transform = union_runtime::add_unions::<$name>)]
            $(#[$attribute])?
            struct $name {
                $(
                    #[union(member, group = target)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<String>,
                )+
            }
        };
    }
    group!(AtMost, s3 volume);
    group!(Newer, s3 volume tape);
    group!(Exactly, #[union(exactly_one(target))] s3 volume);
    let comparison = compare(&version::<AtMost>(), &version::<Exactly>());
    assert_eq!(
        findings_of(&comparison),
        [("one-required", vec![], json!({}))]
    );
    let comparison = compare(&version::<Exactly>(), &version::<AtMost>());
    assert_eq!(
        findings_of(&comparison),
        [("none-allowed", vec![], json!({}))]
    );
    // A server that drops the unknown member does not see anything to reject.
    let skew = skew::<AtMost, Newer>().unwrap();
    let lost_cells = skew.cells_with(IntentOutcome::Lost);
    let tape = Intent::SwitchMember("tape".to_owned());
    let switch_cells: Vec<&SkewCell> = lost_cells.filter(|cell| cell.row.intent == tape).collect();
    assert!(!switch_cells.is_empty(), "{skew}");
    assert!(
        switch_cells
            .iter()
            .all(|cell| cell.server == VersionSide::Old),
        "{skew}"
    );
}
