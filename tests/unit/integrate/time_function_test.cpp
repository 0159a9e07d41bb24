// Functions of time that drive freedoms: values, slopes and integrals against closed forms.
#include "../../physics/testbed.h"

namespace talus::test {
namespace {

/// Slope by a central difference: 1e-6 wide, so good to about 1e-9 of the second derivative.
double difference(const TimeFunction& f, double t) { return (f.value(t + 1e-6) - f.value(t - 1e-6)) / 2e-6; }

TEST(TimeFunction, SlopeIsTheDerivativeOfTheValue) {
    const TimeFunctionPtr functions[] = {constant(3.0), linear(-2.0), sine(0.3, 5.0, 0.7), ramp(1.0, 4.0, 0.2, 1.3),
                                         table({0.0, 0.5, 2.0}, {1.0, -1.0, 3.0}), expression("0.1*sin(2*_pi*t)+t^2", 1e-3),
                                         delayed(sine(1.0, 2.0, 0.0), 0.3), from_zero(sine(1.0, 2.0, 1.0)),
                                         integral_of(sine(1.0, 2.0, 0.5), 1e-3), integral_of(expression("t^3", 1e-3), 1e-3)};
    for (const TimeFunctionPtr& f : functions)
        for (const double t : {0.1, 0.37, 0.9, 1.7}) EXPECT_NEAR(f->slope(t), difference(*f, t), 2e-5) << t;
}

TEST(TimeFunction, SineStartsFromZeroWhateverItsPhase) {
    for (const double phase : {0.0, 1.0, -0.5 * pi}) {
        const TimeFunctionPtr f = sine(0.3, 5.0, phase);
        EXPECT_NEAR(f->value(0.0), 0.0, 1e-16);
        EXPECT_NEAR(f->value(0.07), 0.3 * (std::sin(2 * pi * 5.0 * 0.07 + phase) - std::sin(phase)), 1e-15);
        EXPECT_NEAR(f->slope(0.07), 0.3 * 2 * pi * 5.0 * std::cos(2 * pi * 5.0 * 0.07 + phase), 1e-13);
    }
}

TEST(TimeFunction, RampAndTableAreConstantOutside) {
    const TimeFunctionPtr r = ramp(1.0, 4.0, 0.2, 1.2), t = table({0.0, 0.5, 2.0}, {1.0, -1.0, 3.5});
    EXPECT_DOUBLE_EQ(r->value(0.0), 1.0);
    EXPECT_DOUBLE_EQ(r->value(0.7), 2.5);
    EXPECT_DOUBLE_EQ(r->value(9.0), 4.0);
    EXPECT_EQ(r->slope(9.0), 0.0);
    EXPECT_DOUBLE_EQ(t->value(-1.0), 1.0);
    EXPECT_DOUBLE_EQ(t->value(1.0), 0.5);
    EXPECT_DOUBLE_EQ(t->value(3.0), 3.5);
}

TEST(TimeFunction, IntegralsAgreeWithTheirClosedForm) {
    struct Case {
        TimeFunctionPtr f;
        double (*F)(double);
    };
    const Case cases[] = {
        {constant(3.0), [](double t) { return 3.0 * t; }},
        {linear(2.0), [](double t) { return t * t; }},
        {sine(0.5, 1.0, 0.0), [](double t) { return 0.5 * (1.0 - std::cos(2 * pi * t)) / (2 * pi); }},
        {expression("exp(-t)", 1e-3), [](double t) { return 1.0 - std::exp(-t); }},
        {ramp(0.0, 1.0, 0.0, 1.0), [](double t) { return t < 1.0 ? 0.5 * t * t : t - 0.5; }},
        {table({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}), [](double t) {
             return t < 1.0 ? 0.5 * t * t : t < 2.0 ? 0.5 + (t - 1.0) - 0.5 * (t - 1.0) * (t - 1.0) : 1.0;
         }},
    };
    for (const Case& c : cases) {
        const TimeFunctionPtr F = integral_of(c.f, 1e-3);
        for (const double t : {0.0, 0.3, 0.9999, 1.5, 2.5}) EXPECT_NEAR(F->value(t), c.F(t), 1e-12) << t;
        EXPECT_NEAR(F->slope(0.4), c.f->value(0.4), 1e-12);
    }
}

TEST(TimeFunction, IntegralHasTheSameBitsInAnyOrderOfEvaluation) {
    const auto make = [] { return integral_of(expression("sin(3*t)*exp(-0.1*t)", 1e-3), 1e-3); };
    const TimeFunctionPtr forward = make(), backward = make();
    std::vector<double> a, b;
    for (int i = 0; i <= 50; ++i) a.push_back(forward->value(0.037 * i));
    for (int i = 50; i >= 0; --i) b.push_back(backward->value(0.037 * i));
    std::reverse(b.begin(), b.end());
    EXPECT_EQ(a, b);
}

TEST(TimeFunction, BadInputIsRefused) {
    EXPECT_THROW((void)table({0.0, 1.0}, {0.0}), InputError);
    EXPECT_THROW((void)table({0.0, 0.0}, {0.0, 1.0}), InputError);
    EXPECT_THROW((void)expression("sin(2*", 1e-3), InputError);
    EXPECT_THROW((void)expression("2*foo(t)", 1e-3), InputError);
}

}  // namespace
}  // namespace talus::test
