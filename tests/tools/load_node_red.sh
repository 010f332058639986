#!/bin/sh
# load_node_red.sh PLACE: loads Node-RED with npm into PLACE, unless it is there already. The program is then
# PLACE/node_modules/.bin/node-red.
set -eu

node_red=node-red@4.1.15 # the last line that runs with the node of Debian 12

if [ ! -x "$1/node_modules/.bin/node-red" ]; then
    mkdir -p "$1"
    npm install --no-audit --no-fund --omit=dev --omit=optional --prefix "$1" $node_red
fi
