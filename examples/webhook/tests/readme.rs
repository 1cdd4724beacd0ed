//! Tests of the commands in the README: the responses match the page. `UPDATE_SNAPSHOTS=1` updates
//! the page.

use crate::support::client::post;
use crate::support::{TestServer, long_timeouts, package_folder};

#[tokio::test]
async fn the_commands_of_the_readme_print_the_output_of_the_page() {
    let webhook = TestServer::start(long_timeouts()).await;
    let page = package_folder().join("README.md");
    let readme = std::fs::read_to_string(&page).unwrap();
    let mut updated = readme.clone();
    let serve_command =
        "serve --crds crates/unionctl/samples/crd.yaml --self-signed target/certificates\n";
    assert!(readme.contains(serve_command), "the README has the command");
    // The commands of the other sections need a cluster: `tests/cluster` runs them.
    let (sections_without_cluster, _) = readme.split_once("## Protect a cluster").unwrap();
    let blocks = sections_without_cluster.split("```console\n$ ").skip(1);
    let mut command_count = 0;
    for block in blocks {
        let (command, output_and_page_end) = block.split_once('\n').unwrap();
        let (expected, _) = output_and_page_end.split_once("\n```").unwrap();
        let arguments = command
            .strip_prefix(
                "curl -s --cacert target/certificates/ca.crt -H content-type:application/json -d @",
            )
            .expect("a curl command");
        let (file, url) = arguments.split_once(' ').unwrap();
        let path = url.strip_prefix("https://localhost:8443").unwrap();
        let body = std::fs::read(package_folder().join("../..").join(file)).unwrap();
        let reply = webhook.send_and_read(post(path, body)).await;
        command_count += 1;
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            updated = updated.replacen(expected, reply.text(), 1);
            continue;
        }
        assert_eq!(reply.text(), expected, "{command}");
    }
    if updated != readme {
        std::fs::write(&page, updated).unwrap();
    }
    assert_eq!(command_count, 3);
}
