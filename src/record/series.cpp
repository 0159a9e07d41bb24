#include "record/series.h"

#include <algorithm>
#include <array>

namespace talus::record {
namespace {

struct KindInfo {
    hid_t memory, file;
    std::size_t size;
};

KindInfo info(Kind kind) {
    switch (kind) {
        case Kind::f64: return {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, 8};
        case Kind::i64: return {H5T_NATIVE_INT64, H5T_STD_I64LE, 8};
        case Kind::u64: return {H5T_NATIVE_UINT64, H5T_STD_U64LE, 8};
        case Kind::i32: return {H5T_NATIVE_INT32, H5T_STD_I32LE, 4};
        case Kind::u32: return {H5T_NATIVE_UINT32, H5T_STD_U32LE, 4};
        case Kind::u8: return {H5T_NATIVE_UINT8, H5T_STD_U8LE, 1};
        case Kind::text32: break;
    }
    return {H5T_C_S1, H5T_C_S1, 32};
}

/// The HDF5 type of one field: a scalar, a fixed text, or a small array.
h5::Handle field_type(const Field& field, bool in_memory) {
    const KindInfo kind = info(field.kind);
    h5::Handle base(H5Tcopy(in_memory ? kind.memory : kind.file), H5Tclose);
    if (field.kind == Kind::text32) {
        H5Tset_size(base.get(), kind.size);
        H5Tset_strpad(base.get(), H5T_STR_NULLPAD);
        H5Tset_cset(base.get(), H5T_CSET_UTF8);
    }
    if (field.width == 1) return base;
    const hsize_t width = static_cast<hsize_t>(field.width);
    return {H5Tarray_create2(base.get(), 1, &width), H5Tclose};
}

h5::Handle row_type(const RowType& row, bool in_memory) {
    if (row.fields.empty()) return field_type({"", 0, row.kind, 1}, in_memory);
    h5::Handle type(H5Tcreate(H5T_COMPOUND, row.size), H5Tclose);
    for (const Field& field : row.fields) {
        const h5::Handle member = field_type(field, in_memory);
        H5Tinsert(type.get(), field.name, field.offset, member.get());
    }
    if (!in_memory) H5Tpack(type.get());
    return type;
}

h5::Handle creation_properties(int rank, const hsize_t* chunk, bool compress) {
    h5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(properties.get(), rank, chunk);
    if (compress) {
        H5Pset_shuffle(properties.get());
        H5Pset_deflate(properties.get(), 1);
    }
    return properties;
}

}  // namespace

RowType plain(Kind kind, int width) { return {{}, info(kind).size * static_cast<std::size_t>(width), kind, width}; }

RowType record_of(std::size_t size, std::vector<Field> fields) { return {std::move(fields), size, Kind::f64, 1}; }

Series::Series(const h5::File& file, std::string name, const RowType& type)
    : file_(&file), name_(std::move(name)), width_(type.width), is_record_(!type.fields.empty()),
      type_(row_type(type, true)) {}

Series Series::create(const h5::File& file, const std::string& name, const RowType& type, Storage storage) {
    Series series(file, name, type);
    const int rank = type.width > 1 ? 2 : 1;
    const auto width = static_cast<hsize_t>(type.width);
    const std::array<hsize_t, 2> size{0, width}, limit{H5S_UNLIMITED, width}, chunk{storage.chunk_rows, width};
    const h5::Handle space(H5Screate_simple(rank, size.data(), limit.data()), H5Sclose);
    const h5::Handle properties = creation_properties(rank, chunk.data(), storage.compress);
    const h5::Handle stored = row_type(type, false);
    series.set_ = {file.check(H5Dcreate2(file.id(), name.c_str(), stored.get(), space.get(), H5P_DEFAULT,
                                         properties.get(), H5P_DEFAULT), "create a dataset"), H5Dclose};
    return series;
}

Series Series::open(const h5::File& file, const std::string& name, const RowType& type) {
    Series series(file, name, type);
    series.set_ = h5::open_dataset(file, name);
    const h5::Handle space(H5Dget_space(series.set_.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    std::array<hsize_t, 2> size{0, 1};
    if (rank != (type.width > 1 ? 2 : 1)) file.damaged(name + " has the wrong number of axes");
    H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
    if (rank == 2 && size[1] != static_cast<hsize_t>(type.width)) file.damaged(name + " has rows of the wrong length");
    const h5::Handle stored(H5Dget_type(series.set_.get()), H5Tclose);
    if ((H5Tget_class(stored.get()) == H5T_COMPOUND) != series.is_record_) file.damaged(name + " has rows of the wrong type");
    return series;
}

std::uint64_t Series::rows() const {
    const h5::Handle space(file_->check(H5Dget_space(set_.get()), "read a dataset's size"), H5Sclose);
    std::array<hsize_t, 2> size{};
    H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
    return size[0];
}

h5::Handle Series::select(std::uint64_t begin, std::uint64_t count) const {
    h5::Handle space(H5Dget_space(set_.get()), H5Sclose);
    const std::array<hsize_t, 2> start{begin, 0}, size{count, static_cast<hsize_t>(width_)};
    file_->check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
                 "select rows");
    return space;
}

/// As many axes as the file's rows have: where the shapes differ, the library goes value by value, at several times the cost.
h5::Handle Series::room_for(std::uint64_t count) const {
    const std::array<hsize_t, 2> size{count, static_cast<hsize_t>(width_)};
    return {H5Screate_simple(width_ > 1 ? 2 : 1, size.data(), nullptr), H5Sclose};
}

void Series::write(std::uint64_t begin, std::uint64_t count, const void* data) const {
    if (count == 0) return;
    if (begin + count > rows()) truncate(begin + count);
    const h5::Handle memory = room_for(count);
    const h5::Handle target = select(begin, count);
    file_->check(H5Dwrite(set_.get(), type_.get(), memory.get(), target.get(), H5P_DEFAULT, data), "write rows");
}

void Series::read(std::uint64_t begin, std::uint64_t count, void* data) const {
    const std::uint64_t available = rows();
    if (begin > available || count > available - begin) {
        file_->damaged(name_ + " ends at row " + std::to_string(available) + ", rows up to " +
                       std::to_string(begin) + " + " + std::to_string(count) + " are asked for");
    }
    if (count == 0) return;
    const h5::Handle memory = room_for(count);
    const h5::Handle source = select(begin, count);
    file_->check(H5Dread(set_.get(), type_.get(), memory.get(), source.get(), H5P_DEFAULT, data), "read rows");
}

void Series::truncate(std::uint64_t rows) const {
    const std::array<hsize_t, 2> size{rows, static_cast<hsize_t>(width_)};
    file_->check(H5Dset_extent(set_.get(), size.data()), "resize a dataset");
}

}  // namespace talus::record
