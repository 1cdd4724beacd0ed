//! The version of Kubernetes that a cluster runs.

use std::str::FromStr as _;

use k8s_crd_validation::KubeVersion;
use serde::Deserialize;

/// The answer to a request for `/version`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerVersion {
    #[serde(default)]
    git_version: String,
    #[serde(default)]
    minor: String,
    /// The version that the server emulates during an upgrade of the control plane.
    #[serde(default)]
    emulation_minor: String,
}

/// Returns the version of the server, with a note if the version is unknown and the nearest known
/// version takes its place. `None` if the answer has no version.
pub(super) fn parse(answer: &[u8]) -> Option<(KubeVersion, Option<String>)> {
    let server: ServerVersion = serde_json::from_slice(answer).ok()?;
    if let Some(version) = known_version(&server.emulation_minor) {
        return Some((version, None));
    }
    if let Ok(version) = KubeVersion::from_str(&server.git_version) {
        return Some((version, None));
    }
    if let Some(version) = known_version(&server.minor) {
        return Some((version, None));
    }
    let minor: u32 = digits(&server.minor).parse().ok()?;
    let (earliest, latest) = (KubeVersion::EARLIEST, KubeVersion::LATEST);
    let nearest = if minor > u32::from(latest.minor()) {
        latest
    } else {
        earliest
    };
    let note = format!(
        "the server runs Kubernetes 1.{minor}, which is not one of the known versions {earliest} to {latest}; it counts as {nearest}"
    );
    Some((nearest, Some(note)))
}

fn known_version(minor: &str) -> Option<KubeVersion> {
    KubeVersion::from_minor(digits(minor).parse().ok()?)
}

/// Returns the digits of a minor version. Some providers add a `+`.
fn digits(minor: &str) -> &str {
    let end = minor.find(|c: char| !c.is_ascii_digit());
    &minor[..end.unwrap_or(minor.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_providers_are_read() {
        for (server, expected) in [
            (
                r#"{"gitVersion":"v1.33.4-gke.100","minor":"33+"}"#,
                Some("1.33"),
            ),
            (
                r#"{"gitVersion":"v1.27.3+k3s1","minor":"27"}"#,
                Some("1.27"),
            ),
            (
                r#"{"gitVersion":"v0.0.0-master+$Format:%H$","minor":"37"}"#,
                Some("1.37"),
            ),
            (
                r#"{"gitVersion":"v1.36.1","minor":"36","emulationMinor":"35"}"#,
                Some("1.35"),
            ),
            (
                r#"{"gitVersion":"v1.99.0","minor":"99"}"#,
                Some("1.37, nearest"),
            ),
            (
                r#"{"gitVersion":"v1.9.0","minor":"9"}"#,
                Some("1.25, nearest"),
            ),
            (r#"{"gitVersion":"?","minor":""}"#, None),
            ("null", None),
        ] {
            let version = parse(server.as_bytes());
            let version = version
                .map(|(version, note)| format!("{version}{}", note.map_or("", |_| ", nearest")));
            assert_eq!(version.as_deref(), expected, "{server}");
        }
        assert!(parse(b"<html>").is_none());
    }
}
