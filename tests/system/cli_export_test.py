"""talus export: VTP that VTK's own reader opens with the promised arrays, and CSV that agrees with it."""
import csv
import os
import unittest
import xml.etree.ElementTree as xml

from cli_support import TalusTest, disks

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    HAS_VTK = True
except ImportError:
    HAS_VTK = False

SPACE = """
talus: 1
dimension: 3
gravity: 9.81
step: 1e-3
duration: 0.05
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
  - {name: cup, cylinder_inside: {radius: 0.3}, material: grain}
  - {name: hopper, cone_inside: {lower_radius: 0.3, upper_radius: 0.6, height: 0.4}, position: [0, 0, 1], material: grain}
  - {name: room, box_inside: {size: [4, 4, .inf]}, material: grain}
  - {name: bell, ball_inside: {radius: 5}, material: grain}
  - {name: shelf, plate: {size: [0.1, 0.1]}, position: [1.5, 0, 1], material: grain}
  - {name: block, box: {size: [0.1, 0.1, 0.1]}, position: [-1.5, 0, 1], material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [3, 3, 2], origin: [-0.1, -0.1, 0.05], spacing: 0.1}, diameter: 0.1, material: grain, tag: 7}
record: {every: 0.01}
observe: [energy, contacts]
"""


def read_vtp(path):
    """The VTP as VTK reads it: mesh and point arrays by name."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    mesh = reader.GetOutput()
    points = mesh.GetPointData()
    return mesh, {points.GetArrayName(i): vtk_to_numpy(points.GetArray(i)) for i in range(points.GetNumberOfArrays())}


def read_csv(path):
    with open(path) as table:
        return list(csv.DictReader(table))


class Export(TalusTest):
    def export(self, text, *options):
        self.write("scene.yaml", text)
        self.talus("run", "scene.yaml", "--out", "run")
        return self.talus("export", "run/run.h5", *options).stdout

    def entries(self, name):
        """(time, file) of a .pvd."""
        sets = xml.parse(self.path("vtp", name + ".pvd")).getroot().find("Collection").findall("DataSet")
        return [(float(s.get("timestep")), s.get("file")) for s in sets]

    def test_collections_have_the_times_of_the_frames_and_files_that_are_there(self):
        self.export(SPACE, "--vtp", "vtp")
        for name in ("bodies", "contacts", "boundaries"):
            entries = self.entries(name)
            self.assertEqual(len(entries), 6)
            for k, (time, file) in enumerate(entries):
                self.assertAlmostEqual(time, 0.01 * k)
                self.assertTrue(os.path.exists(self.path("vtp", file)))

    def test_frame_chooses_what_is_written(self):
        self.export(SPACE, "--vtp", "vtp", "--csv", "csv", "--frame", "last")
        self.assertEqual(self.entries("bodies"), [(0.05, "bodies/bodies_000005.vtp")])
        self.assertEqual({row["frame"] for row in read_csv(self.path("csv/bodies.csv"))}, {"5"})
        self.talus("export", "run/run.h5", "--csv", "csv", "--frame", "-6")
        self.assertEqual({row["frame"] for row in read_csv(self.path("csv/bodies.csv"))}, {"0"})
        self.assertIn("has no frame 6", self.talus("export", "run/run.h5", "--csv", "csv", "--frame", "6", code=4).stderr)
        self.assertIn("'all' or 'last'", self.talus("export", "run/run.h5", "--csv", "csv", "--frame", "some", code=2).stderr)

    def test_csv_holds_bodies_contacts_reports_and_observables(self):
        self.export(SPACE, "--csv", "csv")
        bodies = read_csv(self.path("csv/bodies.csv"))
        self.assertEqual(len(bodies), 6 * 25)
        self.assertEqual({row["tag"] for row in bodies if float(row["radius"]) > 0}, {"7"})
        for name in ("id", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "radius", "mass", "material"):
            self.assertIn(name, bodies[0])
        contacts = read_csv(self.path("csv/contacts.csv"))
        self.assertGreater(len(contacts), 0)
        reports = read_csv(self.path("csv/reports.csv"))
        self.assertEqual([int(row["step"]) for row in reports], list(range(1, 51)))
        last = [row for row in read_csv(self.path("csv/observables.csv")) if row["frame"] == "-1"]
        kinetic = [float(row["value"]) for row in last if row["observable"] == "energy" and row["name"] == "kinetic"]
        self.assertEqual(kinetic, [float(reports[-1]["kinetic"])])

    def test_walls_get_what_their_contacts_give(self):
        self.export(SPACE, "--csv", "csv")
        contacts = [row for row in read_csv(self.path("csv/contacts.csv")) if row["frame"] == "5" and row["b"] == "0"]
        walls = [row for row in read_csv(self.path("csv/walls.csv")) if row["step"] == "50" and row["id"] == "0"]
        self.assertEqual(len(walls), 1)
        given = sum(float(row["impulse_z"]) for row in contacts)
        self.assertLess(abs(float(walls[0]["impulse_z"]) + given), 1e-12 * abs(given))  # rounding of nine terms

    def test_bodies_of_an_export_start_a_scene(self):
        self.export(SPACE, "--csv", "csv", "--frame", "last")
        grains = [row for row in read_csv(self.path("csv/bodies.csv")) if float(row["radius"]) > 0]
        columns = "x y z radius vx vy vz wx wy wz mass tag".split()
        with open(self.path("grains.csv"), "w") as out:
            out.write(",".join(columns) + "\n")
            out.writelines(",".join(row[c] for c in columns) + "\n" for row in grains)
        text = SPACE[:SPACE.index("generate:")] + "start: {csv: grains.csv, material: grain}\nallow: [overlap]\n"
        self.write("again.yaml", text)
        self.assertEqual(self.json("run", "again.yaml", "--until", "0.002")["bodies"], 25)

    @unittest.skipUnless(HAS_VTK, "needs python3-vtk9")
    def test_vtk_reads_the_promised_arrays_in_space(self):
        self.export(SPACE, "--vtp", "vtp", "--csv", "csv", "--frame", "last")
        mesh, bodies = read_vtp(self.path("vtp/bodies/bodies_000005.vtp"))
        self.assertEqual(mesh.GetNumberOfPoints(), 18)
        self.assertEqual(mesh.GetNumberOfVerts(), 18)
        for name in ("id", "radius", "velocity", "angular_velocity", "material"):
            self.assertIn(name, bodies)
        rows = [row for row in read_csv(self.path("csv/bodies.csv")) if float(row["radius"]) > 0]
        for k, row in enumerate(rows):
            self.assertEqual([float(row[c]) for c in ("x", "y", "z")], list(mesh.GetPoint(k)))
            self.assertEqual([float(row[c]) for c in ("vx", "vy", "vz")], list(bodies["velocity"][k]))
        mesh, contacts = read_vtp(self.path("vtp/contacts/contacts_000005.vtp"))
        for name in ("normal_force", "tangential_force", "gap", "status"):
            self.assertIn(name, contacts)
        rows = read_csv(self.path("csv/contacts.csv"))
        self.assertEqual(mesh.GetNumberOfPoints(), len(rows))
        self.assertEqual([float(row["normal_force"]) for row in rows], list(contacts["normal_force"]))
        self.assertEqual(contacts["tangential_force"].shape, (len(rows), 3))
        mesh, _ = read_vtp(self.path("vtp/boundaries/boundaries_000005.vtp"))
        self.assertGreater(mesh.GetNumberOfPolys(), 6 + 4 + 1 + 1)
        self.assertEqual(mesh.GetCellData().GetArray("id").GetNumberOfTuples(), mesh.GetNumberOfCells())

    @unittest.skipUnless(HAS_VTK, "needs python3-vtk9")
    def test_vtk_reads_a_plane_run_and_its_sums(self):
        self.export(disks(), "--vtp", "vtp")
        mesh, bodies = read_vtp(self.path("vtp/bodies/bodies_000006.vtp"))
        self.assertEqual(mesh.GetNumberOfPoints(), 30)
        self.assertEqual(bodies["angular_velocity"].shape, (30, 3))
        self.assertEqual(set(bodies["angular_velocity"][:, 0]), {0.0})  # in the plane spins are about z
        mesh, sums = read_vtp(self.path("vtp/sums/sums_000006.vtp"))
        self.assertGreater(mesh.GetNumberOfPoints(), 0)
        self.assertGreater(sums["normal_force"].sum(), 0.0)
        mesh, _ = read_vtp(self.path("vtp/boundaries/boundaries_000006.vtp"))
        self.assertEqual(mesh.GetNumberOfLines(), 1)


if __name__ == "__main__":
    if not HAS_VTK:
        print("VTK is not installed (python3-vtk9): its reader is not tried")
    unittest.main()
