#ifndef COMMON_CRC32C_H
#define COMMON_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli) of data, continued from crc; start with 0. */
uint32_t crc32c(uint32_t crc, const void *data, size_t size);

#endif
