#include "laws/link.h"

#include <Eigen/QR>

namespace talus {
namespace {

template <int Dim>
typename LinkContact<Dim>::Rows solve_joint(const LinkContact<Dim>& c, const typename LinkContact<Dim>::Rows& b) {
    typename LinkContact<Dim>::Rows S = LinkContact<Dim>::Rows::Zero();
    S.head(c.rows) = -c.H.topLeftCorner(c.rows, c.rows).completeOrthogonalDecomposition().solve(b.head(c.rows));
    return S;
}

}  // namespace

template <int Dim>
typename LinkContact<Dim>::Rows solve_link(const LinkContact<Dim>& c, const typename LinkContact<Dim>::Rows& b) {
    return solve_joint(c, b);
}

template LinkContact<2>::Rows solve_link(const LinkContact<2>&, const LinkContact<2>::Rows&);
template LinkContact<3>::Rows solve_link(const LinkContact<3>&, const LinkContact<3>::Rows&);

}  // namespace talus
