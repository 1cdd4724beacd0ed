//! The messages of older servers that our crates do not reproduce. `OLDER_TEXTS.md` lists them.

use k8s_cel::KubeVersion;

/// Returns true if a message of the server is in the table.
pub(crate) fn is_older_text(server: KubeVersion, message: &str) -> bool {
    rows().any(|(last, part)| server <= last && message.contains(part))
}

/// Returns the rows of the table: the last version with the message, and a part of the message.
fn rows() -> impl Iterator<Item = (KubeVersion, &'static str)> {
    include_str!("OLDER_TEXTS.md").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let last = cells.next()?.parse().ok()?;
        let part = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((last, part))
    })
}
