// libyaml reads scenarios and profiles; see yaml.h.
#include <yaml.h>
