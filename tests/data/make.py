#!/usr/bin/env python3
"""Writes the files of this folder with NumPy and SciPy, the programs whose files are to be read. See README.md."""
import pathlib

import numpy as np
import scipy.io
import scipy.sparse

HERE = pathlib.Path(__file__).resolve().parent
A = np.array([[4.0, -1.0, 0.0, 0.5], [0.0, 2.25, 0.0, 0.0], [1e-3, 0.0, -7.0, 0.0]])
K = np.array([[2.0, -1.0, 0.0, 0.1], [-1.0, 2.0, -1.0, 0.0], [0.0, -1.0, 2.0, -1.0], [0.1, 0.0, -1.0, 1.0]])
S = np.array([[0.0, 2.0, 0.0], [-2.0, 0.0, 0.5], [0.0, -0.5, 0.0]])
N = np.array([[3, 0, 1], [0, -2, 0]])


def matrix_market():
    coo, write = scipy.sparse.coo_matrix, scipy.io.mmwrite
    write(HERE / "general.mtx", coo(A), comment=" three rows\n four columns")
    write(HERE / "symmetric.mtx", coo(K), symmetry="symmetric")
    write(HERE / "skew.mtx", coo(S), symmetry="skew-symmetric")
    write(HERE / "integer.mtx", coo(N), field="integer")
    write(HERE / "complex.mtx", coo(A * 1j))
    write(HERE / "pattern.mtx", coo(A), field="pattern")
    write(HERE / "array.mtx", A)
    write(HERE / "array_symmetric.mtx", K, symmetry="symmetric")
    write(HERE / "array_skew.mtx", S, symmetry="skew-symmetric")


def sparse():
    for kind in ("csr", "csc", "coo", "dia"):
        scipy.sparse.save_npz(HERE / f"{kind}.npz", scipy.sparse.coo_matrix(A).asformat(kind))
    scipy.sparse.save_npz(HERE / "bsr.npz", scipy.sparse.bsr_matrix(K, blocksize=(2, 2)))
    scipy.sparse.save_npz(HERE / "csr_stored.npz", scipy.sparse.csr_matrix(A), compressed=False)


def arrays():
    np.savez(HERE / "arrays.npz", K=K, A=A, t=np.arange(5) / 4)
    np.savez_compressed(HERE / "arrays_compressed.npz", K=K, A=np.asfortranarray(A), t=np.arange(5) / 4)
    kinds = ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1")
    values = np.array([[0, 1, 2], [3, 0, 5]])
    both = {kind: values.astype("<" + kind) for kind in kinds} | {kind + "_big": values.astype(">" + kind) for kind in kinds}
    np.savez_compressed(HERE / "kinds.npz", **both, fortran=np.asfortranarray(values), negative=-values,
                        complex=values * 1j, half=values.astype("f2"), text=np.array(["a", "b"]), cube=np.zeros((2, 2, 2)),
                        single=np.float64(3.0), nan=np.array([1.0, np.nan]), empty=np.zeros((0, 3)))
    np.save(HERE / "array.npy", A)
    np.save(HERE / "fields.npy", np.array([(0.0, 1.0)], dtype=[("t", "f8"), ("a", "f8")]))
    np.save(HERE / "objects.npy", np.array([None, "x"], dtype=object))
    for version in (2, 3):
        with open(HERE / f"version{version}.npy", "wb") as file:
            np.lib.format.write_array(file, A, version=(version, 0))


def tables():
    t = np.arange(5) / 4
    np.savetxt(HERE / "motion.csv", np.column_stack([t, t**2, -t]), delimiter=",", header="t,a,b", comments="")
    np.savetxt(HERE / "plain.txt", np.column_stack([t, t**2]), header="two columns, no names")


if __name__ == "__main__":
    matrix_market()
    sparse()
    arrays()
    tables()
