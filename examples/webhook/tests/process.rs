//! Tests of the executable: arguments, signals, logs and certificate files.

use std::process::{Command, Output};

use serde_json::json;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::decisions::decode_patch;
use crate::program::{EXECUTABLE, LoggedProcess};
use crate::support::client::{get, post};
use crate::support::{crd_path, create_folder, review_response, sample_review};

/// Runs the executable to its end.
fn run(args: &[&str]) -> Output {
    Command::new(EXECUTABLE).args(args).output().unwrap()
}

/// Asserts that the executable exits with code 2, and prints an error with each of `messages`.
#[track_caller]
fn assert_fails(args: &[&str], messages: &[&str]) {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    // Lines of the log, which are JSON, may precede the errors.
    let lines = stderr.lines().filter(|line| !line.starts_with('{'));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), messages.len(), "{stderr}");
    for (line, message) in lines.iter().zip(messages) {
        assert!(
            line.starts_with("error: ") && line.contains(message),
            "{message:?} in {line:?}"
        );
    }
}

#[tokio::test]
async fn a_signal_stops_the_server_after_all_responses() {
    for signal in ["TERM", "INT"] {
        let certificates = create_folder(&format!("process-{signal}"));
        let crds = crd_path();
        let args = ["--crds", crds.to_str().unwrap()];
        let mut process = LoggedProcess::start(&certificates, &args);
        let mut client = process.client().await;
        let mut metrics_client = process.client().await;
        let mut start = post("/mutate", sample_review("switch.json").to_string());
        let end = start.split_off(start.len() - 10);
        client.send(start).await.unwrap();
        let gauge_line = "union_webhook_reading 1\n";
        while !metrics_client
            .send_and_read(get("/metrics"))
            .await
            .text()
            .contains(gauge_line)
        {}

        process.signal(signal);
        process.wait_for_message("stopping");
        client.send(end).await.unwrap();
        let reply = client.read_response().await.unwrap();
        assert_eq!(decode_patch(&review_response(&reply)).len(), 1);
        process.wait_for_message("stopped");
        assert_eq!(process.wait(), Some(0));
    }
}

#[tokio::test]
async fn changes_and_rejections_are_logged() {
    let certificates = create_folder("process-log");
    let crds = crd_path();
    let mut process = LoggedProcess::start(&certificates, &["--crds", crds.to_str().unwrap()]);
    let mut client = process.client().await;
    client
        .send_and_read(post("/mutate", sample_review("create.json").to_string()))
        .await;
    client
        .send_and_read(post("/mutate", sample_review("switch.json").to_string()))
        .await;
    let line = process.wait_for_message("answered");
    assert_eq!(line["uid"], sample_review("switch.json")["request"]["uid"]);
    assert_eq!(line["changes"], "spec.target.s3: cleared");
    assert_eq!(line["allowed"], true);
    assert_eq!(line["verdict"], "normalized");
    assert_eq!(line["reason"], "Normalized");
    assert_eq!(line["name"], "nightly");
    client
        .send_and_read(post(
            "/validate",
            sample_review("forgotten.json").to_string(),
        ))
        .await;
    let line = process.wait_for_message("answered");
    assert_eq!(line["kind"], "Backup.db.example.com");
    assert_eq!(line["name"], "nightly");
    assert_eq!(line["operation"], "UPDATE");
    assert_eq!(line["allowed"], false);
    assert!(
        line["refused"]
            .as_str()
            .unwrap()
            .contains("spec.target.volume")
    );
    assert_eq!(line["verdict"], "rejected");
    assert_eq!(line["reason"], "Invalid");
    client
        .send_and_read(post("/validate", sample_review("legacy.json").to_string()))
        .await;
    let line = process.wait_for_message("answered");
    assert_eq!(line["verdict"], "tolerated");
    assert_eq!(line["reason"], "FieldValueNotSupported");
    // The name of an object may be in its metadata only, also if the review is invalid.
    let mut review = sample_review("forgotten.json");
    review["request"]["name"] = "".into();
    for (metadata, name) in [
        (json!({"generateName": "nightly-"}), "nightly-*"),
        (json!({"name": "weekly", "generateName": "a"}), "weekly"),
        (json!({}), ""),
    ] {
        review["request"]["object"]["metadata"] = metadata;
        for operation in ["UPDATE", "EAT"] {
            review["request"]["operation"] = operation.into();
            client
                .send_and_read(post("/validate", review.to_string()))
                .await;
            let line = process.wait_for_message("answered");
            assert_eq!(line["name"], name);
            let reason = match operation {
                "UPDATE" => "Invalid",
                _ => "BadRequest",
            };
            assert_eq!(line["reason"], reason);
        }
    }
    client.send_and_read(get("/nowhere")).await;
    let line = process.wait_for_message("request rejected");
    assert_eq!(line["code"], 404);
    assert_eq!(line["reason"], "UnknownPath");
}

