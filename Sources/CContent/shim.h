#include <features.h>
#include <zlib.h>
#include <iconv.h>
