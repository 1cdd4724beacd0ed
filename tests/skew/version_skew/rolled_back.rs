//! Tests of a server that was rolled back, with objects that its newer version stored.
//!
//! Such a server is not part of the matrix: when it reads an object, it drops the member that it
//! does not know before the rules of unions run. An API server does the same: it prunes objects
//! from the storage too.

use serde_json::{Value, json};
use union_runtime::{Ratchet, Settings};
use union_simulation::{
    Client, ClientType, Form, Intent, Member, Need, RequestVerb, Server, Union, Version,
};

const UNION: Union = Union {
    need: Need::Required,
    form: Form::Discriminator {
        tape: Need::Required,
    },
};

const UNSTRUCTURED: Client = Client {
    kind: ClientType::Unstructured,
    version: Version::Newer,
};

fn stored_by_the_newer_version() -> Value {
    json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}})
}

#[test]
fn an_edit_elsewhere_through_a_rolled_back_server_loses_the_unknown_member() {
    let stored = stored_by_the_newer_version();
    let server = Server::new(Version::Older, UNION, Settings::default());
    let served_object = server.prune(&stored);
    assert_eq!(
        served_object,
        json!({"keep": 7, "target": {"type": "Tape"}})
    );

    let request = UNSTRUCTURED.request(
        RequestVerb::MergePatch,
        Intent::EditElsewhere,
        Some(&served_object),
        UNION,
    );
    let accepted = server
        .handle(Some(&stored), &request)
        .expect("an unknown value that is not new is tolerated");
    assert_eq!(
        accepted.stored,
        json!({"keep": 30, "target": {"type": "Tape"}})
    );
    let [tolerated] = accepted.report.tolerated() else {
        panic!("{:?}", accepted.report.tolerated());
    };
    assert_eq!(
        tolerated.to_string(),
        "target.type: Unsupported value: \"Tape\": supported values: \"S3\", \"Volume\""
    );
}

#[test]
fn without_ratcheting_updates_are_rejected_and_the_member_is_kept() {
    let stored = stored_by_the_newer_version();
    let server = Server::new(
        Version::Older,
        UNION,
        Settings::default().ratchet(Ratchet::Off),
    );
    let served_object = server.prune(&stored);
    for verb in [
        RequestVerb::Replace,
        RequestVerb::MergePatch,
        RequestVerb::Apply,
    ] {
        for intent in [Intent::Unchanged, Intent::EditElsewhere] {
            let request = UNSTRUCTURED.request(verb, intent, Some(&served_object), UNION);
            let rejection = server
                .handle(Some(&stored), &request)
                .expect_err("the value is not known");
            assert_eq!(
                rejection.to_string(),
                "target.type: Unsupported value: \"Tape\": supported values: \"S3\", \"Volume\""
            );
        }
    }
}

#[test]
fn a_switch_to_a_known_member_is_honoured() {
    let stored = stored_by_the_newer_version();
    for ratchet in [Ratchet::SameReason, Ratchet::Off] {
        let server = Server::new(Version::Older, UNION, Settings::default().ratchet(ratchet));
        let served_object = server.prune(&stored);
        for verb in [
            RequestVerb::Replace,
            RequestVerb::MergePatch,
            RequestVerb::Apply,
        ] {
            let request = UNSTRUCTURED.request(
                verb,
                Intent::SetMember(Member::Volume),
                Some(&served_object),
                UNION,
            );
            let accepted = server
                .handle(Some(&stored), &request)
                .expect("a valid value");
            let expected_object =
                json!({"keep": 7, "target": {"type": "Volume", "volume": {"name": "third"}}});
            assert_eq!(accepted.stored, expected_object);
        }
    }
}