#[tokio::test]
async fn a_hangup_reads_crds_and_certificates_again() {
    let (certificates, crds) = (
        create_folder("process-hangup"),
        create_folder("process-hangup-crds"),
    );
    let file = crds.join("crd.yaml");
    let text = std::fs::read_to_string(crd_path()).unwrap();
    let crd_without_unions = text.replace("union-runtime.dev/unions", "something/else");
    let database_crd =
        std::fs::read_to_string(crd_path().with_file_name("database_crd.yaml")).unwrap();
    std::fs::write(&file, &crd_without_unions).unwrap();
    let args = ["--crds", crds.to_str().unwrap()];
    let mut process = LoggedProcess::start(&certificates, &args);
    let mut client = process.client().await;
    let switch = post("/mutate", sample_review("switch.json").to_string());
    assert_eq!(
        review_response(&client.send_and_read(&switch).await).get("patch"),
        None
    );

    for name in union_webhook::tls::CERTIFICATE_FILES {
        std::fs::remove_file(certificates.join(name)).unwrap();
    }
    std::fs::write(&file, format!("{text}\n---\n{database_crd}")).unwrap();
    process.signal("HUP");
    let line = process.wait_for_message("schemas compiled");
    assert_eq!(line["kinds"], "Backup.db.example.com/v1");
    // The old connection uses the new schemas. A new connection uses the new certificate, too.
    assert_eq!(
        decode_patch(&review_response(&client.send_and_read(&switch).await)).len(),
        1
    );
    let mut client = process.client().await;

    std::fs::write(&file, "kind: [").unwrap();
    process.signal("HUP");
    let line = process.wait_for_message("cannot load the schemas; the old schemas stay in use");
    assert!(
        line["problem"]
            .as_str()
            .unwrap()
            .contains("crd.yaml:1:7: invalid YAML: ")
    );
    assert_eq!(
        decode_patch(&review_response(&client.send_and_read(&switch).await)).len(),
        1
    );
    let metrics = client.send_and_read(get("/metrics")).await;
    assert!(
        metrics.text().contains("union_webhook_reloads_total 2\n"),
        "{}",
        metrics.text()
    );
    assert!(
        metrics
            .text()
            .contains("union_webhook_failed_reloads_total 1\n")
    );
}

