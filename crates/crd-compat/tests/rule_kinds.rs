//! Kinds of CEL rules: an object tells a schema with the rule from the schema without it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crd_compat::compare_crds;
use k8s_cel::{KubeVersion, overloads};
use serde_json::{Map, Value, json};

use crate::support::crd_with;

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "maxItems": 8, "items": items})
}

fn map(values: &Value) -> Value {
    json!({"type": "object", "maxProperties": 8, "additionalProperties": values})
}

fn string() -> Value {
    json!({"type": "string", "maxLength": 64})
}

/// The schema of an object with scalars, lists, maps and objects.
fn thing() -> Value {
    let integer = json!({"type": "integer"});
    let boolean = json!({"type": "boolean"});
    object(&json!({
        "type": string(), "mode": {"type": "string", "enum": ["Auto", "Manual", "Off"]},
        "s": string(), "t": string(), "min": integer, "max": integer, "on": boolean,
        "a": object(&json!({"n": integer})), "b": object(&json!({"n": integer})),
        "c": object(&json!({"n": integer, "s": string()})),
        "list": list(&string()), "other": list(&string()), "map": map(&string()),
        "amount": {"type": "string", "maxLength": 9, "pattern": "^[0-9]+Gi$"},
        "version": {"type": "string", "maxLength": 9, "pattern": "^[0-9]+[.][0-9]+[.][0-9]+$"},
        "wait": {"type": "string", "maxLength": 9, "pattern": "^[0-9]+[smh]$"},
        "day": {"type": "string", "maxLength": 20, "pattern": "^20[0-9]{2}-01-01T00:00:00Z$"},
        "any": {"x-kubernetes-int-or-string": true},
    }))
}

/// The schema of a list of listeners.
fn listeners() -> Value {
    list(&json!({
        "type": "object",
        "required": ["name", "protocol", "port"],
        "properties": {
            "name": string(),
            "protocol": {"type": "string", "maxLength": 64, "pattern": "^[A-Za-z0-9/.]+$"},
            "port": {"type": "integer", "minimum": 1, "maximum": 65535},
            "hostname": string(),
            "tls": object(&json!({"mode": string()})),
            "names": list(&string()),
        },
    }))
}

/// The rules of each kind of schema.
fn rules() -> Vec<(Value, &'static [&'static str])> {
    let name = json!({"type": "string", "maxLength": 64, "pattern": "^[a-z0-9*.-]+$"});
    let long = json!({"type": "string", "maxLength": 300});
    vec![
        (listeners(), &LISTENERS),
        (list(&name), &NAMES),
        (map(&string()), &KEYS),
        (thing(), &THINGS),
        (long.clone(), &STRINGS),
        (long, &FUNCTIONS),
        (list(&json!({"type": "integer"})), &NUMBERS),
    ]
}

const LISTENERS: [&str; 19] = [
    "self.all(l, l.protocol in ['HTTP', 'TCP', 'UDP'] ? !has(l.tls) : true)",
    "self.all(l, l.protocol in ['HTTPS', 'TLS'] ? has(l.tls) : true)",
    "self.all(l, l.protocol in ['TCP', 'UDP'] ? (!has(l.hostname) || l.hostname == '') : true)",
    "self.all(a, a.protocol == 'HTTP' ? self.exists_one(b, b.protocol == a.protocol && b.port == a.port) : true)",
    "self.all(a, self.exists_one(b, a.name == b.name))",
    "self.all(a, self.all(b, a == b || a.port != b.port || a.?hostname != b.?hostname))",
    "!self.exists(l, has(l.tls) && has(l.tls.mode) && l.tls.mode == 'Passthrough')",
    "self.filter(l, l.protocol == 'UDP').size() <= 1",
    "size(self.filter(l, has(l.tls))) != 1",
    "self.filter(l, l.protocol == 'UDP').size() <= 4",
    "self.exists_one(l, l.name == 'main') || !self.exists(l, l.name == 'main')",
    "self.map(l, l.name).all(n, n.startsWith('l-') || n.size() < 7)",
    "!('admin' in self.map(l, l.name))",
    "self.all(l, !has(l.names) || l.names.all(n, n != l.name))",
    "self.all(l, l.?hostname.orValue('none') != 'SCTP')",
    "self.filter(l, has(l.hostname)).all(l, l.hostname.endsWith('.test') || l.hostname == 'example')",
    "self.all(i, l, i > 0 || l.port < 1024)",
    "self.map(l, l.protocol == 'TLS', l.name).size() != 2",
    "self.transformList(i, l, l.name).all(n, n != 'listed')",
];

