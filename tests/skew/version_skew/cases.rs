//! Tests of the cases that KEP-1027 names ("Discriminator Field"), each as a story with its
//! objects.
//!
//! The sheet with the numbered cases is not public, so the tests rely on the KEP. The
//! KEP names the cases in pairs, and each pair is one story. In the reading of these tests, the two
//! cases of a pair are the same story with a client that sends the *whole object* (replace), and
//! with a client that sends *less* (merge patch or server-side apply). The cases of a pair cannot
//! be a required and an optional union, because #22 and #27 are both "assuming the union is
//! optional". They cannot be structured and unstructured clients either, because #12 and #16 are
//! both about structured clients, and #22 and #27 are both about unstructured clients. To be safe
//! against another reading, every story is told for required and for optional unions if it makes
//! sense for both.
//!
//! Case #16 requires an apply whose author owns the member. A structured client computes a merge
//! patch from the object that it read and the object that it intends; neither has the member, so
//! the patch does not drop the member. The test of #16 checks this too.
//!
//! The KEP's statements about unions without a discriminator are about a server without any logic
//! for unions. The servers here follow the 2019 text for such unions, so the requests of #23 and
//! #28 are honoured by the "convoluted logic" that the KEP mentions.

use serde_json::{Value, json};
use union_runtime::{Report, RestoreUnaware, Settings, needed_one_of, needed_when, only_one_of};
use union_simulation::{
    Answer, Client, ClientType, Form, Intent, Member, Need, Request, RequestVerb, Server, Union,
    Version,
};

const NEEDS: [Need; 2] = [Need::Required, Need::Optional];

/// A client with a struct that does not have `tape`, and so drops it.
const STRUCTURED_UNAWARE: Client = Client {
    kind: ClientType::Structured,
    version: Version::Older,
};

/// A client with a map, whose author does not know `tape`.
const UNSTRUCTURED_UNAWARE: Client = Client {
    kind: ClientType::Unstructured,
    version: Version::Older,
};

const AWARE: [Client; 2] = [
    Client {
        kind: ClientType::Structured,
        version: Version::Newer,
    },
    Client {
        kind: ClientType::Unstructured,
        version: Version::Newer,
    },
];

const fn discriminated(need: Need, tape: Need) -> Union {
    let form = Form::Discriminator { tape };
    Union { need, form }
}

const fn plain(need: Need) -> Union {
    let form = Form::Plain;
    Union { need, form }
}

/// Returns an object whose member `tape` is set.
fn on_tape() -> Value {
    json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}})
}

/// Returns an object without a discriminator whose member `tape` is set.
fn on_tape_plain() -> Value {
    json!({"keep": 7, "target": {"tape": {"name": "first"}}})
}

/// Returns the result of a server that knows `tape`.
fn newer(
    union: Union,
    stored: &Value,
    request: &Request,
    restore: RestoreUnaware,
) -> Result<Answer, Report> {
    let settings = Settings::default().restore_unaware(restore);
    Server::new(Version::Newer, union, settings).answer(Some(stored), request)
}

/// Returns the result of a server that does not know `tape`.
fn older(union: Union, stored: Option<&Value>, request: &Request) -> Result<Answer, Report> {
    Server::new(Version::Older, union, Settings::default()).answer(stored, request)
}

#[track_caller]
fn assert_rejected(answer: Result<Answer, Report>, start: &str) {
    let errors = answer.expect_err("a rejection").to_string();
    let is_one_error = errors.lines().count() == 1;
    assert!(is_one_error && errors.starts_with(start), "{errors}");
}

/// Asserts that the request is accepted, with the given object and the given changes.
#[track_caller]
fn stored(answer: Result<Answer, Report>, object: &Value, changes: &str) {
    let answer = answer.expect("it passes");
    assert_eq!(answer.stored, *object);
    assert_eq!(answer.report.changes().to_string(), changes);
}

fn tape_missing() -> String {
    let needed = needed_when("type", "Tape");
    format!("target.tape: Invalid value: \"\": {needed}: ")
}

