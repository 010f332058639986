# Reads ctest's LastTest.log and prints how many test cases passed, failed and were skipped: "41 0 1".
#
# A cmocka program says how many of its cases passed and failed, once for each of its groups.
# Python's unittest says how many cases it ran, and how many of them did not pass. Any other program
# is one case. A program that failed without naming a failed case (a crash, a sanitizer's report, a
# timeout) is one failed case more. So is a program that does not exist, which the log calls passed:
# only its empty command gives it away.

function finish(program_failed)
{
    if (passed_here < 0) # a case of unittest can fail in several of its parts
        passed_here = 0
    if (program_failed && failed_here == 0)
        failed_here = 1
    if (!program_failed && passed_here + failed_here + skipped_here == 0)
        passed_here = 1
    passed += passed_here
    failed += failed_here
    skipped += skipped_here
    passed_here = failed_here = skipped_here = not_run = 0
}

# The number after the word in unittest's last line: "FAILED (failures=1, errors=2, skipped=3)".
function number_of(word,    rest)
{
    if (!match($0, word "="))
        return 0
    rest = substr($0, RSTART + RLENGTH)
    return rest + 0
}

/^Command: ""$/ { not_run = 1 }
/^\[  PASSED  \] [0-9]+ test\(s\)/ { passed_here += $4 }
/^\[  FAILED  \] [^ ]+: [0-9]+ test\(s\), listed below:/ { failed_here += $5 }
/^\[  FAILED  \] [0-9]+ test\(s\), listed below:/ { failed_here += $4 }
/^Ran [0-9]+ tests? in / { passed_here += $2 }
/^(OK|FAILED) \(/ {
    bad = number_of("failures") + number_of("errors") + number_of("unexpected successes")
    failed_here += bad
    skipped_here += number_of("skipped")
    passed_here -= bad + number_of("skipped")
}
/^Test Passed\.$/ { finish(not_run) }
/^Test Failed\.$/ { finish(1) }

END { print passed + 0, failed + 0, skipped + 0 }
