# Run every test that needs only Rust.
test *args:
    cargo test {{args}}

# Run the compile-fail tests, and write the expected errors again (rustc 1.95).
ui:
    TRYBUILD=overwrite cargo test -p union-tests --test compile_fail

# Update snapshots, case tables, pages and compile errors; read the diff.
bless:
    UPDATE_SNAPSHOTS=1 TRYBUILD=overwrite cargo test --no-fail-fast

# Compare the results with Kubernetes' own code (needs Go).
reference *seed:
    tests/reference/run {{seed}}

# Measure speed, and update the tables of tests/benches/README.md; `--quick` writes no file.
bench *args:
    tests/benches/run {{args}}

# Run everything that must pass before a change is merged; a word selects steps by name.
ci *word:
    .ci/run {{word}}
