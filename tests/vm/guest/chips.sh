#!/bin/sh
# chips.sh plug|unplug CHIP...: the simulated GPIO chips of the table, by label.
#
#   table     the cannon, the rope, a button: lines with names, as on the header of a Raspberry Pi
#   tilts     a tilt switch for each of the sixteen pieces
#   beams     beams of pieces and docks of harbours
#   spare     nobody's, for whoever measures
set -eu

config=/sys/kernel/config/gpio-sim

name_line()
{
    mkdir "$config/$1/bank0/line$2"
    echo "$3" >"$config/$1/bank0/line$2/name"
}

plug()
{
    mkdir -p "$config/$1/bank0"
    case $1 in
        table) echo 8 ;;
        spare) echo 2 ;;
        *) echo 18 ;;
    esac >"$config/$1/bank0/num_lines"
    echo "$1" >"$config/$1/bank0/label"
    if [ "$1" = table ] && [ ! -d "$config/table/bank0/line0" ]; then
        name_line table 0 GPIO17
        name_line table 1 GPIO18
        name_line table 2 ROPE_A
        name_line table 3 ROPE_B
    fi
    echo 1 >"$config/$1/live"
}

action=$1
shift
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
for chip in "$@"; do
    case $action in
        plug) plug "$chip" ;;
        unplug) echo 0 >"$config/$chip/live" ;;
    esac
done