fn none_set(members: &[&str]) -> String {
    let needed = needed_one_of(members.iter().copied());
    format!("target: Invalid value: \"\": {needed}: ")
}

/// Checks case 12: "If a structured client is unaware of a field in the union that is set and it
/// just wants to echo back the union it received in a get request (such as when updating other
/// parts of the object) ..."
#[test]
fn case_12_structured_unaware_client_echoes_the_union_with_the_whole_object() {
    let client = STRUCTURED_UNAWARE;
    for need in NEEDS {
        let union = discriminated(need, Need::Required);
        let read = json!({"keep": 7, "target": {"type": "Tape"}});
        assert_eq!(
            client.read(&on_tape(), union),
            read,
            "the struct has no `tape`"
        );
        for (intent, keep) in [(Intent::Unchanged, 7), (Intent::EditElsewhere, 30)] {
            let request = client.request(RequestVerb::Replace, intent, Some(&on_tape()), union);
            let sent = json!({"keep": keep, "target": {"type": "Tape"}});
            assert_eq!(request, Request::Replace(sent));

            // "... a client with the discriminator will not change the discriminator value,
            // indicating to the server that no changes are desired in the union." By the KEP's
            // second rule of validation that is an error ...
            assert_rejected(
                newer(union, &on_tape(), &request, RestoreUnaware::Off),
                &tape_missing(),
            );
            // ... and with the setting the server restores the member, as the client desired.
            let wanted =
                json!({"keep": keep, "target": {"type": "Tape", "tape": {"name": "first"}}});
            for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
                stored(
                    newer(union, &on_tape(), &request, restore),
                    &wanted,
                    "target.tape: restored",
                );
            }
        }
    }

    // "... a client without a discriminator will silently drop the currently set field."
    let union = plain(Need::Optional);
    let request = client.request(
        RequestVerb::Replace,
        Intent::EditElsewhere,
        Some(&on_tape_plain()),
        union,
    );
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let lost = json!({"keep": 30, "target": {}});
        stored(newer(union, &on_tape_plain(), &request, restore), &lost, "");
        // The server can see that a required union has no member, but it cannot know which member
        // to restore.
        assert_rejected(
            newer(plain(Need::Required), &on_tape_plain(), &request, restore),
            &none_set(&["s3", "volume", "tape"]),
        );
    }
}

/// Checks case 16, the story of case 12 with a client that sends less than the object: the client
/// was rolled back from a version that applied `tape`, so it owns `tape`, and `tape` is removed
/// when it is no longer applied.
#[test]
fn case_16_structured_unaware_client_echoes_the_union_that_it_applied_before() {
    let client = STRUCTURED_UNAWARE;
    for need in NEEDS {
        let union = discriminated(need, Need::Required);
        let request = client.request(
            RequestVerb::ApplyOwning,
            Intent::EditElsewhere,
            Some(&on_tape()),
            union,
        );
        let applied = json!({"keep": 30, "target": {"type": "Tape"}});
        let last = on_tape();
        assert_eq!(request, Request::Apply { last, applied });

        assert_rejected(
            newer(union, &on_tape(), &request, RestoreUnaware::Off),
            &tape_missing(),
        );
        let wanted = json!({"keep": 30, "target": {"type": "Tape", "tape": {"name": "first"}}});
        for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
            stored(
                newer(union, &on_tape(), &request, restore),
                &wanted,
                "target.tape: restored",
            );
        }

        // A client that does not own the member does not drop it, and a merge patch does not drop
        // it either.
        for verb in [RequestVerb::Apply, RequestVerb::MergePatch] {
            let request = client.request(verb, Intent::EditElsewhere, Some(&on_tape()), union);
            stored(
                newer(union, &on_tape(), &request, RestoreUnaware::Off),
                &wanted,
                "",
            );
        }
    }

    let union = plain(Need::Optional);
    let request = client.request(
        RequestVerb::ApplyOwning,
        Intent::EditElsewhere,
        Some(&on_tape_plain()),
        union,
    );
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let lost = json!({"keep": 30, "target": {}});
        stored(newer(union, &on_tape_plain(), &request, restore), &lost, "");
    }
}

