"""Random chains of transforms with what astropy computes for them: `random_chains.py DIRECTORY COUNT SEED`."""

import sys
from collections.abc import Callable
from pathlib import Path

import astropy.modeling.models as m
import gwcs.geometry
import gwcs.spectroscopy
import numpy as np
from astropy.modeling import Model
from corpus import Corpus, evaluated

POINTS = 40


class Maker:
    """Makes transforms from random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def number(self, low: float, high: float) -> float:
        return float(self.random.uniform(low, high))

    def signed(self, low: float, high: float) -> float:
        return self.number(low, high) * (1 if self.random.integers(2) else -1)

    def one(self, makers: list[Callable[[], Model]]) -> Model:
        return makers[self.random.integers(len(makers))]()

    def polynomial(self, kind: type, *degrees: int, **kwargs) -> Model:
        model = kind(*degrees, **kwargs)
        for name in model.param_names:
            setattr(model, name, self.signed(0.01, 1.0))
        return model

    def one_to_one(self) -> Model:
        n, s = self.number, self.signed
        degree = int(self.random.integers(0, 7))
        domain = [s(1, 2) - 5, n(3, 8)]
        return self.one(
            [
                lambda: m.Shift(s(0.1, 50)),
                lambda: m.Scale(s(0.1, 5)),
                lambda: m.Multiply(s(0.1, 5)),
                lambda: m.RedshiftScaleFactor(n(0, 3)),
                lambda: m.Linear1D(s(0.1, 3), s(0, 5)),
                lambda: m.Identity(1),
                lambda: m.Const1D(s(0, 9)),
                lambda: self.polynomial(m.Polynomial1D, degree),
                lambda: self.polynomial(m.Polynomial1D, degree, domain=domain, window=[-2, 1]),
                lambda: self.polynomial(m.Chebyshev1D, degree, domain=domain),
                lambda: self.polynomial(m.Legendre1D, degree, domain=domain),
                lambda: self.polynomial(m.Hermite1D, degree % 4, domain=domain),
                lambda: self.table(1),
                lambda: m.Gaussian1D(s(1, 5), s(0, 3), n(1, 4)),
                lambda: m.Lorentz1D(s(1, 5), s(0, 3), n(1, 4)),
                lambda: m.Moffat1D(s(1, 5), s(0, 3), n(1, 4), n(0.5, 2)),
                lambda: m.Voigt1D(s(0, 2), s(1, 5), n(0.5, 2), n(0.5, 2)),
                lambda: m.Sine1D(s(1, 3), n(0.05, 0.5), n(0, 1)),
                lambda: m.Cosine1D(s(1, 3), n(0.05, 0.5), n(0, 1)),
                lambda: m.ArcTangent1D(s(1, 3), n(0.05, 0.5), n(0, 1)),
                lambda: m.Exponential1D(s(1, 3), s(5, 20)),
                lambda: m.Drude1D(s(1, 3), n(1, 3), n(5, 9)),
                lambda: m.RickerWavelet1D(s(1, 3), s(0, 3), n(1, 3)),
                lambda: m.Box1D(s(1, 3), s(0, 3), n(1, 5)),
                lambda: m.Trapezoid1D(s(1, 3), s(0, 3), n(1, 5), n(0.5, 2)),
                lambda: m.Plummer1D(n(1, 5), n(1, 4)),
                lambda: gwcs.spectroscopy.SellmeierGlass([1.1, 0.3, 0.7], [0.002, 0.01, 90.0]),
            ]
        )

    def table(self, axes: int) -> Model:
        lengths = [int(self.random.integers(4, 9)) for _ in range(axes)]
        points = [np.cumsum(self.random.uniform(0.5, 2, length)) - 5 for length in lengths]
        values = self.random.normal(size=lengths)
        if axes == 1 and self.random.integers(2):
            values = np.cumsum(np.abs(values) + 0.1)
        method = ["linear", "nearest"][self.random.integers(2)]
        fill = [None, np.nan, -7.5][self.random.integers(3)]
        kind = m.Tabular1D if axes == 1 else m.Tabular2D
        return kind(points if axes == 2 else points[0], values, method=method, bounds_error=False, fill_value=fill)

    def two_to_two(self) -> Model:
        n, s = self.number, self.signed
        return self.one(
            [
                lambda: m.Rotation2D(s(0, 180)),
                lambda: m.AffineTransformation2D(
                    self.random.normal(size=(2, 2)) + np.eye(2) * 3, self.random.normal(size=2)
                ),
                lambda: m.Identity(2),
                lambda: m.Mapping((1, 0)),
                lambda: self.one_to_one() & self.one_to_one(),
                lambda: m.Mapping((0, 1, 0, 1)) | (self.two_to_one() & self.two_to_one()),
                lambda: m.Mapping((0, 0, 1)) | (self.two_to_one() & self.one_to_one()),
                self.projection,
                lambda: self.projection() | m.RotateNative2Celestial(n(0, 360), s(0, 89), n(0, 360)),
                lambda: m.RotateCelestial2Native(n(0, 360), s(0, 89), n(0, 360)) | m.Sky2Pix_TAN(),
                lambda: m.EulerAngleRotation(s(0, 180), s(0, 90), s(0, 180), "zxz"),
                self.through_vectors,
            ]
        )

    def through_vectors(self) -> Model:
        angles = [self.signed(0, 180) for _ in range(4)]
        wrap = [180, 360][self.random.integers(2)]
        to_vector = gwcs.geometry.SphericalToCartesian(wrap_lon_at=wrap)
        return to_vector | m.RotationSequence3D(angles, "zyxz") | gwcs.geometry.CartesianToSpherical(wrap_lon_at=wrap)

    def projection(self) -> Model:
        n = self.number
        return self.one([
            m.Pix2Sky_TAN, m.Pix2Sky_SIN, m.Pix2Sky_STG, m.Pix2Sky_ARC, m.Pix2Sky_ZEA, m.Pix2Sky_CAR, m.Pix2Sky_MER,
            m.Pix2Sky_SFL, m.Pix2Sky_PAR, m.Pix2Sky_MOL, m.Pix2Sky_AIT, m.Pix2Sky_TSC, m.Pix2Sky_QSC, m.Pix2Sky_AIR,
            lambda: m.Pix2Sky_CEA(n(0.3, 1)),
            lambda: m.Pix2Sky_CYP(n(0.5, 2), n(0.5, 2)),
            lambda: m.Pix2Sky_AZP(n(1.5, 3), n(0, 30)),
            lambda: m.Pix2Sky_SZP(n(1.5, 3), n(0, 90), n(60, 90)),
            lambda: m.Pix2Sky_COP(n(30, 60), n(0, 20)),
            lambda: m.Pix2Sky_COE(n(30, 60), n(0, 20)),
            lambda: m.Pix2Sky_COD(n(30, 60), n(1, 20)),
            lambda: m.Pix2Sky_COO(n(30, 60), n(1, 20)),
            lambda: m.Pix2Sky_BON(n(20, 60)),
            lambda: m.Pix2Sky_HPX(4, 3),
        ])  # fmt: skip

    def two_to_one(self) -> Model:
        s, n = self.signed, self.number
        degree = int(self.random.integers(0, 6))
        domains = {"x_domain": [-6, 7], "y_domain": [-8, 5]}
        return self.one(
            [
                lambda: self.polynomial(m.Polynomial2D, degree),
                lambda: self.polynomial(m.Polynomial2D, degree, **domains),
                lambda: self.polynomial(m.Chebyshev2D, degree, degree // 2, **domains),
                lambda: self.polynomial(m.Legendre2D, degree // 2, degree, **domains),
                lambda: self.polynomial(m.Hermite2D, degree % 3, 1, **domains),
                lambda: m.Planar2D(s(0, 2), s(0, 2), s(0, 2)),
                lambda: m.Const2D(s(0, 2)),
                lambda: self.table(2),
                lambda: m.Gaussian2D(s(1, 3), s(0, 2), s(0, 2), n(1, 4), n(1, 4), n(0, 3)),
                lambda: m.Moffat2D(s(1, 3), s(0, 2), s(0, 2), n(1, 4), n(0.5, 3)),
                lambda: m.Disk2D(s(1, 3), s(0, 2), s(0, 2), n(1, 4)),
                lambda: m.Ellipse2D(s(1, 3), s(0, 2), s(0, 2), n(2, 4), n(1, 2), n(0, 3)),
                lambda: m.math.HypotUfunc(),
                lambda: m.math.Arctan2Ufunc(),
                lambda: m.math.AddUfunc(),
                lambda: gwcs.spectroscopy.WavelengthFromGratingEquation(n(1, 3), 1),
            ]
        )

    def link(self, inputs: int) -> Model:
        """Returns a transform with this number of inputs, one or two, and as many outputs."""
        choice = self.random.integers(10)
        if choice == 0:
            left, right = self.link(inputs), self.link(inputs)
            return self.one([lambda: left + right, lambda: left - right, lambda: left * right])
        if choice == 1 and inputs == 2:
            return m.Mapping((0, 1, 1)) | (self.two_to_two() & self.one_to_one()) | m.Mapping((2, 0), n_inputs=3)
        return self.one_to_one() if inputs == 1 else self.two_to_two()

    def chain(self) -> Model:
        inputs = int(self.random.integers(1, 3))
        model = self.link(inputs)
        for _ in range(self.random.integers(1, 5)):
            model = model | self.link(inputs)
        if self.random.integers(8) == 0:
            model.inverse = self.link(inputs)
        return model

    def inputs(self, model: Model) -> list[np.ndarray]:
        columns = [self.random.uniform(-6, 6, POINTS) for _ in range(model.n_inputs)]
        # wcslib has arbitrary values for NaN in two projections.
        nan = 1.5 if "Quad" in str(model) or "HEALPix" in str(model) else np.nan
        for column in columns:
            column[:6] = [0, -0.0, 5, -5, 180, nan]
            self.random.shuffle(column[:6])
        return columns


def is_tame(model: Model, inputs: list[np.ndarray]) -> bool:
    """Returns whether rounding errors of the inputs stay small in the outputs: a chain can amplify them without bound."""
    here = evaluated(model, inputs)
    for sign in (-1, 1):
        there = evaluated(model, [np.nextafter(column, sign * np.inf) for column in inputs])
        for one, other in zip(here, there):
            same = np.isnan(one) == np.isnan(other)
            if not same.all() or np.nanmax(np.append(np.abs(one - other) - 1e-13 * np.abs(one), 0)) > 1e-11:
                return False
            if np.nanmax(np.append(np.abs(one[np.isfinite(one)]), 0)) > 1e8:
                return False
    return True


def is_tame_back(model: Model, inputs: list[np.ndarray]) -> bool:
    try:
        inverse = model.inverse
    except NotImplementedError:
        return True
    outputs = evaluated(model, inputs)
    if "Quad" in str(model) and np.isnan(outputs).any():
        return False
    return is_tame(inverse, outputs)


def main() -> None:
    directory, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    corpus, maker = Corpus(directory), Maker(seed)
    while len(corpus.entries) < count:
        model = maker.chain()
        inputs = maker.inputs(model)
        if is_tame(model, inputs) and is_tame_back(model, inputs):
            corpus.add_transform(f"chain_{len(corpus.entries):04}.asdf", model, inputs, tolerance=1e-10)
    corpus.write()


if __name__ == "__main__":
    main()
