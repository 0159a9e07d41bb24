#include "record/columns.h"

namespace talus::record {
namespace {

/// Zero, or no rotation: what an array that was not recorded reads as.
template <class T>
T neutral() {
    if constexpr (requires { T::Zero(); }) {
        return T::Zero();
    } else {
        return T{};
    }
}

template <class T>
constexpr Kind kind_of() {
    if constexpr (std::is_same_v<T, double>) return Kind::f64;
    else if constexpr (std::is_same_v<T, std::int64_t>) return Kind::i64;
    else if constexpr (std::is_same_v<T, std::int32_t>) return Kind::i32;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return Kind::u32;
    else return Kind::u8;
}

/// Vectors and rotations are their numbers in a row; enums are their bytes.
template <class T>
RowType type_of() {
    if constexpr (requires { typename T::Scalar; }) {
        return plain(kind_of<typename T::Scalar>(), static_cast<int>(T::SizeAtCompileTime));
    } else if constexpr (std::is_same_v<T, Rotation<2>> || std::is_same_v<T, Rotation<3>>) {
        return plain(Kind::f64, static_cast<int>(sizeof(T) / sizeof(double)));
    } else {
        return plain(kind_of<T>());
    }
}

template <int Dim, auto Member>
BodyColumn<Dim> body(const char* name, bool required) {
    using T = typename std::remove_cvref_t<decltype(std::declval<Snapshot<Dim>>().*Member)>::value_type;
    return {name, type_of<T>(), required,
            [](const Snapshot<Dim>& s) -> const void* { return (s.*Member).data(); },
            [](Snapshot<Dim>& s, std::size_t n) -> void* {
                (s.*Member).assign(n, neutral<T>());
                return (s.*Member).data();
            }};
}

template <class Record, auto Member>
RecordColumn<Record> member(const char* name) {
    using T = std::remove_cvref_t<decltype(std::declval<Record>().*Member)>;
    return {name, type_of<T>(),
            [](const std::vector<Record>& records, std::byte* out) {
                for (std::size_t i = 0; i < records.size(); ++i) {
                    std::memcpy(out + i * sizeof(T), static_cast<const void*>(&(records[i].*Member)), sizeof(T));
                }
            },
            [](std::vector<Record>& records, const std::byte* in) {
                for (std::size_t i = 0; i < records.size(); ++i) {
                    std::memcpy(static_cast<void*>(&(records[i].*Member)), in + i * sizeof(T), sizeof(T));
                }
            }};
}

/// A column that came after files had been written: those read as if it were zero.
template <class Record>
RecordColumn<Record> later(RecordColumn<Record> column) {
    column.required = false;
    return column;
}

}  // namespace

template <int Dim>
const std::vector<BodyColumn<Dim>>& body_columns() {
    using S = Snapshot<Dim>;
    static const std::vector<BodyColumn<Dim>> columns{
        body<Dim, &S::id>("id", true),
        body<Dim, &S::position>("position", true),
        body<Dim, &S::radius>("radius", true),
        body<Dim, &S::material>("material", true),
        body<Dim, &S::wall>("wall", true),
        body<Dim, &S::shape>("shape", true),
        body<Dim, &S::driven>("driven", true),
        body<Dim, &S::image>("image", true),
        body<Dim, &S::rotation>("rotation", false),
        body<Dim, &S::velocity>("velocity", false),
        body<Dim, &S::spin>("spin", false),
        body<Dim, &S::mass>("mass", false),
        body<Dim, &S::inertia>("inertia", false),
        body<Dim, &S::tag>("tag", false),
        body<Dim, &S::birth>("birth", false),
    };
    return columns;
}

template <int Dim>
const std::vector<RecordColumn<Contact<Dim>>>& contact_columns() {
    using C = Contact<Dim>;
    static const std::vector<RecordColumn<C>> columns{
        member<C, &C::a>("a"),
        member<C, &C::b>("b"),
        member<C, &C::feature>("feature"),
        member<C, &C::point>("point"),
        member<C, &C::normal>("normal"),
        member<C, &C::gap>("gap"),
        member<C, &C::impulse>("impulse"),
        member<C, &C::status>("status"),
        member<C, &C::velocity_before>("velocity_before"),
        member<C, &C::velocity_after>("velocity_after"),
        member<C, &C::restitution>("restitution"),
        member<C, &C::tangential_restitution>("tangential_restitution"),
        member<C, &C::friction>("friction"),
        later(member<C, &C::couple>("couple")),
        later(member<C, &C::cohesion>("cohesion")),
        later(member<C, &C::bond>("bond")),
    };
    return columns;
}

template <int Dim>
const std::vector<RecordColumn<ContactSum<Dim>>>& sum_columns() {
    using C = ContactSum<Dim>;
    static const std::vector<RecordColumn<C>> columns{
        member<C, &C::a>("a"),         member<C, &C::b>("b"),           member<C, &C::feature>("feature"),
        member<C, &C::point>("point"), member<C, &C::normal>("normal"), member<C, &C::impulse>("impulse"),
    };
    return columns;
}

template const std::vector<BodyColumn<2>>& body_columns<2>();
template const std::vector<BodyColumn<3>>& body_columns<3>();
template const std::vector<RecordColumn<Contact<2>>>& contact_columns<2>();
template const std::vector<RecordColumn<Contact<3>>>& contact_columns<3>();
template const std::vector<RecordColumn<ContactSum<2>>>& sum_columns<2>();
template const std::vector<RecordColumn<ContactSum<3>>>& sum_columns<3>();

}  // namespace talus::record
