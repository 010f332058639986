#!/bin/sh
# demo.sh SHIPAHOYCTL TABLE.INI PAUSE_S: plays the game of config/demo.ini on a running table, with
# simulated sensors and with commands, and tells it in sentences. Used by run.sh --demo.

program=$1
table=$2
pause_s=$3
patience=100 # tenths of a second that the table may take to see something
next=1       # the first event that has not been told
rest_pid=

ctl()
{
    "$program" --config "$table" "$@"
}

give_up()
{
    tell
    echo "The demo gives up: $1" >&2
    exit 1
}

# scene SENTENCE: what the people at the table do next.
scene()
{
    printf '\n%s\n' "$1"
}

# order VERB FIELD...: said by a person, and accepted.
order()
{
    answer=$(ctl send "$@" 2>&1) || give_up "$* was answered: $answer"
}

# sensors WHAT...: something happens that the sensors see.
sensors()
{
    answer=$(ctl sim "$@" 2>&1) || give_up "sim $* was answered: $answer"
}

has_happened()
{
    ctl send --json history from="$next" | grep -q "\"event_type\":\"$1\""
}

# seen EVENT...: waits until all of these have happened, tells everything that is new, and rests.
seen()
{
    for event in "$@"; do
        tries=$patience
        until has_happened "$event"; do
            tries=$((tries - 1))
            [ $tries -gt 0 ] || give_up "$event did not happen."
            sleep 0.1
        done
    done
    tell
    rest
}

# Prints the new events, which come as lines of a number and a sentence.
tell()
{
    news=$(ctl send history from="$next")
    echo "$news" | sed 's/^[0-9]* /    /'
    next=$(($(echo "$news" | sed -n '$s/ .*//p') + 1))
}

# In the background, so that a signal need not wait.
rest()
{
    sleep "$pause_s" &
    rest_pid=$!
    wait $rest_pid
    rest_pid=
}

# The table sees the end of the shot window by itself.
window_closes()
{
    seen shot-over phase-started
}

tell_ranking()
{
    ctl send --json history from=1 |
        grep -o '{"player":[0-9]*,"place":[0-9]*,"points":[0-9]*' | tr -c '0-9\n' ' ' |
        while read -r player place points; do
            name=$(echo 'Anna Ben Cleo' | cut -d ' ' -f "$player")
            echo "    Place $place: $name, points: $points"
        done
}

trap '[ -n "$rest_pid" ] && kill $rest_pid; exit 143' TERM

scene 'Anna (red), Ben (blue) and Cleo (green) play for the treasure.'
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
scene 'Her close combat goes on. A flag is announced, but the die shows swords: undo.'
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
scene 'First the close combat of before, then the last blue ship.'
order roll-combat attacker=red-2 target=green-1 value=flag
seen piece-captured
order engage attacker=red-3 target=blue-2
order roll-combat attacker=red-3 target=blue-2 value=flag
seen game-over
tell_ranking

# The table is left as the next game needs it.
sensors raise all
