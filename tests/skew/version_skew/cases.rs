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
    AcceptedRequest, Client, ClientType, Form, Intent, Member, Need, Request, RequestVerb, Server,
    Union, Version,
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

const AWARE_CLIENTS: [Client; 2] = [
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

const fn undiscriminated(need: Need) -> Union {
    let form = Form::Undiscriminated;
    Union { need, form }
}

/// Returns an object whose member `tape` is set.
fn tape_object() -> Value {
    json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}})
}

/// Returns an object without a discriminator whose member `tape` is set.
fn undiscriminated_tape_object() -> Value {
    json!({"keep": 7, "target": {"tape": {"name": "first"}}})
}

/// Returns the result of a server that knows `tape`.
fn handle_by_newer_server(
    union: Union,
    stored: &Value,
    request: &Request,
    restore: RestoreUnaware,
) -> Result<AcceptedRequest, Report> {
    let settings = Settings::default().restore_unaware(restore);
    Server::new(Version::Newer, union, settings).handle(Some(stored), request)
}

/// Returns the result of a server that does not know `tape`.
fn handle_by_older_server(
    union: Union,
    stored: Option<&Value>,
    request: &Request,
) -> Result<AcceptedRequest, Report> {
    Server::new(Version::Older, union, Settings::default()).handle(stored, request)
}

#[track_caller]
fn assert_rejected(result: Result<AcceptedRequest, Report>, start: &str) {
    let errors = result.expect_err("a rejection").to_string();
    let is_one_error = errors.lines().count() == 1;
    assert!(is_one_error && errors.starts_with(start), "{errors}");
}

/// Asserts that the request is accepted, with the given object and the given changes.
#[track_caller]
fn assert_accepted(result: Result<AcceptedRequest, Report>, object: &Value, changes: &str) {
    let accepted = result.expect("the request is accepted");
    assert_eq!(accepted.stored, *object);
    assert_eq!(accepted.report.changes().to_string(), changes);
}

fn missing_tape_error() -> String {
    let requirement = needed_when("type", "Tape");
    format!("target.tape: Invalid value: \"\": {requirement}: ")
}

fn no_member_set_error(members: &[&str]) -> String {
    let requirement = needed_one_of(members.iter().copied());
    format!("target: Invalid value: \"\": {requirement}: ")
}

/// Checks case 12: "If a structured client is unaware of a field in the union that is set and it
/// just wants to echo back the union it received in a get request (such as when updating other
/// parts of the object) ..."
#[test]
fn case_12_structured_unaware_client_echoes_the_union_with_the_whole_object() {
    let client = STRUCTURED_UNAWARE;
    for need in NEEDS {
        let union = discriminated(need, Need::Required);
        let read_object = json!({"keep": 7, "target": {"type": "Tape"}});
        assert_eq!(
            client.read(&tape_object(), union),
            read_object,
            "the struct has no `tape`"
        );
        for (intent, keep) in [(Intent::Unchanged, 7), (Intent::EditElsewhere, 30)] {
            let request = client.request(RequestVerb::Replace, intent, Some(&tape_object()), union);
            let sent_object = json!({"keep": keep, "target": {"type": "Tape"}});
            assert_eq!(request, Request::Replace(sent_object));

            // "... a client with the discriminator will not change the discriminator value,
            // indicating to the server that no changes are desired in the union." By the KEP's
            // second rule of validation that is an error ...
            assert_rejected(
                handle_by_newer_server(union, &tape_object(), &request, RestoreUnaware::Off),
                &missing_tape_error(),
            );
            // ... and with the setting the server restores the member, as the client desired.
            let expected_object =
                json!({"keep": keep, "target": {"type": "Tape", "tape": {"name": "first"}}});
            for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
                assert_accepted(
                    handle_by_newer_server(union, &tape_object(), &request, restore),
                    &expected_object,
                    "target.tape: restored",
                );
            }
        }
    }

    // "... a client without a discriminator will silently drop the currently set field."
    let union = undiscriminated(Need::Optional);
    let request = client.request(
        RequestVerb::Replace,
        Intent::EditElsewhere,
        Some(&undiscriminated_tape_object()),
        union,
    );
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let object_without_member = json!({"keep": 30, "target": {}});
        assert_accepted(
            handle_by_newer_server(union, &undiscriminated_tape_object(), &request, restore),
            &object_without_member,
            "",
        );
        // The server can see that a required union has no member, but it cannot know which member
        // to restore.
        assert_rejected(
            handle_by_newer_server(
                undiscriminated(Need::Required),
                &undiscriminated_tape_object(),
                &request,
                restore,
            ),
            &no_member_set_error(&["s3", "volume", "tape"]),
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
            Some(&tape_object()),
            union,
        );
        let applied = json!({"keep": 30, "target": {"type": "Tape"}});
        let last = tape_object();
        assert_eq!(request, Request::Apply { last, applied });

        assert_rejected(
            handle_by_newer_server(union, &tape_object(), &request, RestoreUnaware::Off),
            &missing_tape_error(),
        );
        let expected_object =
            json!({"keep": 30, "target": {"type": "Tape", "tape": {"name": "first"}}});
        for restore in [RestoreUnaware::Required, RestoreUnaware::All] {
            assert_accepted(
                handle_by_newer_server(union, &tape_object(), &request, restore),
                &expected_object,
                "target.tape: restored",
            );
        }

        // A client that does not own the member does not drop it, and a merge patch does not drop
        // it either.
        for verb in [RequestVerb::Apply, RequestVerb::MergePatch] {
            let request = client.request(verb, Intent::EditElsewhere, Some(&tape_object()), union);
            assert_accepted(
                handle_by_newer_server(union, &tape_object(), &request, RestoreUnaware::Off),
                &expected_object,
                "",
            );
        }
    }

    let union = undiscriminated(Need::Optional);
    let request = client.request(
        RequestVerb::ApplyOwning,
        Intent::EditElsewhere,
        Some(&undiscriminated_tape_object()),
        union,
    );
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let object_without_member = json!({"keep": 30, "target": {}});
        assert_accepted(
            handle_by_newer_server(union, &undiscriminated_tape_object(), &request, restore),
            &object_without_member,
            "",
        );
    }
}

