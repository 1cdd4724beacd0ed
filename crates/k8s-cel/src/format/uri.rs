//! The format `uri`: an absolute URI or an absolute path, as Go's `url.ParseRequestURI` parses it.

use k8s_go_text::net::url;

pub(super) fn is_uri(string: &str) -> bool {
    url::is_request_uri(string)
}
