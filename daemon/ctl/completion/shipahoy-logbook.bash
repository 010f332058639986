# shellcheck shell=bash
# Completion of shipahoy-logbook for bash. The options are those of --help; a test compares.

_shipahoy-logbook()
{
    case $3 in
    --config | --backup) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    --export) mapfile -t COMPREPLY < <(compgen -W 'csv json' -- "$2") ;;
    --state-dir | csv | json) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    *)
        mapfile -t COMPREPLY < <(
            compgen -W '--config --check --state-dir --export --backup --version --help' -- "$2")
        ;;
    esac
}

complete -F _shipahoy-logbook shipahoy-logbook