/// Checks the limit of the cases 12 and 16: to the server, the loss of an optional member looks
/// like the intention of a client that knows the member.
#[test]
fn the_limit_of_12_and_16_is_an_optional_member_which_only_all_puts_back() {
    for need in NEEDS {
        let union = discriminated(need, Need::Optional);
        for verb in [RequestVerb::Replace, RequestVerb::ApplyOwning] {
            let request =
                STRUCTURED_UNAWARE.request(verb, Intent::EditElsewhere, Some(&on_tape()), union);
            let lost = json!({"keep": 30, "target": {"type": "Tape"}});
            let wanted = json!({"keep": 30, "target": {"type": "Tape", "tape": {"name": "first"}}});
            for restore in [RestoreUnaware::Off, RestoreUnaware::Required] {
                stored(newer(union, &on_tape(), &request, restore), &lost, "");
            }
            let restored = newer(union, &on_tape(), &request, RestoreUnaware::All);
            stored(restored, &wanted, "target.tape: restored");
        }
    }
}

/// Checks case 22: "If an unstructured client ... is unaware of field on the union, but wants to
/// clear the union entirely (assuming the union is optional) ..."
#[test]
fn case_22_unstructured_unaware_client_clears_the_union_with_the_whole_object() {
    let client = UNSTRUCTURED_UNAWARE;
    for tape in NEEDS {
        let union = discriminated(Need::Optional, tape);
        // "... With a discriminator, the client can express its intention by setting the
        // discriminator to the empty value and the server can respect its intentions and clear any
        // fields the client is unaware of."
        let request = client.request(
            RequestVerb::Replace,
            Intent::ClearMembers,
            Some(&on_tape()),
            union,
        );
        let sent = json!({"keep": 7, "target": {"type": "", "tape": {"name": "first"}}});
        assert_eq!(
            request,
            Request::Replace(sent),
            "`tape` is nothing to it, so it stays"
        );
        let cleared = json!({"keep": 7, "target": {"type": ""}});
        for restore in [
            RestoreUnaware::Off,
            RestoreUnaware::Required,
            RestoreUnaware::All,
        ] {
            stored(
                newer(union, &on_tape(), &request, restore),
                &cleared,
                "target.tape: cleared",
            );
        }
    }

    // "... it will have no way of doing so without a discriminator."
    let union = plain(Need::Optional);
    let request = client.request(
        RequestVerb::Replace,
        Intent::ClearMembers,
        Some(&on_tape_plain()),
        union,
    );
    assert_eq!(
        request,
        Request::Replace(on_tape_plain()),
        "there is nothing that it could take out"
    );
    stored(
        newer(union, &on_tape_plain(), &request, RestoreUnaware::Off),
        &on_tape_plain(),
        "",
    );
}

/// Checks case 27, the story of case 22 with a client that sends less than the object.
#[test]
fn case_27_unstructured_unaware_client_clears_the_union_with_a_patch_or_an_apply() {
    let client = UNSTRUCTURED_UNAWARE;
    for tape in NEEDS {
        let union = discriminated(Need::Optional, tape);
        let patch = client.request(
            RequestVerb::MergePatch,
            Intent::ClearMembers,
            Some(&on_tape()),
            union,
        );
        assert_eq!(patch, Request::MergePatch(json!({"target": {"type": ""}})));
        let apply = client.request(
            RequestVerb::Apply,
            Intent::ClearMembers,
            Some(&on_tape()),
            union,
        );
        let last = json!({"keep": 7, "target": {"type": "Tape"}});
        let applied = json!({"keep": 7, "target": {"type": ""}});
        assert_eq!(apply, Request::Apply { last, applied });
        let cleared = json!({"keep": 7, "target": {"type": ""}});
        for request in [patch, apply] {
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                stored(
                    newer(union, &on_tape(), &request, restore),
                    &cleared,
                    "target.tape: cleared",
                );
            }
        }
    }

    let union = plain(Need::Optional);
    let patch = client.request(
        RequestVerb::MergePatch,
        Intent::ClearMembers,
        Some(&on_tape_plain()),
        union,
    );
    assert_eq!(
        patch,
        Request::MergePatch(json!({})),
        "there is nothing that it could take out"
    );
    let apply = client.request(
        RequestVerb::Apply,
        Intent::ClearMembers,
        Some(&on_tape_plain()),
        union,
    );
    for request in [patch, apply] {
        stored(
            newer(union, &on_tape_plain(), &request, RestoreUnaware::Off),
            &on_tape_plain(),
            "",
        );
    }
}

