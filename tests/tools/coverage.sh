#!/bin/sh
# Prints which share of the lines and branches of rules/ the tests of build/coverage have run. Run
# from the top of the project, after the tests.
#
# The branch that an assertion takes when it fails is not counted: reaching it would be a bug.

set -e
csv=build/coverage/rules.csv
gcovr --root . --filter 'rules/' --exclude-branches-by-pattern '.*\bassert\(.*' \
    --csv --output "$csv" build/coverage/rules

awk -F, '
function share(covered, total) { return total ? sprintf("%.1f %%", 100 * covered / total) : "-" }
function row(name, lines, lines_run, branches, branches_run)
{
    printf "%-34s %5d / %-5d %8s  %5d / %-5d %8s\n", name, lines_run, lines,
        share(lines_run, lines), branches_run, branches, share(branches_run, branches)
}
NR == 1 { printf "%-34s %13s %8s  %13s %8s\n", "file", "lines", "", "branches", ""; next }
{
    row($1, $2, $3, $5, $6)
    lines += $2; lines_run += $3; branches += $5; branches_run += $6
}
END {
    row("total", lines, lines_run, branches, branches_run)
    exit lines == 0
}' "$csv"