#[test]
fn invalid_arguments_are_reported() {
    let folder = create_folder("process-wrong");
    let crds = crd_path();
    let crds = crds.to_str().unwrap();
    let write_file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let certificates = folder.join("certificates");
    let common_args = [
        "--self-signed",
        certificates.to_str().unwrap(),
        "--listen",
        "127.0.0.1:0",
    ];
    let assert_serve_fails = |args: &[&str], messages: &[&str]| {
        let mut all_args = vec!["serve"];
        all_args.extend(common_args);
        all_args.extend(args);
        assert_fails(&all_args, messages);
    };
    assert_serve_fails(
        &["--crds", "/nowhere.yaml"],
        &["/nowhere.yaml: cannot read the file or folder (--crds)"],
    );
    let empty = write_file("empty.yaml", "kind: Pod\n");
    let invalid_json = write_file("broken.json", "{");
    assert_serve_fails(
        &["--crds", &empty, "--crds", &invalid_json],
        &[
            "empty.yaml: no CustomResourceDefinition found",
            "broken.json:1:2: incomplete JSON: ",
        ],
    );
    let text = std::fs::read_to_string(crds).unwrap();
    let invalid_crd = write_file(
        "bad.yaml",
        &text.replace("\"None\": null", "\"Tape\": null"),
    );
    assert_serve_fails(
        &["--crds", &invalid_crd],
        &["bad.yaml: Backup.db.example.com/v1: "],
    );

    // Errors of clap have more lines, so only the code is compared.
    for args in [
        &["serve"][..],
        &["serve", "--crds", crds],
        &["serve", "--crds", crds, "--tls-cert", "a"],
        &[
            "serve",
            "--crds",
            crds,
            "--self-signed",
            "a",
            "--drain",
            "-1",
        ],
        &[
            "serve",
            "--crds",
            crds,
            "--self-signed",
            "a",
            "--concurrency",
            "0",
        ],
    ] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn invalid_certificates_are_reported() {
    let folder = create_folder("process-none");
    let crds = crd_path();
    let empty_file = folder.join("none.pem");
    std::fs::write(&empty_file, "").unwrap();
    let empty_file = empty_file.to_str().unwrap();
    let assert_tls_fails = |cert: &str, key: &str, messages: &[&str]| {
        let crds = crds.to_str().unwrap();
        let args = [
            "serve",
            "--crds",
            crds,
            "--tls-cert",
            cert,
            "--tls-key",
            key,
        ];
        assert_fails(&args, messages);
    };
    assert_tls_fails(
        "/nowhere",
        empty_file,
        &["/nowhere: cannot read certificates"],
    );
    assert_tls_fails(empty_file, empty_file, &["none.pem: no certificate found"]);
    let (first_folder, second_folder) = (folder.join("first"), folder.join("second"));
    for folder in [&first_folder, &second_folder] {
        let args = ["certs", "--out", folder.to_str().unwrap()];
        assert!(run(&args).status.success());
    }
    let cert = first_folder.join("tls.crt");
    let cert = cert.to_str().unwrap();
    assert_tls_fails(cert, empty_file, &["none.pem: cannot read the key"]);
    let key = second_folder.join("tls.key");
    assert_tls_fails(
        cert,
        key.to_str().unwrap(),
        &["tls.crt: the certificate does not work with"],
    );
    std::fs::remove_file(&key).unwrap();
    assert_fails(
        &["certs", "--out", second_folder.to_str().unwrap()],
        &["the folder has some of ca.crt, tls.crt, tls.key, but not all"],
    );
    assert_fails(
        &[
            "manifests",
            "--certs",
            second_folder.to_str().unwrap(),
            "--image",
            "a",
        ],
        &["tls.key: cannot read the file"],
    );
}

#[test]
fn certificates_are_created_once_and_readable_only_by_their_owner() {
    let folder = create_folder("process-certs");
    let args = [
        "certs",
        "--out",
        folder.to_str().unwrap(),
        "--host",
        "a.example.com",
    ];
    assert!(run(&args).status.success());
    let first_contents =
        union_webhook::tls::CERTIFICATE_FILES.map(|name| std::fs::read(folder.join(name)).unwrap());
    let [ca, certificate, key] = &first_contents;
    CertificateDer::from_pem_slice(ca).unwrap();
    CertificateDer::from_pem_slice(certificate).unwrap();
    PrivateKeyDer::from_pem_slice(key).unwrap();
    assert!(run(&args).status.success());
    let second_contents =
        union_webhook::tls::CERTIFICATE_FILES.map(|name| std::fs::read(folder.join(name)).unwrap());
    assert_eq!(first_contents, second_contents);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let key = std::fs::metadata(folder.join("tls.key")).unwrap();
        assert_eq!(key.permissions().mode() & 0o777, 0o600);
    }
    let args = [
        "manifests",
        "--certs",
        folder.to_str().unwrap(),
        "--image",
        "a",
    ];
    let output = run(&args);
    assert!(output.status.success());
    let expected = union_webhook::manifests::render(&folder, "a").unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
