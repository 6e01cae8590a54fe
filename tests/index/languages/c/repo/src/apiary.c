#include "hive.h"

union stamp {
    long seconds;
    unsigned char bytes[8];
};

static int lighter(const hive_t *one, const hive_t *other)
{
    return HIVE_WEIGHT(one) < HIVE_WEIGHT(other);
}

static hive_order order(void)
{
    return lighter;
}

int apiary_add(apiary *place, hive_t *hive)
{
    if (hive == NULL)
        hive = hive_open("new");
    if (place->first && order()(place->first, hive))
        hive_feed(hive, 0.5);
    hive->next = place->first;
    place->first = hive;
    return (int)++place->count;
}
