//! Tests of the warnings about elements that share their merge key: the elements that they name,
//! and lost orders.

use k8s_strategic_merge_patch::{PatchWarning, PatchWarningKind};
use serde_json::{Value, json};

use crate::shared_keys::{kinds, metrics, patch_and_result, service, sorted, tcp, udp, with_field};
use PatchWarningKind::{AmbiguousElements, ListReplaced, OrderNotChanged};

fn port(number: u16, protocol: &str) -> Value {
    json!({"port": number, "protocol": protocol})
}

fn with_target_port(port: Value) -> Value {
    with_field(port, "targetPort", "dns")
}

/// Returns the warnings of the difference of two lists, and the list after the patch.
fn diff_warnings(before: &[Value], after: &[Value]) -> (Vec<PatchWarning>, Value) {
    let [before, after] = [before, after].map(|ports| json!({"ports": ports}));
    let patch = service().diff(&before, &after).expect("a patch");
    let mut result = service().apply(before, &patch).expect("the patch is good");
    (patch.warnings().to_vec(), result["ports"].take())
}

#[test]
fn a_patch_has_a_value_and_warnings() {
    let [before, after] = [
        json!({"ports": [udp(), tcp(), metrics()]}),
        json!({"ports": [udp(), metrics(), tcp()]}),
    ];
    let patch = service().diff(&before, &after).expect("a patch");
    let (value, warnings) = patch.clone().into_parts();
    assert_eq!(warnings, patch.warnings());
    assert_eq!(warnings.len(), 1);
    assert!(value.as_object().is_some_and(|fields| !fields.is_empty()));
    assert_eq!(patch, value);
    assert_ne!(patch, before);
}

#[test]
fn an_order_that_the_server_changes_has_a_warning() {
    let udp_and_tcp = vec![udp(), tcp(), metrics()];
    let apart = vec![udp(), metrics(), tcp()];
    let orders = [
        (udp_and_tcp.clone(), apart.clone()),
        (apart.clone(), vec![tcp(), metrics(), udp()]),
        (vec![udp(), tcp()], vec![tcp(), udp()]),
        (vec![metrics(), udp()], vec![udp(), metrics(), tcp()]),
        (vec![], apart.clone()),
        // The server moves elements that the author leaves where they are.
        (
            apart.clone(),
            vec![udp(), with_target_port(metrics()), tcp()],
        ),
    ];
    for (before, after) in orders {
        let (warnings, result) = diff_warnings(&before, &after);
        let ports: Vec<Value> = result.as_array().expect("a list").clone();
        assert_eq!(sorted(&ports), sorted(&after), "{before:?} {after:?}");
        assert_ne!(ports, after);
        let order_warning: Vec<&PatchWarning> = warnings
            .iter()
            .filter(|warning| warning.kind() == OrderNotChanged)
            .collect();
        let [order_warning] = order_warning[..] else {
            panic!("{before:?} {after:?}: {warnings:?}");
        };
        assert_eq!(sorted(order_warning.elements()), sorted(&[udp(), tcp()]));
    }
    // The server results in these orders.
    for (before, after) in [
        (udp_and_tcp.clone(), vec![metrics(), udp(), tcp()]),
        (apart, udp_and_tcp),
    ] {
        let (warnings, result) = diff_warnings(&before, &after);
        assert_eq!((warnings, result), (vec![], json!(after)));
    }
}

#[test]
fn the_order_of_others_has_no_warning() {
    let udp_and_tcp = [udp(), tcp(), metrics()];
    let apart = [udp(), metrics(), tcp()];
    let swapped = [tcp(), udp(), metrics()];
    for (applied, live) in [(&apart, &udp_and_tcp), (&udp_and_tcp, &swapped)] {
        let (patch, result) = patch_and_result(applied, applied, live);
        assert_eq!(kinds(&patch), [], "{patch}");
        assert_eq!(result, json!(live));
    }
}

#[test]
fn warnings_name_only_the_affected_elements() {
    let web = [port(80, "TCP"), port(80, "UDP")];
    let dns = [udp(), tcp()];
    let dns_web_and_metrics = |dns: &[Value], web: &[Value]| [dns, web, &[metrics()]].concat();
    // The list is replaced because of the elements with port 53.
    let (warnings, _) = diff_warnings(
        &dns_web_and_metrics(&dns, &web),
        &dns_web_and_metrics(&[udp(), with_target_port(tcp())], &web),
    );
    let [replace_warning] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    assert_eq!(replace_warning.kind(), ListReplaced);
    assert_eq!(replace_warning.elements(), dns);
    // The order of the elements with port 80 changes.
    let swapped = [web[1].clone(), web[0].clone()];
    let (warnings, _) = diff_warnings(
        &dns_web_and_metrics(&dns, &web),
        &dns_web_and_metrics(&dns, &swapped),
    );
    let [order_warning] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    assert_eq!(order_warning.kind(), OrderNotChanged);
    assert_eq!(order_warning.elements(), web);
}

