//! Tests of lists that are read page by page from a cluster.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::fake_cluster::{DATABASES, FakeCluster, sample_object};
use crate::process::{kubectl_union, program_output};

const TIGHTEN: [&str; 3] = ["tighten", "--crd", "database_crd_tight.yaml"];

/// Returns a page with the objects of these names.
fn page(names: &[&str], token: &str) -> Value {
    let objects: Vec<Value> = names.iter().map(|name| named_object(name)).collect();
    json!({"metadata": {"continue": token, "remainingItemCount": 9}, "items": objects})
}

fn named_object(name: &str) -> Value {
    let mut object = sample_object("databases/orders.yaml");
    object["metadata"] = json!({"name": name, "namespace": "default"});
    object
}

#[test]
fn pages_are_read_until_there_is_no_token() {
    let cluster = FakeCluster::of_samples("pages");
    cluster.answer(DATABASES, &page(&["a", "b"], "t/1"));
    cluster.answer(&format!("{DATABASES}?continue=t%2F1"), &page(&["c"], "t2"));
    cluster.answer(&format!("{DATABASES}?continue=t2"), &page(&[], ""));
    let output = cluster.union(TIGHTEN);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    assert!(output.stdout.contains("checked: 3 objects\n"), "{output:?}");
    let pages = cluster.requests().len() - 2;
    assert_eq!(pages, 3);
}

/// The list is read again, and each object is checked once.
#[test]
fn an_expired_list_is_read_again() {
    let cluster = FakeCluster::of_samples("expired");
    cluster.script(
        DATABASES,
        "case $token in\n\
         '') if [ -f \"$FAKE_CLUSTER/expired\" ]; then cat \"$FAKE_CLUSTER/second\"; else cat \"$FAKE_CLUSTER/first\"; fi ;;\n\
         t1) touch \"$FAKE_CLUSTER/expired\"; echo 'Error from server (Expired): The provided continue parameter is too old' >&2; exit 1 ;;\n\
         t2) cat \"$FAKE_CLUSTER/last\" ;;\n\
         esac\n",
    );
    cluster.write("first", &page(&["a", "b"], "t1").to_string());
    cluster.write("second", &page(&["a", "b", "c"], "t2").to_string());
    cluster.write("last", &page(&["d"], "").to_string());
    let output = cluster.union(TIGHTEN);
    assert_eq!(
        (output.code, &*output.stderr),
        (
            0,
            "note: databases.db.example.com: the list expired while it was read; reading it again, without the 2 objects that were read\n"
        )
    );
    assert!(output.stdout.contains("checked: 4 objects\n"), "{output:?}");
}

#[test]
fn a_list_that_always_expires_is_skipped() {
    let cluster = FakeCluster::of_samples("expires");
    cluster.answer(DATABASES, &page(&["a"], "t1"));
    cluster.fail(
        &format!("{DATABASES}?continue=t1"),
        "Error from server (Expired): too old",
    );
    let output = cluster.union(TIGHTEN);
    assert_eq!(output.code, 3);
    assert_eq!(
        output.stderr.lines().last(),
        Some("warning: not read from the cluster: databases.db.example.com: too old")
    );
}

#[test]
fn a_server_that_repeats_a_page_is_not_read_forever() {
    let cluster = FakeCluster::of_samples("repeats");
    for path in [DATABASES.to_owned(), format!("{DATABASES}?continue=t1")] {
        cluster.answer(&path, &page(&["a"], "t1"));
    }
    let output = cluster.union(TIGHTEN);
    assert_eq!(output.code, 3);
    assert!(
        output.stderr.contains("the pages of the list repeat"),
        "{output:?}"
    );
}

/// The script prints an object of `$size` bytes for each of `$limit`, from the number `$token` on.
const GENERATOR: &str = r#"
from=${token:-0}
awk -v from="$from" -v limit="$limit" -v total="$total" -v size="$size" 'BEGIN {
    to = from + limit; if (to > total) to = total
    note = "x"; while (length(note) < size) note = note note; note = substr(note, 1, size)
    printf "{\"metadata\":{\"continue\":\"%s\",\"remainingItemCount\":%d},\"items\":[", (to < total ? to : ""), total - to
    for (i = from; i < to; i++)
        printf "%s{\"apiVersion\":\"db.example.com/v1\",\"kind\":\"Database\",\"metadata\":{\"name\":\"n%d\",\"namespace\":\"default\",\"annotations\":{\"note\":\"%s\"}},\"spec\":{\"engine\":\"%s\",\"owner\":\"o@example.com\"}}", (i > from ? "," : ""), i, note, (i % 1000 ? "Postgres" : "Ingres")
    print "]}"
}'
"#;

fn serve_generated(cluster: &FakeCluster, total: usize, size: usize) {
    cluster.script(
        DATABASES,
        &format!("total={total} size={size}\n{GENERATOR}"),
    );
}

