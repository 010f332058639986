#!/bin/sh
# demo.sh SHIPAHOYCTL TABLE.INI PAUSE_S: plays the game of config/demo.ini on a running table with
# simulated sensors and commands, and prints its events. Used by run.sh --demo.

program=$1
table=$2
pause_s=$3
event_timeout=100 # in tenths of a second
next=1            # the first event that has not been printed
pause_pid=

ctl()
{
    "$program" --config "$table" "$@"
}

stop()
{
    echo "The demo stops: $1" >&2
    exit 1
}

give_up()
{
    print_events
    stop "$1"
}

# scene SENTENCE: describes what the players do next.
scene()
{
    printf '\n%s\n' "$1"
}

# order VERB FIELD...: sends a command, which must be accepted.
order()
{
    answer=$(ctl send "$@" 2>&1) || give_up "$* was answered: $answer"
}

# sensors WHAT...: operates simulated sensors.
sensors()
{
    answer=$(ctl sim "$@" 2>&1) || give_up "sim $* was answered: $answer"
}

has_happened()
{
    answer=$(ctl send --json history from="$next" 2>&1) || stop "$answer"
    echo "$answer" | grep -q "\"event_type\":\"$1\""
}

# seen EVENT...: waits until all of these events have happened, prints all new events, and pauses.
seen()
{
    for event in "$@"; do
        tries=$event_timeout
        until has_happened "$event"; do
            tries=$((tries - 1))
            [ $tries -gt 0 ] || give_up "$event did not happen."
            sleep 0.1
        done
    done
    print_events
    pause
}

# Prints the new events. Each is a line with a number and a sentence.
print_events()
{
    news=$(ctl send history from="$next")
    echo "$news" | sed 's/^[0-9]* /    /'
    next=$(($(echo "$news" | sed -n '$s/ .*//p') + 1))
}

# The sleep runs in the background, so that a signal is handled at once.
pause()
{
    sleep "$pause_s" &
    pause_pid=$!
    wait $pause_pid
    pause_pid=
}

# The shooting step ends automatically after the shot window.
window_closes()
{
    seen shot-over phase-started
}

print_ranking()
{
    ctl send --json history from=1 |
        grep -o '{"player":[0-9]*,"place":[0-9]*,"points":[0-9]*' | tr -c '0-9\n' ' ' |
        while read -r player place points; do
            name=$(echo 'Anna Ben Cleo' | cut -d ' ' -f "$player")
            echo "    Place $place: $name, points: $points"
        done
}

trap '[ -n "$pause_pid" ] && kill $pause_pid; exit 143' TERM

scene 'Anna (red), Ben (blue) and Cleo (green) play for the treasure.'
sensors raise all # what lies since the last game
order new-game abandon=true anyway=true
seen game-started

scene 'Anna puts the cannon next to red-1 and fires; a blue ship falls.'
order aim piece=red-1
sensors fire
sensors topple blue-1
seen piece-captured
window_closes
scene 'She rolls a three, pulls the rope from red-1 and presses its button.'
order roll-move value=3
order select piece=red-1
sensors pull 1.6
sensors press
seen piece-moved
scene 'That ship has reached the island.'
order take-chest piece=red-1
seen chest-taken
scene 'With red-2 she pulls too far, winds the rope back a little, and presses.'
order select piece=red-2
sensors pull 2.4
seen rope-over
sensors pull -1.4
sensors press
seen piece-moved
scene 'She holds the button to end the step, and attacks a green ship with red-2.'
sensors hold
seen phase-started
order engage attacker=red-2 target=green-1
order roll-combat attacker=red-2 target=green-1 value=swords
seen combat-rolled
order end-phase
seen turn-started

scene 'Somebody bumps the table, and the green tower falls.'
sensors topple green-tower
seen disturbance
sensors raise green-tower
seen piece-restored
scene 'Ben shoots at the ship with the treasure.'
sensors fire
sensors topple red-1
seen piece-captured
window_closes
scene 'He rolls a two and fetches the chest himself.'
order roll-move value=2
order select piece=blue-2
sensors pull 2
sensors press
seen piece-moved
order take-chest piece=blue-2
seen chest-taken
order end-phase
order end-phase
seen turn-started

scene 'Cleo knocks down a ship and a tower with one ball.'
sensors fire
sensors topple blue-3
sensors topple blue-tower
seen piece-captured
window_closes
order end-phase
scene 'Her close combat continues. Someone enters a flag, but the die shows swords: undo.'
order roll-combat attacker=green-1 target=red-2 value=flag
seen piece-captured
order undo
seen undone
order roll-combat attacker=green-1 target=red-2 value=swords
order end-phase
seen turn-started

scene 'Anna fires into the sea.'
sensors fire
window_closes
scene 'She moves a ship next to the one with the treasure.'
order roll-move value=1
order move piece=red-3 knots=1
order end-phase
seen piece-moved
scene 'She rolls for her earlier close combat, then attacks the last blue ship.'
order roll-combat attacker=red-2 target=green-1 value=flag
seen piece-captured
order engage attacker=red-3 target=blue-2
order roll-combat attacker=red-3 target=blue-2 value=flag
seen game-over
print_ranking

# The next game needs all pieces standing.
sensors raise all
