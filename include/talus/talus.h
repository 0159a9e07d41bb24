#pragma once
/// \file
/// The whole public interface of talus.
#include "talus/error.h"
#include "talus/ids.h"
#include "talus/joint.h"
#include "talus/law.h"
#include "talus/math.h"
#include "talus/report.h"
#include "talus/shape.h"
#include "talus/sweeping.h"
#include "talus/system.h"
#include "talus/time_function.h"
#include "talus/version.h"
#include "talus/world.h"