/// Checks case 23: "When a client goes to set a field it knows of, but a separate field it doesn't
/// know about is currently set, the server can simply know to always respect the discriminator.
/// ..."
#[test]
fn case_23_unaware_client_sets_a_member_that_it_knows_with_the_whole_object() {
    let wanted = json!({"keep": 7, "target": {"type": "Volume", "volume": {"name": "third"}}});
    for need in NEEDS {
        for tape in NEEDS {
            let union = discriminated(need, tape);
            let wish = Intent::SetMember(Member::Volume);
            let request =
                UNSTRUCTURED_UNAWARE.request(RequestVerb::Replace, wish, Some(&on_tape()), union);
            let sent = json!({"keep": 7, "target": {
                "type": "Volume", "volume": {"name": "third"}, "tape": {"name": "first"},
            }});
            assert_eq!(request, Request::Replace(sent));
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                stored(
                    newer(union, &on_tape(), &request, restore),
                    &wanted,
                    "target.tape: cleared",
                );
            }
            // A structured client does not even send the other member.
            let request =
                STRUCTURED_UNAWARE.request(RequestVerb::Replace, wish, Some(&on_tape()), union);
            assert_eq!(request, Request::Replace(wanted.clone()));
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                stored(newer(union, &on_tape(), &request, restore), &wanted, "");
            }
        }

        // "... Without a discriminator, the server will have to do convoluted logic to detect that
        // the previously set field has not been modified and that only one of the other union
        // fields has been."
        let union = plain(need);
        let wish = Intent::SetMember(Member::Volume);
        let request =
            UNSTRUCTURED_UNAWARE.request(RequestVerb::Replace, wish, Some(&on_tape_plain()), union);
        let wanted = json!({"keep": 7, "target": {"volume": {"name": "third"}}});
        let answer = newer(union, &on_tape_plain(), &request, RestoreUnaware::Off);
        stored(answer, &wanted, "target.tape: cleared");
    }
}

/// Checks case 28, the story of case 23 with a client that sends less than the object.
#[test]
fn case_28_unaware_client_sets_a_member_that_it_knows_with_a_patch_or_an_apply() {
    let wish = Intent::SetMember(Member::Volume);
    for client in [STRUCTURED_UNAWARE, UNSTRUCTURED_UNAWARE] {
        for need in NEEDS {
            for tape in NEEDS {
                let union = discriminated(need, tape);
                let wanted =
                    json!({"keep": 7, "target": {"type": "Volume", "volume": {"name": "third"}}});
                let patch = client.request(RequestVerb::MergePatch, wish, Some(&on_tape()), union);
                let sent = json!({"target": {"type": "Volume", "volume": {"name": "third"}}});
                assert_eq!(patch, Request::MergePatch(sent));
                let apply = client.request(RequestVerb::Apply, wish, Some(&on_tape()), union);
                for request in [patch, apply] {
                    for restore in [
                        RestoreUnaware::Off,
                        RestoreUnaware::Required,
                        RestoreUnaware::All,
                    ] {
                        let answer = newer(union, &on_tape(), &request, restore);
                        stored(answer, &wanted, "target.tape: cleared");
                    }
                }
            }

            let union = plain(need);
            let wanted = json!({"keep": 7, "target": {"volume": {"name": "third"}}});
            for verb in [RequestVerb::MergePatch, RequestVerb::Apply] {
                let request = client.request(verb, wish, Some(&on_tape_plain()), union);
                let answer = newer(union, &on_tape_plain(), &request, RestoreUnaware::Off);
                stored(answer, &wanted, "target.tape: cleared");
            }
        }
    }

    // The logic has a limit: a client that owns both members and applies both does not tell which
    // member is meant.
    let request = UNSTRUCTURED_UNAWARE.request(
        RequestVerb::ApplyOwning,
        wish,
        Some(&on_tape_plain()),
        plain(Need::Optional),
    );
    let answer = newer(
        plain(Need::Optional),
        &on_tape_plain(),
        &request,
        RestoreUnaware::Off,
    );
    let only = only_one_of(false, ["s3", "volume", "tape"].into_iter());
    let several = format!("target: Invalid value: \"{{volume, tape}}\": {only}: ");
    assert_rejected(answer, &several);
}

