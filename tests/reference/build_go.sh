# Functions for bash scripts that source this file: they build our Go programs, each only once for
# all scripts.

. "$(dirname "${BASH_SOURCE[0]}")/find_go.sh"

go_sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The programs are built beside cargo's output. The path is absolute, because the script may change
# its folder.
case ${CARGO_TARGET_DIR-} in
    '') go_built=$(dirname "$go_sources")/target/go ;;
    /*) go_built=$CARGO_TARGET_DIR/go ;;
    *) go_built=$PWD/$CARGO_TARGET_DIR/go ;;
esac

# The programs of this folder and of ../cluster, but for the whole kube-apiserver, which takes
# minutes to build.
go_programs=(reference/cel reference/expressions reference/unions reference/formats reference/crd reference/crd_whole reference/strategic reference/texts reference/yaml cluster/server)

# Builds the program in this folder of tests/, unless Go finds that no source has changed, and
# prints the path of the program.
#
# All programs have the same flags: with others, Go would compile Kubernetes once for each set of
# flags. The programs are optimized, because benches measure them, and have no debug symbols,
# because linking these takes half of the time.
build_go() { # FOLDER
    local program=$go_built/${1//\//-}
    find_go
    # In a command substitution, bash does not stop at an error.
    (cd "$go_sources/$1" && go build -buildvcs=false -ldflags='-s -w' -o "$program" .) >&2 || return
    echo "$program"
}
