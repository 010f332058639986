# Reads ctest's LastTest.log and prints how many test cases passed and failed: "41 0".
#
# A cmocka program says how many of its cases passed and failed, once for each of its groups. Any
# other program is one case. A program that failed without naming a failed case (a crash, a
# sanitizer's report, a timeout) is one failed case more. So is a program that does not exist, which
# the log calls passed: only its empty command gives it away.

function finish(program_failed)
{
    if (program_failed && failed_here == 0)
        failed_here = 1
    if (!program_failed && passed_here + failed_here == 0)
        passed_here = 1
    passed += passed_here
    failed += failed_here
    passed_here = failed_here = not_run = 0
}

/^Command: ""$/ { not_run = 1 }
/^\[  PASSED  \] [0-9]+ test\(s\)/ { passed_here += $4 }
/^\[  FAILED  \] [^ ]+: [0-9]+ test\(s\), listed below:/ { failed_here += $5 }
/^\[  FAILED  \] [0-9]+ test\(s\), listed below:/ { failed_here += $4 }
/^Test Passed\.$/ { finish(not_run) }
/^Test Failed\.$/ { finish(1) }

END { print passed + 0, failed + 0 }
