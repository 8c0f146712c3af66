// One empty translation unit, so that SwiftPM builds the header-only shims as a target.
#include "CLoopShims.h"
