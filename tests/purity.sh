#!/bin/sh
# purity.sh LIBRULES_A: proves that the rules are pure by looking at what the compiler made of them.
#
# A library that calls nothing but the string functions below can neither read a clock, roll a die,
# allocate nor do I/O; one without writable data can remember nothing between two steps. Meant for
# the release build: sanitizers and coverage counters add calls and data of their own.

archive=$1
allowed='memcpy memmove memset memcmp strlen strcmp strchr strcspn strtok_r'
# What a hardened build (-D_FORTIFY_SOURCE, -fstack-protector) makes of the same calls, and the name
# by which position-independent code finds its own tables.
allowed="$allowed __memcpy_chk __memmove_chk __memset_chk __stack_chk_fail _GLOBAL_OFFSET_TABLE_"

if ! objects=$(ar t "$archive") || [ -z "$objects" ]; then
    echo "purity.sh: $archive: no library to look at"
    exit 1
fi

# Calls that lead out of the archive, one a line.
foreign_symbols()
{
    nm "$archive" | awk '
        NF == 2 && ($1 == "U" || $1 == "w" || $1 == "v") { used[$2] = 1 }
        NF == 3 { defined[$3] = 1 }
        END { for (name in used) if (!(name in defined)) print name }' | sort
}

# Sections that a program could write to, with the object they are in. .data.rel.ro is none: it
# holds constant tables of pointers, which the loader fills in once and then makes read-only.
writable_sections()
{
    objdump -h "$archive" | awk '
        / file format / { object = $1; sub(/:$/, "", object) }
        $2 ~ /^\.(data|bss|tdata|tbss|sdata|sbss|lbss|ldata)(\.|$)/ && $2 !~ /^\.data\.rel\.ro/ &&
            $3 !~ /^0+$/ { print object ": " $2 " has " $3 " (hex) bytes" }'
}

# An uninitialized global of the old kind has no section yet.
common_symbols()
{
    nm "$archive" | awk 'NF == 3 && $2 == "C" { print $3 ": a global variable" }'
}

off_list=$(foreign_symbols | while read -r symbol; do
    case " $allowed " in
    *" $symbol "*) ;;
    *) echo "$symbol: not on the list of what the rules may call" ;;
    esac
done)
problems=$(printf '%s\n' "$off_list" "$(writable_sections)" "$(common_symbols)" | grep .)

echo "$archive: $(echo "$objects" | wc -l) objects"
echo "calls out: $(foreign_symbols | tr '\n' ' ')"
if [ -n "$problems" ]; then
    echo "$problems"
    exit 1
fi
echo "nothing off the list, no writable data"
