# Run every test that needs only Rust.
test *args:
    cargo test {{args}}

# Run the compile-fail tests, and write the expected errors again (rustc 1.95).
ui:
    TRYBUILD=overwrite cargo test -p union-tests --test compile_fail

# Write again what a changed message, schema or expansion touches: snapshots, case tables, pages, compile errors. Read the diff.
bless:
    UPDATE_SNAPSHOTS=1 TRYBUILD=overwrite cargo test --no-fail-fast

# Compare the answers with those of Kubernetes' own code (needs Go).
reference *seed:
    tests/reference/run {{seed}}

# Measure speed, and write the tables of tests/benches/README.md; `--quick` writes nothing.
bench *args:
    tests/benches/run {{args}}

# Run everything that must pass before a change is merged; a word selects steps by name.
ci *word:
    .ci/run {{word}}
