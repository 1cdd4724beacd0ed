# For bash scripts that source it: our programs in Go, each built once for all scripts that run it.

. "$(dirname "${BASH_SOURCE[0]}")/find_go.sh"

go_sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Beside what cargo builds; from here on wherever the script goes to.
case ${CARGO_TARGET_DIR-} in
    '') go_built=$(dirname "$go_sources")/target/go ;;
    /*) go_built=$CARGO_TARGET_DIR/go ;;
    *) go_built=$PWD/$CARGO_TARGET_DIR/go ;;
esac

# The programs of this folder and of ../cluster, but for the whole kube-apiserver, which takes minutes.
go_programs=(reference/cel reference/expressions reference/unions reference/formats reference/crd reference/crd_whole reference/strategic reference/texts cluster/server)

# Builds the program in that folder of tests/, where anything has changed, which Go knows, and prints its path.
#
# The flags are the same for all of them, or Go would compile Kubernetes once for each set of flags. Optimized, since benches
# measure them; without debug symbols, which take as long to link as all the rest.
build_go() { # FOLDER
    local program=$go_built/${1//\//-}
    find_go
    # In a command substitution, bash goes on after an error.
    (cd "$go_sources/$1" && go build -buildvcs=false -ldflags='-s -w' -o "$program" .) >&2 || return
    echo "$program"
}
