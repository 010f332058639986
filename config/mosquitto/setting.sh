# shellcheck shell=sh
# Sourced by the scripts that need a setting of the table; $configuration is its file.
# shellcheck disable=SC2154 # that

# setting SECTION KEY DEFAULT: a value of the configuration of the table.
setting()
{
    value=$(awk -v section="[$1]" -v key="$2" '
        /^[ \t]*\[/ { inside = index($0, section) > 0 }
        inside && $1 ~ "^" key "($|[=:])" {
            sub(/^[^=:]*[=:][ \t]*/, "")
            sub(/(^|[ \t]+);.*$/, "")
            sub(/[ \t\r]+$/, "")
            value = $0
        }
        END { print value }' "$configuration" 2>/dev/null)
    echo "${value:-$3}"
}