/// Checks the limit of the cases 12 and 16: to the server, the loss of an optional member looks
/// like the intention of a client that knows the member.
#[test]
fn cases_12_and_16_lose_an_optional_member_unless_all_members_are_restored() {
    for need in NEEDS {
        let union = discriminated(need, Need::Optional);
        for verb in [RequestVerb::Replace, RequestVerb::ApplyOwning] {
            let request = STRUCTURED_UNAWARE.request(
                verb,
                Intent::EditElsewhere,
                Some(&tape_object()),
                union,
            );
            let object_without_member = json!({"keep": 30, "target": {"type": "Tape"}});
            let expected_object =
                json!({"keep": 30, "target": {"type": "Tape", "tape": {"name": "first"}}});
            for restore in [RestoreUnaware::Off, RestoreUnaware::Required] {
                assert_accepted(
                    handle_by_newer_server(union, &tape_object(), &request, restore),
                    &object_without_member,
                    "",
                );
            }
            let result =
                handle_by_newer_server(union, &tape_object(), &request, RestoreUnaware::All);
            assert_accepted(result, &expected_object, "target.tape: restored");
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
            Some(&tape_object()),
            union,
        );
        let sent_object = json!({"keep": 7, "target": {"type": "", "tape": {"name": "first"}}});
        assert_eq!(
            request,
            Request::Replace(sent_object),
            "`tape` is nothing to it, so it stays"
        );
        let cleared_object = json!({"keep": 7, "target": {"type": ""}});
        for restore in [
            RestoreUnaware::Off,
            RestoreUnaware::Required,
            RestoreUnaware::All,
        ] {
            assert_accepted(
                handle_by_newer_server(union, &tape_object(), &request, restore),
                &cleared_object,
                "target.tape: cleared",
            );
        }
    }

    // "... it will have no way of doing so without a discriminator."
    let union = undiscriminated(Need::Optional);
    let request = client.request(
        RequestVerb::Replace,
        Intent::ClearMembers,
        Some(&undiscriminated_tape_object()),
        union,
    );
    assert_eq!(
        request,
        Request::Replace(undiscriminated_tape_object()),
        "the client knows no member to remove"
    );
    assert_accepted(
        handle_by_newer_server(
            union,
            &undiscriminated_tape_object(),
            &request,
            RestoreUnaware::Off,
        ),
        &undiscriminated_tape_object(),
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
            Some(&tape_object()),
            union,
        );
        assert_eq!(patch, Request::MergePatch(json!({"target": {"type": ""}})));
        let apply = client.request(
            RequestVerb::Apply,
            Intent::ClearMembers,
            Some(&tape_object()),
            union,
        );
        let last = json!({"keep": 7, "target": {"type": "Tape"}});
        let applied = json!({"keep": 7, "target": {"type": ""}});
        assert_eq!(apply, Request::Apply { last, applied });
        let cleared_object = json!({"keep": 7, "target": {"type": ""}});
        for request in [patch, apply] {
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                assert_accepted(
                    handle_by_newer_server(union, &tape_object(), &request, restore),
                    &cleared_object,
                    "target.tape: cleared",
                );
            }
        }
    }

    let union = undiscriminated(Need::Optional);
    let patch = client.request(
        RequestVerb::MergePatch,
        Intent::ClearMembers,
        Some(&undiscriminated_tape_object()),
        union,
    );
    assert_eq!(
        patch,
        Request::MergePatch(json!({})),
        "the client knows no member to remove"
    );
    let apply = client.request(
        RequestVerb::Apply,
        Intent::ClearMembers,
        Some(&undiscriminated_tape_object()),
        union,
    );
    for request in [patch, apply] {
        assert_accepted(
            handle_by_newer_server(
                union,
                &undiscriminated_tape_object(),
                &request,
                RestoreUnaware::Off,
            ),
            &undiscriminated_tape_object(),
            "",
        );
    }
}

