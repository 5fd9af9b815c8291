#ifndef STREAMS_H
#define STREAMS_H

/// Lets go of standard input and output, so that they end when those whom they are for have closed them.
void release_streams(void);

#endif
