#include <assert.h>

#include "../include/hive.h"

static void test_adding_counts(void)
{
    apiary place = {0};
    assert(apiary_add(&place, hive_open("east")) == 1);
}

int main(void)
{
    test_adding_counts();
    return 0;
}
