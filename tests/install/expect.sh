# Sourced by the suites of this folder: counts of checks, and a check of a command.

passed=0
failed=0

# expect NAME COMMAND…: the command succeeds.
expect() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
}
