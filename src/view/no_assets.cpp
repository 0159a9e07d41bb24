// Linked in builds without the viewer (TALUS_VIEWER=OFF); else the build makes the file that has it.
#include "view/page.h"

namespace talus::view {

Assets assets() { return {}; }

}  // namespace talus::view
