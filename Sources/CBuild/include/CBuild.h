#ifndef CBUILD_H
#define CBUILD_H

/// The commit that this was built from, in hexadecimal digits; empty where nothing said so.
const char *headwind_commit(void);

#endif
