#include "hive.h"

#include <stdlib.h>
#include <string.h>

int hive_errors = 0;
static const double lightest = 2.5;
static const char *nicknames[] = {"Ada", "Bea"};

static void warn(hive_t *hive)
{
    hive_errors++;
    if (hive->on_swarm)
        hive->on_swarm(hive);
}

/* Opens a hive.
 * The caller frees it. */
hive_t *hive_open(const char *name)
{
    hive_t *hive = calloc(1, sizeof(struct hive));
    strncpy(hive->name, name ? name : nicknames[0], sizeof hive->name - 1);
    hive->weight = lightest;
    return hive;
}

void hive_feed(hive_t *hive, double honey)
{
    /* TODO: refuse what does not fit */
    hive->honey += honey;
    if (HIVE_WEIGHT(hive) > HIVE_MOST) {
        hive->state = HIVE_SWARMING;
        warn(hive);
    }
}
