#ifndef CCurl_SHIMS_H
#define CCurl_SHIMS_H
#include <features.h>
#endif
