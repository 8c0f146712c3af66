#include <features.h>
#include <yaml.h>
