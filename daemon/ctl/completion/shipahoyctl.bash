# shellcheck shell=bash
# Completion of shipahoyctl for bash. The words are those of rules/words.h and of --help; a test compares.

_shipahoyctl_subcommands='check watch send sim log games stats players doctor calibrate pair unpair backup restore'
_shipahoyctl_options='--config --host --port --prefix --table --socket --username --password-file
  --tls-ca --timeout --state-dir --json --inputs --list --once --write --force
  --help --version'
_shipahoyctl_verbs='new-game start-game aim fire topple raise roll-move select move engage roll-combat
  end-phase take-chest load-barrel deliver-barrel catch-wind move-wind entangle undo history
  games look-back'
_shipahoyctl_games='player= scenario= table= from= to= before= limit='
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
    history) echo from= game= states= ;;
    games) echo before= limit= ;;
    look-back) echo game= seq= ;;
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
    teams | abandon | anyway | states) echo true false ;;
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

# _shipahoyctl_possible PLACE [VERB [KEY=VALUE...]]: the commands that the table would accept now, one a
# line without remarks; nothing when there is no table, or none that answers at once.
_shipahoyctl_possible()
{
    local options=("${COMP_WORDS[@]:1:$1-1}")
    shift
    command shipahoyctl "${options[@]}" send --list --timeout 0.5 "$@" 2>/dev/null | sed 's/ *#.*//'
}

# _shipahoyctl_possible_verbs PLACE: those, and what is possible without being listed; else all.
_shipahoyctl_possible_verbs()
{
    local verbs
    verbs=$(_shipahoyctl_possible "$1" | sed 's/ .*//' | sort -u)
    echo "${verbs:+$verbs new-game start-game history games look-back}" | grep . || echo "$_shipahoyctl_verbs"
}

# _shipahoyctl_possible_values PLACE VERB KEY END: what KEY can be, with the fields before word END.
_shipahoyctl_possible_values()
{
    local given=() i values
    for ((i = $1 + 3; i < $4; i++)); do
        [ "${COMP_WORDS[i]}" != = ] || given+=("${COMP_WORDS[i - 1]}=${COMP_WORDS[i + 1]}")
    done
    values=$(_shipahoyctl_possible "$1" "$2" "${given[@]}" | tr ' ' '\n' | sed -n "s/^$3=//p" |
        tr '|' '\n' | sort -u)
    echo "${values:-$(_shipahoyctl_values "$2" "$3")}"
}

# bash takes `piece=red-1` for three words.
_shipahoyctl_send()
{
    local verb=${COMP_WORDS[$1 + 1]} word=$2 end=$COMP_CWORD
    if ((COMP_CWORD == $1 + 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$(_shipahoyctl_possible_verbs "$1")" -- "$word")
    elif [ "$word" = = ]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_shipahoyctl_possible_values "$1" "$verb" "$3" "$end")")
    elif [ "$3" = = ]; then
        ((end--))
        mapfile -t COMPREPLY < <(
            compgen -W "$(_shipahoyctl_possible_values "$1" "$verb" "${COMP_WORDS[end - 1]}" "$end")" \
                -- "$word")
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
        games) mapfile -t COMPREPLY < <(compgen -W "$_shipahoyctl_games" -- "$word") && compopt -o nospace ;;
        players)
            if ((COMP_CWORD == place + 1)); then
                mapfile -t COMPREPLY < <(compgen -W 'merge unmerge' -- "$word")
            fi
            ;;
        check | log | backup | restore) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        esac
    fi
}

complete -F _shipahoyctl shipahoyctl
