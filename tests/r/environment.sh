# Environment of the tests of the R package, to be sourced: `run_r` runs a script with the package, which is installed
# into a library of its own. The variable `suite` names the folder for the work.
work=$ASDFKIT_BUILD/tests/$suite
rm -rf "$work"
mkdir -p "$work"
export R_LIBS="$work/library" ASDFKIT_WORK="$work"
# The glue compiles without a warning. R itself is compiled with other options, so it gets these for this package only.
echo 'CFLAGS += -Wall -Wextra -Werror' >"$work/Makevars"
R_MAKEVARS_USER="$work/Makevars" ./install.sh "$work"
run_r() {
    script=$1
    shift
    "$ASDFKIT_R" --no-echo --no-restore "--file=$script" --args "$@"
}
