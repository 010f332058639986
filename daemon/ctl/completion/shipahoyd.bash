# shellcheck shell=bash
# Completion of shipahoyd for bash. The options are those of --help; a test compares.

_shipahoyd()
{
    case $3 in
    --config | --replay | --game) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    --state-dir) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    *)
        mapfile -t COMPREPLY < <(
            compgen -W '--config --check --state-dir --replay --game --version --help' -- "$2")
        ;;
    esac
}

complete -F _shipahoyd shipahoyd
