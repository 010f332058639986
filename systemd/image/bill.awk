# Packages, one a line with tabs between name, version, architecture, source, its version and licences, as a
# CycloneDX document.
function text(string)
{
    gsub(/[[:cntrl:]]/, " ", string)
    gsub(/\\/, "\\\\", string)
    gsub(/"/, "\\\"", string)
    return "\"" string "\""
}

function url(string)
{
    gsub(/%/, "%25", string)
    gsub(/\+/, "%2B", string)
    gsub(/:/, "%3A", string)
    return string
}

BEGIN {
    FS = "\t"
    printf "{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"version\":1,\n"
    printf "\"metadata\":{\"timestamp\":%s,\"component\":{\"type\":\"operating-system\",", text(date)
    printf "\"name\":%s,\"version\":%s}},\n\"components\":[\n", text(name), text(version)
}

{
    printf "%s{\"type\":\"library\",\"name\":%s,\"version\":%s,", NR == 1 ? "" : ",\n", text($1), text($2)
    printf "\"purl\":%s,\"licenses\":[", text("pkg:deb/debian/" url($1) "@" url($2) "?arch=" $3)
    count = split($6, licences, ";")
    for (i = 1; i < count; i++)
        printf "%s{\"license\":{\"name\":%s}}", i == 1 ? "" : ",", text(licences[i])
    printf "],\"properties\":[{\"name\":\"debian:source\",\"value\":%s},", text($4 " " $5)
    printf "{\"name\":\"debian:copyright\",\"value\":%s}]}", text("/usr/share/doc/" $1 "/copyright")
}

END {
    printf "\n]}\n"
}
