#ifndef CLoop_SHIMS_H
#define CLoop_SHIMS_H
#include <features.h>
#endif
