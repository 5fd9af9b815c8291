#ifndef KEEPER_H
#define KEEPER_H

#include "options.h"

/// Makes the scratch directory, reports so, waits until the harness is dead and the directory is not used any more, and
/// removes it with everything in it. Answers false where it could not be made, which is reported, or not be removed,
/// which goes to stderr.
bool keeper_run(const struct options *options);

#endif
