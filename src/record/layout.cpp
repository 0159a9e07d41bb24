#include "record/layout.h"

#include <cstddef>

#include "record/crc32.h"

namespace talus::record {

static_assert(sizeof(bool) == 1, "flags are stored as bytes");

RowType frame_row(int dim) {
    using R = FrameInfo;
    return record_of(sizeof(R), {{"time", offsetof(R, time), Kind::f64},
                                 {"step", offsetof(R, step), Kind::i64},
                                 {"h", offsetof(R, h), Kind::f64},
                                 {"gravity", offsetof(R, gravity), Kind::f64, dim},
                                 {"sums_seconds", offsetof(R, sums_seconds), Kind::f64},
                                 {"bodies_begin", offsetof(R, bodies_begin), Kind::u64},
                                 {"bodies_count", offsetof(R, bodies), Kind::u64},
                                 {"contacts_begin", offsetof(R, contacts_begin), Kind::u64},
                                 {"contacts_count", offsetof(R, contacts), Kind::u64},
                                 {"sums_begin", offsetof(R, sums_begin), Kind::u64},
                                 {"sums_count", offsetof(R, sums), Kind::u64}});
}

RowType report_row() {
    using R = ReportRow;
    return record_of(sizeof(R), {{"step", offsetof(R, report.step), Kind::i64},
                                 {"time", offsetof(R, report.time), Kind::f64},
                                 {"bodies", offsetof(R, report.bodies), Kind::i64},
                                 {"contacts", offsetof(R, report.contacts), Kind::i64},
                                 {"working_contacts", offsetof(R, report.working_contacts), Kind::i64},
                                 {"sweeps", offsetof(R, report.sweeps), Kind::i64},
                                 {"updates", offsetof(R, report.updates), Kind::i64},
                                 {"converged", offsetof(R, report.converged), Kind::u8},
                                 {"law_error", offsetof(R, report.law.mean), Kind::f64},
                                 {"law_error_max", offsetof(R, report.law.max), Kind::f64},
                                 {"law_working", offsetof(R, report.law.working), Kind::i64},
                                 {"v_ref", offsetof(R, report.law.v_ref), Kind::f64},
                                 {"moreau_change", offsetof(R, report.moreau_change), Kind::f64},
                                 {"kinetic", offsetof(R, report.energy.kinetic), Kind::f64},
                                 {"potential", offsetof(R, report.energy.potential), Kind::f64},
                                 {"drive_work", offsetof(R, report.energy.drive_work), Kind::f64},
                                 {"load_work", offsetof(R, report.energy.load_work), Kind::f64},
                                 {"impact", offsetof(R, report.energy.impact), Kind::f64},
                                 {"friction", offsetof(R, report.energy.friction), Kind::f64},
                                 {"correction", offsetof(R, report.energy.correction), Kind::f64},
                                 {"rotation", offsetof(R, report.energy.rotation), Kind::f64},
                                 {"created", offsetof(R, report.energy.created), Kind::f64},
                                 {"removed", offsetof(R, report.energy.removed), Kind::f64},
                                 {"frozen", offsetof(R, report.energy.frozen), Kind::f64},
                                 {"energy_residual", offsetof(R, report.energy.residual), Kind::f64},
                                 {"energy_gained", offsetof(R, report.energy_gained), Kind::u8},
                                 {"momentum_residual", offsetof(R, report.momentum_residual), Kind::f64},
                                 {"max_overlap", offsetof(R, report.max_overlap), Kind::f64},
                                 {"mean_overlap", offsetof(R, report.mean_overlap), Kind::f64},
                                 {"max_speed", offsetof(R, report.max_speed), Kind::f64},
                                 {"rebuilt", offsetof(R, report.rebuilt), Kind::u8},
                                 {"walls_begin", offsetof(R, walls_begin), Kind::u64},
                                 {"walls_count", offsetof(R, walls), Kind::u64}});
}

RowType wall_row(int dim) {
    using R = WallImpulse;
    return record_of(sizeof(R), {{"id", offsetof(R, id), Kind::i64}, {"impulse", offsetof(R, impulse), Kind::f64, dim}});
}

RowType text_row() {
    using R = TextRow;
    return record_of(sizeof(R), {{"frame", offsetof(R, frame), Kind::i64},
                                 {"time", offsetof(R, time), Kind::f64},
                                 {"begin", offsetof(R, begin), Kind::u64},
                                 {"count", offsetof(R, count), Kind::u64}});
}

RowType shape_row() {
    using R = ShapeRow;
    return record_of(sizeof(R), {{"name", offsetof(R, name), Kind::text32},
                                 {"begin", offsetof(R, begin), Kind::u64},
                                 {"count", offsetof(R, count), Kind::u64}});
}

RowType slot_row() {
    using R = SlotHeader;
    return record_of(sizeof(R), {{"sequence", offsetof(R, sequence), Kind::u64},
                                 {"step", offsetof(R, step), Kind::i64},
                                 {"time", offsetof(R, time), Kind::f64},
                                 {"size", offsetof(R, size), Kind::u64},
                                 {"frames", offsetof(R, frames), Kind::u64},
                                 {"reports", offsetof(R, reports), Kind::u64},
                                 {"observables", offsetof(R, observables), Kind::u64},
                                 {"shapes", offsetof(R, shapes), Kind::u64},
                                 {"bytes_crc", offsetof(R, bytes_crc), Kind::u64},
                                 {"header_crc", offsetof(R, header_crc), Kind::u64}});
}

std::string slot_name(int slot) { return "checkpoints/header" + std::to_string(slot); }
std::string slot_bytes_name(int slot) { return "checkpoints/bytes" + std::to_string(slot); }

std::uint64_t header_crc(const SlotHeader& header) {
    return crc32({reinterpret_cast<const std::byte*>(&header), offsetof(SlotHeader, header_crc)});
}

}  // namespace talus::record