/// Checks case 23: "When a client goes to set a field it knows of, but a separate field it doesn't
/// know about is currently set, the server can simply know to always respect the discriminator.
/// ..."
#[test]
fn case_23_unaware_client_sets_a_member_that_it_knows_with_the_whole_object() {
    let expected_object =
        json!({"keep": 7, "target": {"type": "Volume", "volume": {"name": "third"}}});
    for need in NEEDS {
        for tape in NEEDS {
            let union = discriminated(need, tape);
            let intent = Intent::SetMember(Member::Volume);
            let request = UNSTRUCTURED_UNAWARE.request(
                RequestVerb::Replace,
                intent,
                Some(&tape_object()),
                union,
            );
            let sent_object = json!({"keep": 7, "target": {
                "type": "Volume", "volume": {"name": "third"}, "tape": {"name": "first"},
            }});
            assert_eq!(request, Request::Replace(sent_object));
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                assert_accepted(
                    handle_by_newer_server(union, &tape_object(), &request, restore),
                    &expected_object,
                    "target.tape: cleared",
                );
            }
            // A structured client does not even send the other member.
            let request = STRUCTURED_UNAWARE.request(
                RequestVerb::Replace,
                intent,
                Some(&tape_object()),
                union,
            );
            assert_eq!(request, Request::Replace(expected_object.clone()));
            for restore in [
                RestoreUnaware::Off,
                RestoreUnaware::Required,
                RestoreUnaware::All,
            ] {
                assert_accepted(
                    handle_by_newer_server(union, &tape_object(), &request, restore),
                    &expected_object,
                    "",
                );
            }
        }

        // "... Without a discriminator, the server will have to do convoluted logic to detect that
        // the previously set field has not been modified and that only one of the other union
        // fields has been."
        let union = undiscriminated(need);
        let intent = Intent::SetMember(Member::Volume);
        let request = UNSTRUCTURED_UNAWARE.request(
            RequestVerb::Replace,
            intent,
            Some(&undiscriminated_tape_object()),
            union,
        );
        let expected_object = json!({"keep": 7, "target": {"volume": {"name": "third"}}});
        let result = handle_by_newer_server(
            union,
            &undiscriminated_tape_object(),
            &request,
            RestoreUnaware::Off,
        );
        assert_accepted(result, &expected_object, "target.tape: cleared");
    }
}

/// Checks case 28, the story of case 23 with a client that sends less than the object.
#[test]
fn case_28_unaware_client_sets_a_member_that_it_knows_with_a_patch_or_an_apply() {
    let intent = Intent::SetMember(Member::Volume);
    for client in [STRUCTURED_UNAWARE, UNSTRUCTURED_UNAWARE] {
        for need in NEEDS {
            for tape in NEEDS {
                let union = discriminated(need, tape);
                let expected_object =
                    json!({"keep": 7, "target": {"type": "Volume", "volume": {"name": "third"}}});
                let patch =
                    client.request(RequestVerb::MergePatch, intent, Some(&tape_object()), union);
                let sent_object =
                    json!({"target": {"type": "Volume", "volume": {"name": "third"}}});
                assert_eq!(patch, Request::MergePatch(sent_object));
                let apply = client.request(RequestVerb::Apply, intent, Some(&tape_object()), union);
                for request in [patch, apply] {
                    for restore in [
                        RestoreUnaware::Off,
                        RestoreUnaware::Required,
                        RestoreUnaware::All,
                    ] {
                        let result =
                            handle_by_newer_server(union, &tape_object(), &request, restore);
                        assert_accepted(result, &expected_object, "target.tape: cleared");
                    }
                }
            }

            let union = undiscriminated(need);
            let expected_object = json!({"keep": 7, "target": {"volume": {"name": "third"}}});
            for verb in [RequestVerb::MergePatch, RequestVerb::Apply] {
                let request =
                    client.request(verb, intent, Some(&undiscriminated_tape_object()), union);
                let result = handle_by_newer_server(
                    union,
                    &undiscriminated_tape_object(),
                    &request,
                    RestoreUnaware::Off,
                );
                assert_accepted(result, &expected_object, "target.tape: cleared");
            }
        }
    }

    // The logic has a limit: a client that owns both members and applies both does not tell which
    // member is meant.
    let request = UNSTRUCTURED_UNAWARE.request(
        RequestVerb::ApplyOwning,
        intent,
        Some(&undiscriminated_tape_object()),
        undiscriminated(Need::Optional),
    );
    let result = handle_by_newer_server(
        undiscriminated(Need::Optional),
        &undiscriminated_tape_object(),
        &request,
        RestoreUnaware::Off,
    );
    let only_one_of_message = only_one_of(false, ["s3", "volume", "tape"].into_iter());
    let expected_start =
        format!("target: Invalid value: \"{{volume, tape}}\": {only_one_of_message}: ");
    assert_rejected(result, &expected_start);
}

