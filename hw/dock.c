/*
 *  line     ____#_#_############################_##_______________________
 *               |   |<-- settle -->|            |   |<-- settle -->|
 *             at_us            DOCKED 1       at_us            DOCKED 0
 */
#include "dock.h"

void dock_tick(struct settle *dock, uint64_t now_us, uint64_t settle_us, enum harbour harbour,
               struct fact_list *out)
{
    if (!settle_tick(dock, now_us, settle_us)) {
        return;
    }
    struct fact *fact = fact_list_add(out, FACT_DOCKED, SENSOR_DOCK + harbour, dock->began_us);
    fact->harbour = harbour;
    fact->level = dock->decided;
    fact->evidence.settle_us = (uint32_t)settle_us;
    fact->evidence.bounces = dock->bounces;
}
