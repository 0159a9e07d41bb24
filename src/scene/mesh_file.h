#pragma once
/// \file
/// Triangle meshes from files: STL (text or binary) and OBJ.

#include <string>
#include <vector>

namespace talus::scene {

/// Nine numbers a triangle, its corners, as the shape `mesh` takes them. The file's kind is told by its name
/// (.stl or .obj). Polygons of an OBJ file are cut into triangles from their first corner. `shown` is the path
/// as the user wrote it.
/// \throws IoError when it cannot be opened; InputError with file and line (text) or triangle (binary) when it
/// is damaged, or when a triangle has no area.
[[nodiscard]] std::vector<double> read_mesh(const std::string& path, const std::string& shown);

}  // namespace talus::scene
