"""The jobs of peers.py in Siconos: spheres in a box, or boxes on a floor. Run in the folder of the job.

Settings: Moreau-Jean time stepping, theta = 0.5, step `step`, collision by Bullet (in Siconos' own library, lengths scaled by `unit`), NSGS with at most
`iterations` sweeps to a full error of `tolerance`; the other parameters are those of the examples that come with it.
"""
import csv

import numpy

import siconos.numerics as sn
from siconos.kernel import (FrictionContact, MoreauJeanOSI, NewtonImpactFrictionNSL, NonSmoothDynamicalSystem,
                            TimeDiscretisation, TimeStepping)
from siconos.mechanics.collision import RigidBodyDS, SiconosBox, SiconosContactor, SiconosContactorSet, SiconosPlane, SiconosSphere
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

job = {key: float(value) for key, value in (line.split() for line in open("job.txt"))}


def contactors(shape):
    made = SiconosContactorSet()
    made.append(SiconosContactor(shape))
    return made


def solid(row):
    """A sphere or a box, its mass and inertia."""
    if job["kind"] == 0:
        d = job["diameter"]
        mass = job["density"] * 0.52359877559829887 * d ** 3
        return SiconosSphere(0.5 * d), mass, [0.1 * mass * d * d] * 3
    a, b, c = (float(row[k]) for k in ("sx", "sy", "sz"))
    mass = job["density"] * a * b * c
    return SiconosBox(a, b, c), mass, [mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12]


def bodies():
    with open("start.csv") as start:
        for row in csv.DictReader(start):
            shape, mass, inertia = solid(row)
            shape.setInsideMargin(0.02 * job["unit"])
            shape.setOutsideMargin(0.0)
            body = RigidBodyDS([*(float(row[k]) for k in "xyz"), 1, 0, 0, 0],
                               [*(float(row[k]) for k in ("vx", "vy", "vz")), 0, 0, 0], mass, numpy.diag(inertia))
            body.setContactors(contactors(shape))
            body.setFExtPtr([0, 0, -mass * job["gravity"]])
            yield body


def walls():
    """Shapes, places and turns. Boxes stand on a box, for a box on a plane gets one contact point; the normal of a plane is z."""
    half, width = 2 ** -0.5, job["width"]
    if job["kind"] == 1:
        yield SiconosBox(3 * width, 3 * width, width), [0.5 * width, 0, -0.5 * width, 1, 0, 0, 0]
        return
    yield SiconosPlane(), [0, 0, 0, 1, 0, 0, 0]
    yield SiconosPlane(), [0, 0, 0, half, 0, half, 0]
    yield SiconosPlane(), [width, 0, 0, half, 0, -half, 0]
    yield SiconosPlane(), [0, 0, 0, half, -half, 0, 0]
    yield SiconosPlane(), [0, width, 0, half, half, 0, 0]


def main():
    nsds = NonSmoothDynamicalSystem(0, job["duration"] + job["step"])
    all_bodies = list(bodies())
    for body in all_bodies:
        nsds.insertDynamicalSystem(body)
    options = SiconosBulletOptions()
    options.worldScale = 1.0 / job["unit"]
    options.contactBreakingThreshold = 0.02 * job["unit"]
    options.perturbationIterations = options.minimumPointsPerturbationThreshold = 3  # several points a face, as its examples
    collision = SiconosBulletCollisionManager(options)
    collision.insertNonSmoothLaw(NewtonImpactFrictionNSL(0.0, 0.0, job["friction"], 3), 0, 0)
    for shape, place in walls():
        collision.insertStaticContactorSet(contactors(shape), place)
    problem = FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
    problem.numericsSolverOptions().iparam[0] = int(job["iterations"])
    problem.numericsSolverOptions().dparam[0] = job["tolerance"]
    problem.setMaxSize(30000)
    problem.setMStorageType(1)
    problem.setNumericsVerboseMode(False)
    problem.setKeepLambdaAndYState(True)
    simulation = TimeStepping(nsds, TimeDiscretisation(0, job["step"]))
    simulation.insertIntegrator(MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(collision)
    simulation.setNewtonOptions(1)
    run(simulation, all_bodies)


def run(simulation, all_bodies):
    every = round(job["frame_every"] / job["step"])
    with open("frames.csv", "w") as out:
        out.write("t,x,y,z,vx,vy,vz,wx,wy,wz\n")
        for step in range(1, round(job["duration"] / job["step"]) + 1):
            simulation.computeOneStep()
            simulation.nextStep()
            if step % every:
                continue
            t = step * job["step"]
            print("time", t, flush=True)
            for body in all_bodies:
                x, v = body.q(), body.twist()
                out.write(",".join(repr(float(value)) for value in (t, *x[:3], *v[:3], *v[3:6])) + "\n")


main()