/// Checks case 34: "If a client sets a union field that the server is not aware of ..."
#[test]
fn case_34_client_sets_a_member_that_the_server_does_not_know_with_the_whole_object() {
    let on_s3 = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "first"}}});
    let on_s3_plain = json!({"keep": 7, "target": {"s3": {"name": "first"}}});
    let switch = Intent::SwitchMember(Member::Tape);
    for client in AWARE {
        for need in NEEDS {
            let union = discriminated(need, Need::Required);
            let request = client.request(RequestVerb::Replace, switch, Some(&on_s3), union);
            let sent = json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "third"}}});
            assert_eq!(request, Request::Replace(sent));
            // "... With a discriminator, the server will see the unrecognized discriminator value
            // and can fail loudly."
            assert_rejected(older(union, Some(&on_s3), &request), &unknown_value(need));
            let create = client.request(
                RequestVerb::Create,
                Intent::SetMember(Member::Tape),
                None,
                union,
            );
            assert_rejected(older(union, None, &create), &unknown_value(need));
        }

        // "... the server will silently drop it and attempt to clear the object of the union
        // field."
        let union = plain(Need::Optional);
        let request = client.request(RequestVerb::Replace, switch, Some(&on_s3_plain), union);
        let sent = json!({"keep": 7, "target": {"tape": {"name": "third"}}});
        assert_eq!(request, Request::Replace(sent));
        let lost = json!({"keep": 7, "target": {}});
        stored(older(union, Some(&on_s3_plain), &request), &lost, "");
        // A required union cannot be cleared.
        assert_rejected(
            older(plain(Need::Required), Some(&on_s3_plain), &request),
            &none_set(&["s3", "volume"]),
        );
    }
}

/// Checks case 39, the story of case 34 with a client that sends less than the object.
#[test]
fn case_39_client_sets_a_member_that_the_server_does_not_know_with_a_patch_or_an_apply() {
    let on_s3 = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "first"}}});
    let on_s3_plain = json!({"keep": 7, "target": {"s3": {"name": "first"}}});
    for client in AWARE {
        for verb in [RequestVerb::MergePatch, RequestVerb::Apply] {
            for need in NEEDS {
                let union = discriminated(need, Need::Required);
                for intent in [
                    Intent::SetMember(Member::Tape),
                    Intent::SwitchMember(Member::Tape),
                ] {
                    let request = client.request(verb, intent, Some(&on_s3), union);
                    assert_rejected(older(union, Some(&on_s3), &request), &unknown_value(need));
                }
            }

            let union = plain(Need::Optional);
            let request = client.request(
                verb,
                Intent::SwitchMember(Member::Tape),
                Some(&on_s3_plain),
                union,
            );
            let cleared = json!({"keep": 7, "target": {}});
            stored(older(union, Some(&on_s3_plain), &request), &cleared, "");
            // A client that does not remove the old member keeps it, even if the union is required.
            for union in [plain(Need::Optional), plain(Need::Required)] {
                let request = client.request(
                    verb,
                    Intent::SetMember(Member::Tape),
                    Some(&on_s3_plain),
                    union,
                );
                stored(older(union, Some(&on_s3_plain), &request), &on_s3_plain, "");
            }
        }
    }
}

fn unknown_value(need: Need) -> String {
    let values = match need {
        Need::Required => "\"S3\", \"Volume\"",
        Need::Optional => "\"S3\", \"Volume\", \"\"",
    };
    format!("target.type: Unsupported value: \"Tape\": supported values: {values}")
}
