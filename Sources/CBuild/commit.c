#include "CBuild.h"

#ifndef HEADWIND_COMMIT
#define HEADWIND_COMMIT ""
#endif

const char *headwind_commit(void)
{
    return HEADWIND_COMMIT;
}