const NAMES: [&str; 12] = [
    "self.all(h, !isIP(h))",
    "self.all(h, !h.contains('*') || h.startsWith('*.'))",
    "self.all(h, h.contains('*') ? h.startsWith('*.') && h.substring(2).matches('^[a-z]+$') : true)",
    "self.all(h, !h.endsWith('.local'))",
    "!('forbidden' in self)",
    "self.size() != 3",
    "['a1', 'b1'].all(k, !(k in self))",
    "self.all(a, self.exists_one(b, a == b))",
    "self.isSorted()",
    "sets.contains(['example', 'a', 'b', 'c'], self)",
    "!sets.intersects(self, ['x1', 'x2'])",
    "self.join(',').size() < 20",
];

const KEYS: [&str; 10] = [
    "self.all(k, !k.contains('*'))",
    "self.all(k, k.size() != 0)",
    "!('reserved' in self)",
    "self.all(k, k.matches('^[a-z]+(-[0-9])?$'))",
    "self.all(k, self[k] != 'bad')",
    "self.all(k, v, k != 'mode' || v in ['on', 'off'])",
    "self.exists(k, k.startsWith('x-')) ? self.size() < 2 : true",
    "!has(self.special) || self.special == 'yes'",
    "self.all(k, !format.dns1123Label().validate(k).hasValue())",
    "!('t1' in self.transformMap(k, v, v))",
];

const THINGS: [&str; 38] = [
    "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1",
    "[has(self.a), has(self.b), has(self.c)].filter(x, x).size() <= 1",
    "[has(self.a), has(self.b)].exists_one(x, x == true) || !has(self.on)",
    "[has(self.a), has(self.c)].map(x, x ? 1 : 0).sum() < 2",
    "!(has(self.a) && has(self.b))",
    "has(self.a) == has(self.b)",
    "!has(self.type) || self.type != 'Hostname' || has(self.s)",
    "has(self.type) && self.type == 'S3' ? has(self.a) && !has(self.b) : true",
    "!has(self.min) || !has(self.max) || self.min <= self.max",
    "!has(self.s) || !has(self.t) || self.s != self.t",
    "has(self.mode) && self.mode == 'Off' ? !has(self.on) || !self.on : true",
    "!has(self.c) || !has(self.c.n) || self.c.n % 7 != 3",
    "!has(self.list) || !has(self.other) || self.list.all(x, !(x in self.other))",
    "!has(self.list) || size(self.list) + (has(self.other) ? 1 : 0) <= 4",
    "!has(self.map) || self.map.all(k, k != self.?s.orValue('none'))",
    "self.?a.?n.orValue(0) != 42",
    "!self.?c.?s.hasValue() || self.c.s != 'secret'",
    "self.?s.optMap(v, v != 'optional').orValue(true)",
    "!has(self.any) || type(self.any) == int ? true : string(self.any).matches('^[0-9]+%$')",
    "!has(self.any) || (type(self.any) == int ? int(self.any) < 1000 : true)",
    "!has(self.s) || int(self.s == '' ? '0' : '1') != 0",
    "!has(self.s) || self.s.split(',').size() <= 2",
    "!has(self.s) || self.s.split('/')[0] != 'root'",
    "!has(self.s) || self.s.lowerAscii() != 'upper'",
    "!has(self.s) || self.s + '-x' != 'forbidden-x'",
    "!has(self.min) || self.min * 3 + 1 != 46",
    "!has(self.wait) || duration(self.wait) < duration('90m')",
    "!has(self.wait) || duration(self.wait).getHours() != 13",
    "!has(self.amount) || quantity(self.amount).isLessThan(quantity('12Gi'))",
    "!has(self.amount) || quantity(self.amount).compareTo(quantity('3Gi')) >= 0",
    "!has(self.day) || timestamp(self.day) < timestamp('2031-01-01T00:00:00Z')",
    "!has(self.day) || timestamp(self.day).getFullYear() != 2042",
    "!has(self.version) || semver(self.version).major() < 21",
    "!has(self.version) || semver(self.version).isGreaterThan(semver('0.4.0'))",
    "!has(self.version) || semver(self.version).minor() != 17",
    "!(has(self.a) && has(self.b) && has(self.a.n) && has(self.b.n) && self.a.n == self.b.n)",
    "!has(self.a) || self.a.?n.orValue(0) + self.?b.?n.orValue(0) != 77",
    "!has(self.on) || self.on == has(self.mode)",
];

