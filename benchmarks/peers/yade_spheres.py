# The spheres of peers.py in YADE: linear springs with viscous damping. Run by `yade -x -n -j1` in the folder of the job.
#
# Settings: k_n = 1e5 N/m, k_t = 2/7 k_n, damping near to critical (e = 0.05), step 1e-5 s: those of spheres.lmp. Collision with the usual margin.
import csv
import math

from yade import *  # noqa: F401,F403  the names of YADE come with its interpreter

job = {key: float(value) for key, value in (line.split() for line in open("job.txt"))}
radius, mass = 0.5 * job["diameter"], job["density"] * math.pi / 6 * job["diameter"] ** 3
kn, reduced = 1e5, 0.5 * mass
damping = 2 * 0.69 * math.sqrt(kn * reduced)  # e = exp(-pi xi / sqrt(1 - xi^2)) = 0.05
material = ViscElMat(density=job["density"], frictionAngle=math.atan(job["friction"]),
                     kn=2 * kn, ks=2 * kn * 2 / 7, cn=2 * damping, cs=damping)  # YADE puts the two bodies' springs in series
O.materials.append(material)
O.bodies.append([utils.wall(0, axis=2, sense=1), utils.wall(0, axis=0, sense=1), utils.wall(job["width"], axis=0, sense=-1),
                 utils.wall(0, axis=1, sense=1), utils.wall(job["width"], axis=1, sense=-1)])
grains = []
with open("start.csv") as start:
    for row in csv.DictReader(start):
        body = utils.sphere([float(row[k]) for k in "xyz"], radius)
        grains.append(O.bodies.append(body))
        O.bodies[grains[-1]].state.vel = [float(row[k]) for k in ("vx", "vy", "vz")]

O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.1 * radius),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                    [Law2_ScGeom_ViscElPhys_Basic()]),
    NewtonIntegrator(damping=0, gravity=(0, 0, -job["gravity"])),
]
O.dt = job["step"]
every = round(job["frame_every"] / job["step"])
with open("frames.csv", "w") as out:
    out.write("t,x,y,z,vx,vy,vz,wx,wy,wz\n")
    for k in range(round(job["duration"] / job["frame_every"])):
        O.run(every, True)
        print("time", O.time, flush=True)
        for g in grains:
            s = O.bodies[g].state
            out.write(",".join(repr(float(v)) for v in (O.time, *s.pos, *s.vel, *s.angVel)) + "\n")
exit()
