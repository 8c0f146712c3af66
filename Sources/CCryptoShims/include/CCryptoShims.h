#ifndef CCrypto_SHIMS_H
#define CCrypto_SHIMS_H
#include <features.h>
#endif