/// Checks case 34: "If a client sets a union field that the server is not aware of ..."
#[test]
fn case_34_client_sets_a_member_that_the_server_does_not_know_with_the_whole_object() {
    let s3_object = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "first"}}});
    let undiscriminated_s3_object = json!({"keep": 7, "target": {"s3": {"name": "first"}}});
    let switch = Intent::SwitchMember(Member::Tape);
    for client in AWARE_CLIENTS {
        for need in NEEDS {
            let union = discriminated(need, Need::Required);
            let request = client.request(RequestVerb::Replace, switch, Some(&s3_object), union);
            let sent_object =
                json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "third"}}});
            assert_eq!(request, Request::Replace(sent_object));
            // "... With a discriminator, the server will see the unrecognized discriminator value
            // and can fail loudly."
            assert_rejected(
                handle_by_older_server(union, Some(&s3_object), &request),
                &unknown_value_error(need),
            );
            let create = client.request(
                RequestVerb::Create,
                Intent::SetMember(Member::Tape),
                None,
                union,
            );
            assert_rejected(
                handle_by_older_server(union, None, &create),
                &unknown_value_error(need),
            );
        }

        // "... the server will silently drop it and attempt to clear the object of the union
        // field."
        let union = undiscriminated(Need::Optional);
        let request = client.request(
            RequestVerb::Replace,
            switch,
            Some(&undiscriminated_s3_object),
            union,
        );
        let sent_object = json!({"keep": 7, "target": {"tape": {"name": "third"}}});
        assert_eq!(request, Request::Replace(sent_object));
        let object_without_member = json!({"keep": 7, "target": {}});
        assert_accepted(
            handle_by_older_server(union, Some(&undiscriminated_s3_object), &request),
            &object_without_member,
            "",
        );
        // A required union cannot be cleared.
        assert_rejected(
            handle_by_older_server(
                undiscriminated(Need::Required),
                Some(&undiscriminated_s3_object),
                &request,
            ),
            &no_member_set_error(&["s3", "volume"]),
        );
    }
}

/// Checks case 39, the story of case 34 with a client that sends less than the object.
#[test]
fn case_39_client_sets_a_member_that_the_server_does_not_know_with_a_patch_or_an_apply() {
    let s3_object = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "first"}}});
    let undiscriminated_s3_object = json!({"keep": 7, "target": {"s3": {"name": "first"}}});
    for client in AWARE_CLIENTS {
        for verb in [RequestVerb::MergePatch, RequestVerb::Apply] {
            for need in NEEDS {
                let union = discriminated(need, Need::Required);
                for intent in [
                    Intent::SetMember(Member::Tape),
                    Intent::SwitchMember(Member::Tape),
                ] {
                    let request = client.request(verb, intent, Some(&s3_object), union);
                    assert_rejected(
                        handle_by_older_server(union, Some(&s3_object), &request),
                        &unknown_value_error(need),
                    );
                }
            }

            let union = undiscriminated(Need::Optional);
            let request = client.request(
                verb,
                Intent::SwitchMember(Member::Tape),
                Some(&undiscriminated_s3_object),
                union,
            );
            let cleared_object = json!({"keep": 7, "target": {}});
            assert_accepted(
                handle_by_older_server(union, Some(&undiscriminated_s3_object), &request),
                &cleared_object,
                "",
            );
            // A client that does not remove the old member keeps it, even if the union is required.
            for union in [
                undiscriminated(Need::Optional),
                undiscriminated(Need::Required),
            ] {
                let request = client.request(
                    verb,
                    Intent::SetMember(Member::Tape),
                    Some(&undiscriminated_s3_object),
                    union,
                );
                assert_accepted(
                    handle_by_older_server(union, Some(&undiscriminated_s3_object), &request),
                    &undiscriminated_s3_object,
                    "",
                );
            }
        }
    }
}

fn unknown_value_error(need: Need) -> String {
    let values = match need {
        Need::Required => "\"S3\", \"Volume\"",
        Need::Optional => "\"S3\", \"Volume\", \"\"",
    };
    format!("target.type: Unsupported value: \"Tape\": supported values: {values}")
}