#[test]
fn warnings_name_only_the_ambiguous_elements() {
    // Others changed one element so that it may be the second, or a new one.
    let changed = json!({"name": "x", "port": 53, "protocol": "SCTP"});
    let before = [with_target_port(udp()), tcp()];
    let (patch, _) = patch_and_result(
        &before,
        &before,
        &[with_target_port(udp()), changed.clone()],
    );
    assert_eq!(kinds(&patch), [AmbiguousElements, ListReplaced]);
    assert_eq!(patch.warnings()[0].elements(), [changed, tcp()]);
    // Two equal elements, one of which has a field of others, are changed differently.
    let twin = port(53, "UDP");
    let before = [tcp(), twin.clone(), twin.clone()];
    let after = [
        tcp(),
        with_field(twin.clone(), "a", 1),
        with_field(twin.clone(), "a", 2),
    ];
    let live = [tcp(), twin.clone(), with_field(twin, "nodePort", 7)];
    let (patch, _) = patch_and_result(&before, &after, &live);
    assert!(kinds(&patch).contains(&AmbiguousElements), "{patch}");
    let ambiguous_warning = &patch.warnings()[0];
    assert_eq!(
        sorted(ambiguous_warning.elements()),
        sorted(&[&live[1..], &after[1..]].concat())
    );
}

/// Returns `count` ports that share one number and have different names.
fn numbered_ports(count: usize) -> Vec<Value> {
    let named = (0..count).map(|i| json!({"port": 53, "name": format!("name-{i}"), "weight": i}));
    named.collect()
}

/// The lists have more elements than the maximum that is compared with each other.
#[test]
fn many_elements_are_paired_if_few_of_them_change() {
    for count in [9, 10, 30, 3_000] {
        let before = numbered_ports(count);
        let mut live = before.clone();
        for (i, port) in live.iter_mut().enumerate().step_by(count / 3) {
            port["nodePort"] = json!(i);
        }
        live.insert(1, udp());
        let mut after = before.clone();
        after.remove(4);
        after[5]["targetPort"] = json!("dns");
        after.push(tcp());
        let (patch, result) = patch_and_result(&before, &after, &live);
        assert_eq!(kinds(&patch), [ListReplaced], "{count}");
        let mut wanted = live.clone();
        wanted.remove(5);
        wanted[6]["targetPort"] = json!("dns");
        wanted.push(tcp());
        let result = result.as_array().expect("a list");
        assert_eq!(sorted(result), sorted(&wanted), "{count}");
    }
}

/// Equal elements are interchangeable, so each number of them is paired without ambiguity.
#[test]
fn many_equal_elements_are_paired() {
    let before = vec![udp(); 3_000];
    let (warnings, result) = diff_warnings(&before, &before[1..]);
    let kinds: Vec<PatchWarningKind> = warnings.iter().map(PatchWarning::kind).collect();
    assert_eq!(kinds, [ListReplaced]);
    assert_eq!(result, json!(before[1..]));
}

/// The message about too many elements does not claim that the elements are similar.
#[test]
fn too_many_changed_elements_have_their_own_message() {
    let before = numbered_ports(12);
    let change = |ports: &mut [Value], field: &str| {
        for port in ports {
            port[field] = json!(1);
        }
    };
    let (mut after, mut live) = (before.clone(), before.clone());
    change(&mut after[..10], "targetPort");
    change(&mut live[..10], "nodePort");
    let (patch, result) = patch_and_result(&before, &after, &live);
    let [ambiguous_warning, replace_warning] = patch.warnings() else {
        panic!("{:?}", patch.warnings());
    };
    assert_eq!(ambiguous_warning.kind(), AmbiguousElements);
    assert_eq!(replace_warning.kind(), ListReplaced);
    let message = ambiguous_warning.message();
    let start = "more than 8 elements with the same `port` are new, removed or changed";
    assert!(message.starts_with(start), "{message}");
    // The two elements that nobody changed are not among them.
    assert_eq!(ambiguous_warning.elements().len(), 20);
    change(&mut live[..10], "targetPort");
    assert_eq!(sorted(result.as_array().expect("a list")), sorted(&live));
}

/// Equal elements are ambiguous if the author changes them differently, and if the live list has
/// another number of them.
#[test]
fn equal_elements_with_different_changes_are_ambiguous_if_their_number_changed() {
    let twin = port(53, "UDP");
    let changed = |i: usize| with_field(twin.clone(), "a", i);
    for (live_count, after, is_ambiguous) in [
        (1, [changed(1), changed(2)], true),
        (1, [changed(1), changed(1)], false),
        (2, [changed(1), changed(2)], false),
        // One of three is an element of others.
        (3, [changed(1), changed(2)], true),
        (1, [twin.clone(), twin.clone()], false),
    ] {
        let others = numbered_ports(12);
        let before = [&others[..], &[twin.clone(), twin.clone()]].concat();
        let after = [&others[..], &after].concat();
        let live = [&others[..], &vec![twin.clone(); live_count]].concat();
        let (patch, _) = patch_and_result(&before, &after, &live);
        let has_warning = kinds(&patch).contains(&AmbiguousElements);
        assert_eq!(has_warning, is_ambiguous, "{live_count} {after:?}");
    }
}
