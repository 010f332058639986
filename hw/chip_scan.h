/* The GPIO chips of this machine: which there are, and when one comes or goes. */
#ifndef HW_CHIP_SCAN_H
#define HW_CHIP_SCAN_H

#include "lines.h"

/* Every chip that can be opened. 0, or -errno when none could be and why. */
int chip_scan(struct chip_list *list);

/*
 * The name of a chip that is spelled with a link: `gpiochip4` on a Raspberry Pi 5, or a path made
 * by udev. The spelling itself if it is none.
 */
void chip_follow_link(const char *spelling, char path[LINE_TEXT_SIZE]);

/* A descriptor that is readable when a chip may have come or gone, or -errno. */
int chip_watch_open(void);

/* Until the next one comes or goes. */
void chip_watch_read(int fd);

#endif
