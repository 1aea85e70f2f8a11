# Checks of the programs of a folder of examples, for suites that read this file with ".": check, check_command,
# check_all_ran and finish.
#
# The suite works in a folder of its own with the programs in bin. A suite of an interpreted language replaces the
# function run_example after reading this file:
#
#     run_example() {
#         script=$examples/$1.jl
#         shift
#         "$ASDFKIT_JULIA" "$script" "$@"
#     }
# shellcheck shell=sh
passed=0
failed=0

# run_example PROGRAM [ARGUMENT…]
run_example() {
    "bin/$@"
}

# check STATUS TEXT PROGRAM [ARGUMENT…]: the program ends with the status, and its output contains the text, or is empty
# for "".
check() {
    expected=$1
    text=$2
    shift 2
    touch "tried.$1"
    status=0
    run_example "$@" >output 2>&1 || status=$?
    if [ "$status" = "$expected" ] && if [ -n "$text" ]; then grep -qF -e "$text" output; else [ ! -s output ]; fi; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $*: it ends with $status instead of $expected, or does not print '$text', but:"
        cat output
    fi
}

# check_command COMMAND [ARGUMENT…]: the command succeeds.
check_command() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $*"
    fi
}

# check_all_ran FILE…: check ran the program of each of these sources.
check_all_ran() {
    for source; do
        program=$(basename "$source")
        if [ ! -e "tried.${program%.*}" ]; then
            failed=$((failed + 1))
            echo "FAILED $source: it is never run"
        fi
    done
}

# Prints the numbers of checks, as the last command of a suite, and fails if one failed.
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