const STRINGS: [&str; 29] = [
    "!isURL(self) || url(self).getScheme() in ['http', 'https']",
    "isURL(self) ? url(self).getScheme() != 'oci' : true",
    "!isURL(self) || url(self).getHost() != 'internal.test'",
    "!isURL(self) || url(self).getPort() != '8443'",
    "!isURL(self) || !url(self).getEscapedPath().startsWith('/private')",
    "isURL(self) || self.size() < 20",
    "!isCIDR(self)",
    "!isCIDR(self) || cidr(self).prefixLength() > 20",
    "!isCIDR(self) || cidr(self).prefixLength() != 23",
    "!isIP(self) || ip(self).family() == 4",
    "!isIP(self) || !ip(self).isLoopback()",
    "isIP(self) ? ip.isCanonical(self) : true",
    "!isCIDR(self) || cidr(self) == cidr(self).masked()",
    "!isCIDR(self) || !cidr(self).containsIP('10.0.0.7')",
    "!isQuantity(self)",
    "!isQuantity(self) || sign(quantity(self)) >= 0",
    "!isSemver(self)",
    "!format.named('dns1123Label').value().validate(self).hasValue() || self == 'x!'",
    "!format.dns1123Subdomain().validate(self).hasValue()",
    "format.uuid().validate(self).hasValue()",
    "format.uri().validate(self).hasValue()",
    "self.matches('^[a-m]+$')",
    "!self.matches('^v[0-9]+beta[0-9]+$')",
    "!self.contains('..')",
    "self.startsWith('exam')",
    "!self.endsWith('ple')",
    "self.size() == 0 || self.size() == 7",
    "self.trim() == self",
    "self.indexOf(':') != 3",
];

const NUMBERS: [&str; 9] = [
    "self.sum() <= 100",
    "self.all(n, n != 17)",
    "self.size() == 0 || self.min() > -5",
    "self.size() == 0 || self.max() < 500",
    "self.isSorted()",
    "self.size() < 2 || self[0] != self[1]",
    "self.distinct().size() == self.size()",
    "self.exists(n, n == 9) ? self.exists(n, n == 12) : true",
    "self.filter(n, n > 40).size() < 2",
];

/// Rules about a string, for the functions that no other rule calls.
const FUNCTIONS: [&str; 57] = [
    "!isQuantity(self) || quantity(self).add(quantity('1')).compareTo(quantity('4')) != 0",
    "!isQuantity(self) || quantity(self).sub(1).isLessThan(quantity('20'))",
    "!isQuantity(self) || quantity(self).asApproximateFloat() < 30.5",
    "!isQuantity(self) || !quantity(self).isInteger() || quantity(self).asInteger() != 34",
    "bool(self == 'boolean' ? 'true' : 'false') == false",
    "bytes(self) != b'bytes'",
    "self.size() < 1 || self.charAt(0) != 'q'",
    "!isCIDR(self) || !cidr(self).containsCIDR('10.1.0.0/24')",
    "!self.matches('^[0-9]+$') || double(self) < 12.5",
    "!self.matches('^[0-9]+$') || uint(self) != 23u",
    "dyn(self) != 'dynamic'",
    "self.find('[0-9]+') != '42'",
    "self.findAll('[0-9]').size() < 3",
    "[self, 'b'].first().value() != 'z'",
    "['b', self].last().value() != 'z'",
    "[[self]].flatten() != ['flat']",
    "'x-%s'.format([self]) != 'x-formatted'",
    "format.byte().validate(self).hasValue()",
    "format.date().validate(self).hasValue()",
    "format.datetime().validate(self).hasValue()",
    "!format.dns1035Label().validate(self).hasValue()",
    "!format.dns1035LabelPrefix().validate(self).hasValue()",
    "!format.dns1123LabelPrefix().validate(self).hasValue()",
    "!format.dns1123SubdomainPrefix().validate(self).hasValue()",
    "!format.labelValue().validate(self).hasValue()",
    "!format.qualifiedName().validate(self).hasValue()",
    "self == 'x' || !self.matches('^20[0-9]{2}-01-01T00:00:00Z$') || timestamp(self).getDate() == 2",
    "!self.matches('^2026-01-[0-9]{2}T00:00:00Z$') || timestamp(self).getDayOfMonth() != 7",
    "!self.matches('^2026-01-0[1-9]T00:00:00Z$') || timestamp(self).getDayOfWeek() == 0",
    "!self.matches('^2026-01-0[1-9]T00:00:00Z$') || timestamp(self).getDayOfYear() > 5",
    "!self.matches('^2026-0[1-9]-01T00:00:00Z$') || timestamp(self).getMonth() > 3",
    "!isURL(self) || url(self).getHostname() != 'name.test'",
    "!isURL(self) || !('query' in url(self).getQuery())",
    "!self.matches('^[0-9]+ms$') || duration(self).getMilliseconds() < 5",
    "!self.matches('^[0-9]+m$') || duration(self).getMinutes() != 11",
    "!self.matches('^[0-9]+s$') || duration(self).getSeconds() != 13",
    "!isIP(self) || ip(self).isGlobalUnicast()",
    "!isIP(self) || !ip(self).isLinkLocalMulticast()",
    "!isIP(self) || !ip(self).isLinkLocalUnicast()",
    "!isIP(self) || !ip(self).isUnspecified()",
    "self.lastIndexOf('/') != 5",
    "lists.range(3).exists(i, string(i) == self) ? false : true",
    "optional.of(self).or(optional.none()).value() != 'optional'",
    "optional.ofNonZeroValue(self).hasValue()",
    "optional.unwrap([optional.of(self)]) != ['unwrapped']",
    "[optional.of(self)].unwrapOpt() != ['unwrapped']",
    "!isSemver(self) || semver(self).patch() != 6",
    "self.replace('-', '_') != 'a_b'",
    "['a', self].reverse()[0] != 'reversed'",
    "sets.equivalent([self], ['equivalent']) ? false : true",
    "[self, 'a', 'b'].slice(0, 1) != ['sliced']",
    "['m', self].sort()[0] == 'm' || self < 'x' && self > 'c'",
    "strings.quote(self) != '\"quoted\"'",
    "self.upperAscii() != 'UPPER'",
    "[self].indexOf('indexed') != 0",
    "[self, 'b'].min() != 'a'",
    "type(self) == string ? self != 'typed' : true",
];

