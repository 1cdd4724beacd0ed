//! Tests of parts of a cluster that cannot be read: each failure in each command.

use crate::fake_cluster::{CRDS, DATABASES, FakeCluster};
use crate::process::{ProgramOutput, absent_folder, kubectl_union, program_output};

/// The ways in which a request can fail.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// kubectl prints an error of the server.
    Server(&'static str),
    /// kubectl prints another error.
    Client(&'static str),
    /// kubectl prints something else than the expected JSON.
    Output(&'static str),
}

use Failure::{Client, Output, Server};

/// The failures, each with the text of its message.
const SKIPPED: [(Failure, &str); 10] = [
    (
        Server("Error from server (Forbidden): User \"bob\" cannot get resource"),
        "User \"bob\" cannot get resource",
    ),
    (
        Server("Error from server (Expired): The provided continue parameter is too old"),
        "The provided continue parameter is too old",
    ),
    (Server("Error from server (Gone): gone"), "gone"),
    (
        Server("Error from server (InternalError): conversion webhook failed"),
        "conversion webhook failed",
    ),
    (Server("Error from server: odd"), "odd"),
    (Output(""), "the answer is not"),
    (Output("<html>login</html>"), "the answer is not"),
    (Output("{\"items\": [{\"metadata\""), "the answer is not"),
    (Output("[]"), "the answer is not"),
    (
        Output("{\"items\": [1], \"resources\": 3}"),
        "the answer is not",
    ),
];

/// The failures after which nothing can be read.
const FATAL: [(Failure, &str); 4] = [
    (
        Client(
            "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?",
        ),
        "did you specify the right host or port?",
    ),
    (
        Client("error: You must be logged in to the server (Unauthorized)"),
        "(Unauthorized)",
    ),
    (
        Client("error: context \"prod\" does not exist"),
        "context \"prod\" does not exist",
    ),
    (Client(""), "it failed without a message"),
];

fn apply(failure: Failure, cluster: &FakeCluster, path: &str) {
    match failure {
        Server(message) | Client(message) => cluster.fail(path, message),
        Output(text) => cluster.answer_text(path, text),
    }
}

const ONE_CRD: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/databases.db.example.com";
const BACKUP_CRD: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/backups.db.example.com";
const LEGACY: &str = "/apis/db.example.com/v1/namespaces/default/databases/legacy";

/// Commands with a request of theirs, and the description of the part that the request reads.
const REQUESTS: [(&[&str], &str, &str); 10] = [
    (
        &["check", "-f", "scaled.yaml"],
        "/apis/db.example.com/v1",
        "db.example.com/v1",
    ),
    (
        &["check", "-f", "scaled.yaml"],
        ONE_CRD,
        "customresourcedefinitions.apiextensions.k8s.io \"databases.db.example.com\"",
    ),
    (
        &["check", "-f", "scaled.yaml"],
        LEGACY,
        "databases.db.example.com \"default/legacy\"",
    ),
    (
        &["check", "--from-cluster"],
        CRDS,
        "customresourcedefinitions.apiextensions.k8s.io",
    ),
    (
        &["tighten", "--crd", "database_crd_tight.yaml"],
        ONE_CRD,
        "customresourcedefinitions.apiextensions.k8s.io \"databases.db.example.com\"",
    ),
    (
        &["tighten", "--crd", "database_crd_tight.yaml"],
        DATABASES,
        "databases.db.example.com",
    ),
    (
        &["upgrade", "--to", "1.36"],
        CRDS,
        "customresourcedefinitions.apiextensions.k8s.io",
    ),
    (
        &["upgrade", "--to", "1.36"],
        DATABASES,
        "databases.db.example.com",
    ),
    (
        &["compat", "--crd-new", "crd_next.yaml"],
        BACKUP_CRD,
        "customresourcedefinitions.apiextensions.k8s.io \"backups.db.example.com\"",
    ),
    (
        &["unions", "--list"],
        CRDS,
        "customresourcedefinitions.apiextensions.k8s.io",
    ),
];

#[test]
fn a_part_that_cannot_be_read_is_reported_and_skipped() {
    for (args, path, part) in REQUESTS {
        for (failure, message) in SKIPPED {
            // An object with odd fields is an object.
            let is_object = matches!(path, ONE_CRD | BACKUP_CRD | LEGACY);
            if is_object && matches!(failure, Output(text) if text.contains("resources")) {
                continue;
            }
            let cluster = FakeCluster::of_samples("failures");
            apply(failure, &cluster, path);
            let output = cluster.union(args);
            assert_eq!(output.code, 3, "{args:?} {path} {failure:?}: {output:?}");
            let warning = format!("warning: not read from the cluster: {part}: ");
            let mut lines = output.stderr.lines();
            let is_reported =
                lines.any(|line| line.starts_with(&warning) && line.contains(message));
            assert!(is_reported, "{args:?} {path} {failure:?}: {output:?}");
        }
    }
}

#[test]
fn other_parts_are_read_after_a_failure() {
    let cluster = FakeCluster::of_samples("other_parts");
    cluster.fail(DATABASES, "Error from server (Forbidden): no");
    cluster.fail(
        "/apis/ci.example.com/v1/pipelines",
        "Error from server (NotFound): the server could not find the requested resource",
    );
    let output = cluster.union(["upgrade", "--to", "1.36"]);
    assert_eq!(
        output.stdout,
        "1.37 -> 1.36: 0 breaking, 0 changed, 0 notices\n\
         checked: 3 CRDs, 1 object\n\
         not read from the cluster: 2 parts\n\
         incomplete\n"
    );
    let output = cluster.union(["upgrade", "--to", "1.36", "-o", "json"]);
    assert_eq!(output.json()["not_read_from_cluster"], 2);
    assert_eq!(output.code, 3);
}

/// A rejection is certain, even if other parts are unknown.
#[test]
fn a_rejection_takes_precedence_over_a_failure() {
    let cluster = FakeCluster::of_samples("precedence");
    cluster.fail(ONE_CRD, "Error from server (Forbidden): no");
    let files = ["check", "-f", "switched.yaml", "-f", "scaled.yaml"];
    let output = cluster.union(files);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(
        output.stdout.contains(
            "not checked:\n  scaled.yaml: Database \"legacy\" of db.example.com/v1: the CRD could not be read from the cluster\n\
             not read from the cluster: 1 part\nrejected\n"
        ),
        "{output:?}"
    );
}

#[test]
fn a_kind_that_is_not_served_is_reported() {
    let cluster = FakeCluster::of_samples("not_served");
    let kind = "apiVersion: db.example.com/v1\nkind: Cache\nmetadata: {name: a}\n";
    let group = "apiVersion: new.example.com/v1\nkind: Queue\nmetadata: {name: b}\n";
    let files = [kind, group].into_iter().enumerate().map(|(index, text)| {
        crate::process::write_file(&format!("cluster_not_served_{index}.yaml"), text)
    });
    for file in files {
        let output = cluster.union(["check", "-f", &file]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(
            output.stderr.contains("the server does not serve this"),
            "{output:?}"
        );
        assert!(
            output
                .stdout
                .contains("the cluster does not serve this kind"),
            "{output:?}"
        );
    }
}

#[test]
fn a_command_ends_if_nothing_can_be_read() {
    for (args, path, _) in REQUESTS {
        for (failure, message) in FATAL {
            let cluster = FakeCluster::of_samples("fatal");
            apply(failure, &cluster, path);
            let output = cluster.union(args);
            let error = output.error_message();
            assert!(error.starts_with("kubectl: "), "{args:?}: {error}");
            assert!(error.contains(message), "{args:?}: {error}");
        }
    }
}

/// Runs a command with an empty `PATH`.
fn run_without_kubectl(args: &[&str]) -> ProgramOutput {
    let folder = absent_folder("cluster_without_kubectl");
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = kubectl_union(args);
    FakeCluster::new("without_kubectl").set_environment(&mut command);
    program_output(&command.env("PATH", folder).output().unwrap())
}

#[test]
fn a_missing_kubectl_is_an_error_with_a_remedy() {
    for (args, ..) in REQUESTS {
        assert_eq!(
            run_without_kubectl(args).error_message(),
            "kubectl: the program is not on the PATH; install it, or pass the CRDs and the objects as files"
        );
    }
}

/// A credential plug-in prints the address of its page on stderr.
#[test]
fn messages_for_the_user_are_printed_and_logs_are_not() {
    let cluster = FakeCluster::of_samples("messages");
    cluster.script(
        "/version",
        "echo 'To sign in, open https://example.com/device' >&2\n\
         echo 'E1129 05:00:00.000000 7 memcache.go:265] noise' >&2\n\
         printf 'red \\033[31m\\n' >&2\n\
         echo '{\"gitVersion\": \"v1.37.0\"}'\n",
    );
    let output = cluster.union(["tighten", "--crd", "database_crd_tight.yaml"]);
    assert_eq!(
        (output.code, &*output.stderr),
        (
            0,
            "To sign in, open https://example.com/device\nred \\u{1b}[31m\n"
        )
    );
}

/// The CRD of a kind is known after its first object, but another version may not be served.
#[test]
fn a_version_that_is_not_served_is_reported_after_a_version_that_is() {
    let object = |version: &str, name: &str| {
        format!(
            "apiVersion: db.example.com/{version}\nkind: Database\nmetadata: {{name: {name}}}\n---\n"
        )
    };
    let objects = object("v1", "a") + &object("v2", "b") + &object("v2", "c");
    let file = crate::process::write_file("cluster_versions.yaml", objects);
    let cluster = FakeCluster::of_samples("versions");
    let output = cluster.union(["check", "-f", &file]);
    assert_eq!(output.code, 3, "{output:?}");
    assert_eq!(
        output.stderr,
        "warning: not read from the cluster: Database of db.example.com/v2: the CRD does not serve this version\n"
    );
    let line = "Database \"b\" of db.example.com/v2: the cluster does not serve this kind (and 1 object like this)";
    assert!(output.stdout.contains(line), "{output:?}");
}
