#!/bin/sh
# Extends the partition and the file system of / to the end of the card. Runs at each boot, because a card may
# be copied to a larger one; a boot without anything to do ends at the first test.
set -eu

slack_sectors=32768 # 16 MiB: less than this is not worth a change

partition=$(findmnt -n -o SOURCE /)
name=$(basename "$partition")
disk=$(basename "$(dirname "$(readlink -f "/sys/class/block/$name")")")
number=$(cat "/sys/class/block/$name/partition")
end=$(($(cat "/sys/class/block/$name/start") + $(cat "/sys/class/block/$name/size")))
if [ $((end + slack_sectors)) -lt "$(cat "/sys/class/block/$disk/size")" ]; then
    # One sector is written. The kernel learns of it from partx, because the disk is in use.
    echo ', +' | sfdisk --quiet --no-reread --force --partno "$number" "/dev/$disk"
    partx --update --nr "$number" "/dev/$disk"
fi
# Also after a power cut between the two. It returns at once if the file system is as large as its partition.
resize2fs "$partition"
