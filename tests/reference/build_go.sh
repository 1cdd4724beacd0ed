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

# The programs of this folder and of ../cluster. The whole kube-apiserver and kubectl are left out,
# because building them takes minutes, and the scripts that need them build them.
go_programs=(reference/builtin reference/cel reference/expressions reference/unions reference/formats reference/crd reference/crd_whole reference/strategic reference/texts reference/yaml cluster/server)

# The version of the modules in the go.mod files, such as 1.37.
go_latest=1.$(sed -n 's|^\tk8s\.io/apiserver v0\.\([0-9]*\)\..*|\1|p' "$go_sources/reference/go.mod")
# The newest modules of each older version, the newest version first.
go_older=(v0.36.6 v0.35.10 v0.34.13 v0.33.13 v0.32.13 v0.31.14 v0.30.14 v0.29.15 v0.28.15 v0.27.16 v0.26.15 v0.25.16)

# Prints the build tags for the modules of an older version. Each tag selects a source file for a
# part of the API that changed later.
go_tags() { # VERSION
    local minor=${1#1.} tags=metadata_without_context
    [ "$minor" -gt 34 ] || [ "$minor" -lt 30 ] || tags+=,base_environment_with_strict_cost
    [ "$minor" -gt 33 ] || tags+=,environment_without_table
    [ "$minor" -gt 31 ] || tags+=,without_semver
    [ "$minor" -gt 30 ] || tags+=,without_named_formats
    [ "$minor" -gt 29 ] || tags+=,without_addresses
    [ "$minor" != 29 ] || tags+=,strategy_without_selectable_fields
    [ "$minor" -gt 28 ] || tags+=,types_of_protobuf,strategy_of_all_versions
    echo "$tags"
}

# Writes a go.mod file with the modules of an older version, and prints its path. Go adds the
# modules that these need.
go_modules() { # VERSION
    local version folder
    version=$(printf '%s\n' "${go_older[@]}" | grep "^v0\.${1#1.}\.") || {
        echo "no modules are known for Kubernetes $1" >&2
        return 1
    }
    folder=$go_built/modules/$version
    if [ ! -f "$folder/go.mod" ]; then
        mkdir -p "$folder"
        cat >"$folder/go.mod" <<MODULES
module union-reference

go $go_version

require (
	k8s.io/api $version
	k8s.io/apiextensions-apiserver $version
	k8s.io/apimachinery $version
	k8s.io/apiserver $version
	union-reference-timing v0.0.0
)

replace union-reference-timing => ./timing
MODULES
    fi
    echo "$folder/go.mod"
}

# Builds the program in a folder of tests/, and prints the path of the program. Go skips the build
# if no source has changed.
#
# All programs are built with the same flags, because Go would compile Kubernetes once for each set
# of flags. The programs are optimized, because benches measure them. They have no debug symbols,
# because linking these takes half of the time.
#
# With VERSION, the program uses the modules of that older version; FOLDER must then be in the Go
# module of ../reference. The first program of a version takes minutes to build. These programs are
# not optimized, which saves a third of the build: no bench measures them.
build_go() { # FOLDER [VERSION]
    local program=$go_built/${1//\//-} version=${2:-$go_latest} modules options=()
    find_go
    if [ "$version" != "$go_latest" ]; then
        modules=$(go_modules "$version") || return
        program=$(dirname "$modules")/${1//\//-}
        options=(-mod=mod "-modfile=$modules" "-tags=$(go_tags "$version")" "-gcflags=all=-N -l")
    fi
    # In a command substitution, bash does not stop at an error.
    (cd "$go_sources/$1" &&
        go build ${options[@]+"${options[@]}"} -buildvcs=false -ldflags='-s -w' -o "$program" .) >&2 || return
    echo "$program"
}
