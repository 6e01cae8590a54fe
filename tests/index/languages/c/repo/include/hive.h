#ifndef HIVE_H
#define HIVE_H

#include <stddef.h>

#define HIVE_MOST 32
#define HIVE_WEIGHT(hive) ((hive)->weight + (hive)->honey)

#ifdef __cplusplus
extern "C" {
#endif

/** What a colony is doing. */
enum hive_state {
    HIVE_QUIET,
    HIVE_SWARMING = 4,
};

/** A box of bees. */
typedef struct hive {
    double weight, honey;
    enum hive_state state;
    char name[16];
    struct hive *next;
    void (*on_swarm)(struct hive *self);
} hive_t;

typedef struct {
    hive_t *first;
    size_t count;
} apiary;

typedef int (*hive_order)(const hive_t *, const hive_t *);

extern int hive_errors;

hive_t *hive_open(const char *name);
void hive_feed(hive_t *hive, double honey);
int apiary_add(apiary *place, hive_t *hive);

#ifdef __cplusplus
}
#endif

#endif