/// Returns a CRD whose field `spec.f` has a schema.
fn crd(schema: &Value) -> Value {
    let spec = object(&Value::Object(Map::from_iter([(
        "f".to_owned(),
        schema.clone(),
    )])));
    crd_with(&object(&json!({"spec": spec})), false)
}

/// Returns the schema with rules.
fn with_rules(schema: &Value, rules: &[&str]) -> Value {
    let rules = rules.iter().map(|rule| json!({"rule": rule}));
    let mut schema = schema.clone();
    schema["x-kubernetes-validations"] = rules.collect();
    schema
}

/// Schemas whose objects have to satisfy other rules, too: the old schema, the new schema, and the
/// code of a finding.
#[expect(clippy::too_many_lines, reason = "a table")]
fn rules_beside_others() -> Vec<(Value, Value, &'static str)> {
    let with = with_rules;
    let ab = object(&json!({"a": string(), "b": string()}));
    let one_of = with(&ab, &["has(self.a) != has(self.b)"]);
    let mode = json!({"type": "string", "maxLength": 9, "default": "Terminate"});
    let tls = object(&json!({"mode": mode, "certs": list(&string())}));
    let tls = with(
        &tls,
        &["self.mode == 'Terminate' ? size(self.certs) > 0 : true"],
    );
    let listener = object(&json!({"protocol": string(), "tls": tls}));
    let numbers = object(&json!({"min": {"type": "integer"}, "max": {"type": "integer"}}));
    let required = "has(self.min) && has(self.max)";
    let items = list(&one_of);
    let entries = map(&with(&ab, &["has(self.a) && self.a == 'needed'"]));
    let names = list(&string());
    let both = with(&ab, &["has(self.a) || has(self.b)"]);
    let listeners = list(&listener);
    vec![
        (
            items.clone(),
            with(&items, &["self.all(i, !has(i.b) || i.b != 'x1')"]),
            "rule-added",
        ),
        (
            items.clone(),
            with(&items, &["self.filter(i, has(i.b)).size() < 2"]),
            "rule-added",
        ),
        (
            entries.clone(),
            with(&entries, &["self.all(k, k != 'bad')"]),
            "rule-added",
        ),
        (
            listeners.clone(),
            with(
                &listeners,
                &["self.all(l, has(l.protocol) && l.protocol == 'TCP' ? !has(l.tls) : true)"],
            ),
            "rule-added",
        ),
        (
            with(&numbers, &[required, "self.min < self.max"]),
            with(&numbers, &[required, "self.min <= self.max"]),
            "rule-removed",
        ),
        (
            with(&numbers, &[required, "self.min <= self.max"]),
            with(&numbers, &[required, "self.min < self.max"]),
            "rule-added",
        ),
        (
            with(
                &names,
                &["self.size() < 6", "self.all(n, n.startsWith('n-'))"],
            ),
            with(
                &names,
                &["self.size() < 4", "self.all(n, n.startsWith('n-'))"],
            ),
            "rule-added",
        ),
        (
            both,
            with(
                &ab,
                &[
                    "has(self.a) || has(self.b)",
                    "!has(self.b) || self.b.contains('@')",
                ],
            ),
            "rule-added",
        ),
        // Only an update tells these rules apart.
        (
            ab.clone(),
            with(&ab, &["self.a == oldSelf.a"]),
            "rule-added",
        ),
        (
            with(&ab, &["has(oldSelf.a) == has(self.a)"]),
            ab.clone(),
            "rule-removed",
        ),
        (
            ab.clone(),
            with(
                &ab,
                &[
                    "!has(oldSelf.a) || oldSelf.a != 'Sealed' || (has(self.a) && self.a == 'Sealed')",
                ],
            ),
            "rule-added",
        ),
        (
            names.clone(),
            with(
                &names,
                &["self.size() >= oldSelf.size() || !oldSelf.exists(n, n == 'kept')"],
            ),
            "rule-added",
        ),
        (
            items.clone(),
            with(
                &items,
                &["oldSelf.all(o, !has(o.b) || self.exists(n, has(n.b) && n.b == o.b))"],
            ),
            "rule-added",
        ),
    ]
}

