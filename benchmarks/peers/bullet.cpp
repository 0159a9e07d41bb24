/// \file
/// The jobs of peers.py in Bullet: spheres in a box, or boxes on a floor.
///
/// Settings: sequential impulses with warm start, split impulse, `iterations` a step of `step`; float (the library that Debian's
/// `pkg-config bullet` names). Lengths in units of `unit` metres, because Bullet is made for bodies of about one unit: contact
/// threshold, margin and slop keep their defaults. Friction of a pair is the product of two, so each body has the root. Nothing sleeps.

#include <btBulletDynamicsCommon.h>

#include <memory>

#include "job.h"

namespace {

class BulletWorld {
public:
    explicit BulletWorld(const peers::Job& job) : job_(job), unit_(job["unit"]) {
        world_.setGravity(btVector3(0, 0, static_cast<btScalar>(-job["gravity"] / unit_)));
        world_.getSolverInfo().m_numIterations = static_cast<int>(job["iterations"]);
        add_plane({0, 0, 1}, 0.0);
        if (job["kind"] == 0) {
            const double width = job["width"];
            add_plane({1, 0, 0}, 0.0);
            add_plane({-1, 0, 0}, -width);
            add_plane({0, 1, 0}, 0.0);
            add_plane({0, -1, 0}, -width);
        }
        for (const auto& start : job.bodies) add_body(start);
    }

    void run() {
        peers::Frames frames(job_);
        const double h = job_["step"], duration = job_["duration"];
        for (long k = 1; h * static_cast<double>(k) < duration + 0.5 * h; ++k) {
            world_.stepSimulation(static_cast<btScalar>(h), 0);
            const double t = h * static_cast<double>(k);
            if (frames.is_due(t, h)) write(frames, t);
        }
    }

private:
    void add(const std::shared_ptr<btCollisionShape>& shape, double mass, const btVector3& at, const btVector3& velocity) {
        shapes_.push_back(shape);
        btVector3 inertia(0, 0, 0);
        if (mass > 0.0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
        btTransform place;
        place.setIdentity();
        place.setOrigin(at);
        states_.push_back(std::make_unique<btDefaultMotionState>(place));
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), states_.back().get(), shape.get(), inertia);
        info.m_friction = static_cast<btScalar>(std::sqrt(job_["friction"]));
        info.m_restitution = 0;
        info.m_linearDamping = info.m_angularDamping = 0;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setLinearVelocity(velocity);
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }
    void add_plane(const btVector3& normal, double offset) {
        add(std::make_shared<btStaticPlaneShape>(normal, static_cast<btScalar>(offset / unit_)), 0.0, {0, 0, 0}, {0, 0, 0});
        ++walls_;
    }
    void add_body(const peers::Start& s) {
        const auto scaled = [this](const double (&x)[3]) {
            return btVector3(static_cast<btScalar>(x[0] / unit_), static_cast<btScalar>(x[1] / unit_), static_cast<btScalar>(x[2] / unit_));
        };
        if (job_["kind"] == 0) {
            const double d = job_["diameter"] / unit_;
            if (!ball_) ball_ = std::make_shared<btSphereShape>(static_cast<btScalar>(0.5 * d));
            add(ball_, job_["density"] * 1e-3 * d * d * d * 0.52359877559829887, scaled(s.x), scaled(s.v));
        } else {
            const btVector3 size = scaled(s.size);
            add(std::make_shared<btBoxShape>(btScalar(0.5) * size), job_["density"] * 1e-3 * size.x() * size.y() * size.z(),
                scaled(s.x), scaled(s.v));
        }
    }
    void write(peers::Frames& frames, double t) {
        for (std::size_t k = walls_; k < bodies_.size(); ++k) {
            const btVector3 x = bodies_[k]->getWorldTransform().getOrigin(), v = bodies_[k]->getLinearVelocity(),
                            w = bodies_[k]->getAngularVelocity();
            frames.add(t, {unit_ * x.x(), unit_ * x.y(), unit_ * x.z()}, {unit_ * v.x(), unit_ * v.y(), unit_ * v.z()},
                       {w.x(), w.y(), w.z()});
        }
    }

    const peers::Job& job_;
    double unit_;
    std::size_t walls_ = 0;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broad_;
    btSequentialImpulseConstraintSolver solver_;
    std::vector<std::shared_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btDefaultMotionState>> states_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &configuration_};
    std::shared_ptr<btCollisionShape> ball_;
};

}  // namespace

int main(int argc, char** argv) {
    const peers::Job job = peers::read_job(argc, argv);
    BulletWorld(job).run();
}
