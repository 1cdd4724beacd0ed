# A function for bash scripts that source this file: it finds Go in PATH or gets it from go.dev.

# The version in our go.mod files. An older Go in PATH downloads that version, unless GOTOOLCHAIN
# forbids it.
go_version=1.26.0

# Adds Go to PATH if it is missing: from the folder of an earlier download, or from go.dev.
find_go() {
    command -v go >/dev/null && return
    local partly home=${XDG_CACHE_HOME:-$HOME/.cache}/union-reference/go$go_version os machine
    if [ ! -x "$home/bin/go" ]; then
        os=$(uname -s | tr '[:upper:]' '[:lower:]')
        case $(uname -m) in
            x86_64) machine=amd64 ;;
            aarch64 | arm64) machine=arm64 ;;
            *) machine=$(uname -m) ;;
        esac
        partly=$(mktemp -d)
        echo "no Go in PATH; it is downloaded into $home" >&2
        mkdir -p "$(dirname "$home")"
        if ! curl -fsSL "${GO_DOWNLOADS:-https://go.dev/dl}/go$go_version.$os-$machine.tar.gz" |
            tar -xz -C "$partly" --strip-components=1; then
            echo "Install Go $go_version or later, or skip this: cargo test needs only Rust." >&2
            exit 1
        fi
        mv "$partly" "$home"
    fi
    PATH=$home/bin:$PATH
}