#[test]
fn an_object_satisfies_the_other_rules() {
    for (old, new, code) in rules_beside_others() {
        let report = compare_crds(&crd(&old), &crd(&new)).unwrap();
        let mut findings = report.all_findings();
        let is_proven = findings.any(|finding| finding.code == code && finding.proof.is_some());
        assert!(is_proven, "{old} {new}: {report}");
    }
}

#[test]
fn an_object_tells_each_kind_of_rule_apart() {
    let mut missed = String::new();
    for (without, rules) in rules() {
        for &rule in rules {
            let crds = [crd(&without), crd(&with_rules(&without, &[rule]))];
            for (old, new, code) in [(0, 1, "rule-added"), (1, 0, "rule-removed")] {
                let report = compare_crds(&crds[old], &crds[new]);
                let report = report.unwrap_or_else(|error| panic!("{rule}: {error}"));
                let mut findings = report.all_findings();
                let finding = findings.find(|finding| finding.code == code);
                let proof = finding.and_then(|finding| finding.proof.as_ref());
                let Some(proof) = proof else {
                    writeln!(missed, "{code}: {rule}").unwrap();
                    continue;
                };
                // The rule is false for the object. An error of the evaluation is a proof, too, but
                // it does not show that the search finds an object for the rule.
                let message = [&proof.before, &proof.after][new].summary();
                if !message.contains("failed rule") {
                    writeln!(missed, "{rule}: {message} {}", proof.object).unwrap();
                }
            }
        }
    }
    assert_eq!(missed, "");
}

#[test]
fn each_function_of_a_rule_is_tested() {
    let rules = rules();
    let is_called = |name: &str| {
        let call = format!("{name}(");
        let mut rules = rules.iter().flat_map(|(_, rules)| *rules);
        // `size` is not a call of `si`, and `x.ip(` not one of `is.ip(`.
        rules.any(|rule| {
            let mut places = rule.match_indices(&call);
            places.any(|(at, _)| !rule[..at].ends_with(|c: char| c.is_alphanumeric()))
        })
    };
    let is_name = |name: &str| name.starts_with(|c: char| c.is_alphabetic());
    let names: BTreeSet<&str> = overloads()
        .iter()
        // Rules of a CRD have no authorizer.
        .filter(|overload| !format!("{overload:?}").contains("authorization"))
        .filter(|overload| {
            overload
                .since_in_new_rules
                .is_some_and(|it| it <= KubeVersion::LATEST)
        })
        .map(|overload| overload.name)
        // Macros call functions whose names are not names of CEL.
        .filter(|name| is_name(name) && !name.contains('@') && !is_called(name))
        .collect();
    assert_eq!(names, BTreeSet::new());
}
