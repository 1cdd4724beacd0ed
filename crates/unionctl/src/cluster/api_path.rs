//! Paths of API requests. Their segments come from files, so they are checked.

use std::fmt::Write as _;

/// A path of an API server, such as `/apis/example.com/v1/databases?limit=500`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiPath(String);

impl ApiPath {
    /// Returns the path of the version of the server. `kubectl version` reads the same path, but
    /// can fail because of the version of kubectl.
    pub(super) fn version() -> Self {
        Self("/version".to_owned())
    }

    /// Joins the segments of a path. Returns `None` if a segment cannot be a name: it could lead to
    /// another path, because kubectl decodes `%2F` and resolves `..`.
    pub(super) fn from_segments<'s>(segments: impl IntoIterator<Item = &'s str>) -> Option<Self> {
        let mut path = String::new();
        for segment in segments {
            if !is_segment(segment) {
                return None;
            }
            path.push('/');
            path.push_str(segment);
        }
        Some(Self(path))
    }

    /// Adds the parameters that have a value, with escaped values.
    pub(super) fn with_parameters(&self, parameters: &[(&str, &str)]) -> Self {
        let mut path = self.0.clone();
        let parameters = parameters.iter().filter(|(_, value)| !value.is_empty());
        for (index, (name, value)) in parameters.enumerate() {
            path.push(if index == 0 { '?' } else { '&' });
            path.push_str(name);
            path.push('=');
            add_escaped(&mut path, value);
        }
        Self(path)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true if a string may be the name of a group, a version, a resource or an object.
fn is_segment(segment: &str) -> bool {
    let is_allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b':');
    !matches!(segment, "" | "." | "..") && segment.bytes().all(is_allowed)
}

fn add_escaped(path: &mut String, value: &str) {
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                path.push(char::from(byte));
            }
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_cannot_lead_to_another_path() {
        for name in [
            "", ".", "..", "a/b", "a%2fb", "a?b", "a#b", "a b", "a\nb", "é", "--", "-v",
        ] {
            let path = ApiPath::from_segments(["apis", name]);
            let is_flag_like = matches!(name, "--" | "-v");
            assert_eq!(path.is_some(), is_flag_like, "{name:?}");
        }
        let path = ApiPath::from_segments(["apis", "example.com", "v1", "system:a_b"]);
        assert_eq!(
            path.expect("a path").as_str(),
            "/apis/example.com/v1/system:a_b"
        );
    }

    #[test]
    fn values_of_parameters_are_escaped() {
        let path = ApiPath::from_segments(["a"]).expect("a path");
        let path = path.with_parameters(&[("x", ""), ("y", "a=b,c in (d)&z=1"), ("z", "é+")]);
        assert_eq!(
            path.as_str(),
            "/a?y=a%3Db%2Cc%20in%20%28d%29%26z%3D1&z=%C3%A9%2B"
        );
    }
}
