# Run every test that needs only Rust and git.
test *args:
    cargo test {{args}}

# Run the compile-fail tests, and write the expected errors again (rustc 1.95).
ui:
    TRYBUILD=overwrite cargo test -p union-tests-ui

# Run the compile-fail tests with the oldest supported Rust, whose own errors have other texts.
ui-msrv:
    cargo +$(sed -n 's|^rust-version = "\([0-9.]*\)".*|\1|p' Cargo.toml) test -p union-tests-ui --target-dir target/msrv

# Update snapshots, case tables, pages and compile errors; read the diff.
bless:
    UPDATE_SNAPSHOTS=1 TRYBUILD=overwrite cargo test --no-fail-fast

# Compare the results with Kubernetes' own code (needs Go).
reference *seed:
    tests/reference/run {{seed}}

# Check that a test fails for each small change of a crate, such as `just mutants union-runtime`.
mutants *args:
    tests/mutants/run {{args}}

# Measure speed, and update the tables of tests/benches/README.md; `--quick` writes no file.
bench *args:
    tests/benches/run {{args}}

# Run everything that must pass before a change is merged; a word selects steps by name.
ci *word:
    .ci/run {{word}}
