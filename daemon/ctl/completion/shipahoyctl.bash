# shellcheck shell=bash
# Completion of shipahoyctl for bash. The words are those of rules/words.h and of --help; a test compares.

_shipahoyctl_subcommands='check watch send sim log doctor calibrate'
_shipahoyctl_options='--config --host --port --prefix --table --socket --username --password-file
  --tls-ca --timeout --state-dir --json --inputs --list --once --write --force
  --help --version'
_shipahoyctl_verbs='new-game start-game aim fire topple raise roll-move select move engage roll-combat
  end-phase take-chest load-barrel deliver-barrel catch-wind move-wind entangle undo history'
_shipahoyctl_sim='fire topple raise pull press hold dock undock button edge'
_shipahoyctl_pieces='red-1 red-2 red-3 red-tower blue-1 blue-2 blue-3 blue-tower green-1 green-2 green-3
  green-tower yellow-1 yellow-2 yellow-3 yellow-tower pirate monster kraken wind'
_shipahoyctl_colours='red blue green yellow'

# _shipahoyctl_keys VERB: the fields of a command.
_shipahoyctl_keys()
{
    case $1 in
    new-game) echo rules= scenario= teams= dice= first= barrels= abandon= anyway= ;;
    start-game) echo rules= scenario= teams= dice= first= barrels= anyway= ;;
    aim | topple | raise | select | take-chest | catch-wind | entangle) echo piece= ;;
    roll-move) echo value= ;;
    move) echo piece= knots= ;;
    engage) echo attacker= target= ;;
    roll-combat) echo attacker= target= value= ;;
    load-barrel | deliver-barrel) echo piece= harbour= ;;
    history) echo from= ;;
    esac
}

# _shipahoyctl_values VERB KEY: what a field can be.
_shipahoyctl_values()
{
    case $2 in
    piece | attacker | target) echo "$_shipahoyctl_pieces" ;;
    harbour) echo "$_shipahoyctl_colours" ;;
    value) [ "$1" = roll-combat ] && echo flag swords || echo 1 2 3 ;;
    rules) echo basic advanced ;;
    scenario) echo none treasure-island pirate-ship sea-monster heavy-wind merchant kraken ;;
    teams | abandon | anyway) echo true false ;;
    dice) echo table daemon ;;
    first) echo draw 1 2 3 4 ;;
    esac
}

# Where the subcommand stands, or nothing: options and their values are skipped.
_shipahoyctl_place()
{
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --json | --inputs | --list | --once | --force | --help | --version) ;;
        --*) ((i++)) ;;
        *) echo "$i" && return ;;
        esac
    done
}

# bash takes `piece=red-1` for three words.
_shipahoyctl_send()
{
    local verb=${COMP_WORDS[$1 + 1]} word=$2
    if ((COMP_CWORD == $1 + 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$_shipahoyctl_verbs" -- "$word")
    elif [ "$word" = = ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_shipahoyctl_values "$verb" "$3")")
    elif [ "$3" = = ]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_shipahoyctl_values "$verb" "${COMP_WORDS[COMP_CWORD - 2]}")" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$(_shipahoyctl_keys "$verb")" -- "$word")
        compopt -o nospace
    fi
}

_shipahoyctl_sim()
{
    local words=$_shipahoyctl_sim
    if ((COMP_CWORD > $1 + 1)); then
        case ${COMP_WORDS[$1 + 1]} in
        topple) words=$_shipahoyctl_pieces ;;
        raise) words="all $_shipahoyctl_pieces" ;;
        dock | undock) words=$_shipahoyctl_colours ;;
        *) words= ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}

_shipahoyctl()
{
    local word=$2 previous=$3 place
    place=$(_shipahoyctl_place)
    COMPREPLY=()
    case $previous in
    --config | --password-file | --tls-ca | --socket | --state-dir | --write)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    --host | --port | --prefix | --table | --username | --timeout) return ;;
    esac
    if [[ $word == --* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_shipahoyctl_options" -- "$word")
    elif [ -z "$place" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$_shipahoyctl_subcommands" -- "$word")
    else
        case ${COMP_WORDS[place]} in
        send) _shipahoyctl_send "$place" "$word" "$previous" ;;
        sim) _shipahoyctl_sim "$place" "$word" ;;
        check | log) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        esac
    fi
}

complete -F _shipahoyctl shipahoyctl