/// Returns the limits of the pages.
fn limits(cluster: &FakeCluster) -> Vec<usize> {
    let calls = cluster.calls();
    let limits = calls.iter().filter_map(|call| {
        let (_, limit) = call.split_once("databases?limit=")?;
        limit.split(['&', ']']).next()?.parse().ok()
    });
    limits.collect()
}

/// The first page exceeds the limit of an answer, so it is read again with fewer objects. Further
/// pages have about 4 MiB.
#[test]
fn pages_of_large_objects_have_fewer_objects() {
    let cluster = FakeCluster::of_samples("large");
    serve_generated(&cluster, 400, 200_000);
    let output = cluster.union(TIGHTEN);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    assert!(
        output.stdout.contains("checked: 400 objects\n"),
        "{output:?}"
    );
    let limits = limits(&cluster);
    assert_eq!(limits[..3], [500, 125, 20], "{limits:?}");
}

#[test]
fn an_object_that_is_too_large_is_skipped() {
    let cluster = FakeCluster::of_samples("too_large");
    cluster.script(DATABASES, "echo '{\"items\": ['; exec cat /dev/zero");
    let output = cluster.union(TIGHTEN);
    assert_eq!(output.code, 3);
    assert_eq!(
        output.stderr,
        "warning: not read from the cluster: databases.db.example.com: an answer exceeds the limit of 64 MiB\n"
    );
    assert_eq!(limits(&cluster), [500, 125, 31, 7, 1]);
}

/// The JSON of the objects exceeds the limit of the address space.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_does_not_depend_on_the_number_of_objects() {
    let cluster = FakeCluster::of_samples("memory");
    serve_generated(&cluster, 5_500, 40 << 10);
    let mut command = Command::new("sh");
    let limit_kib = 200 << 10;
    let script = format!("ulimit -v {limit_kib}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_kubectl-union")]);
    command.args(["upgrade", "--from", "1.36", "--to", "1.37"]);
    let output = cluster.run(command);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    assert!(output.stdout.contains("5502 objects\n"), "{output:?}");
}

/// Starts a command whose kubectl waits, sends a signal when kubectl runs, and returns the exit
/// code and the output. Asserts that kubectl does not run any more.
#[cfg(unix)]
fn interrupt(signal: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let cluster = FakeCluster::of_samples(&format!("interrupt{signal}"));
    cluster.script(
        DATABASES,
        "printf '{\"items\": ['\n\
         echo $$ >\"$FAKE_CLUSTER/pid\"\n\
         echo 'waiting' >&2\n\
         exec sleep 600\n",
    );
    let mut command = kubectl_union(args);
    cluster.set_environment(&mut command);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "waiting");
    let send = |signal: &str, pid: &str| {
        let mut kill = Command::new("kill");
        kill.args([signal, pid]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    assert!(send(signal, &child.id().to_string()));
    let messages = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
    let output = child.wait_with_output().unwrap();
    let pid = std::fs::read_to_string(cluster.path("pid")).unwrap();
    assert!(!send("-0", pid.trim()), "kubectl still runs");
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        messages,
    )
}

#[test]
#[cfg(unix)]
fn signals_end_the_command_and_kubectl() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        for flags in [&[][..], &["-o", "json"]] {
            let args = [&TIGHTEN[..], flags].concat();
            let (code, stdout, messages) = interrupt(signal, &args);
            assert_eq!((code, &*stdout), (Some(130), ""), "{signal}");
            assert_eq!(
                messages,
                "error: interrupted: a signal has ended the command"
            );
        }
    }
}

/// The output is not ordered by the speed of kubectl: the error of a child that fails after its
/// output counts.
#[test]
fn the_output_of_a_kubectl_that_fails_is_ignored() {
    let cluster = FakeCluster::of_samples("late_failure");
    cluster.write("first", &page(&["a"], "").to_string());
    let script = "cat \"$FAKE_CLUSTER/first\"\necho 'error: stream error' >&2\nexit 1\n";
    cluster.script(DATABASES, script);
    let mut command = kubectl_union(TIGHTEN);
    cluster.set_environment(&mut command);
    let output = program_output(&command.output().unwrap());
    assert_eq!(output.error_message(), "kubectl: error: stream error");
}

/// A credential plug-in may stay in the background with the stderr of kubectl.
#[test]
#[cfg(unix)]
fn a_process_in_the_background_does_not_delay_the_command() {
    let cluster = FakeCluster::of_samples("background");
    cluster.write("first", &page(&["a"], "").to_string());
    cluster.script(
        DATABASES,
        "sleep 600 </dev/null >/dev/null &\necho $! >\"$FAKE_CLUSTER/pid\"\ncat \"$FAKE_CLUSTER/first\"\n",
    );
    let output = cluster.run(kubectl_union(TIGHTEN));
    assert_eq!(output.code, 0);
    let pid = std::fs::read_to_string(cluster.path("pid")).unwrap();
    let kill = Command::new("kill").arg(pid.trim()).status().unwrap();
    assert!(kill.success(), "the process in the background has ended");
}
