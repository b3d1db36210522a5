"""HDF5 files that lead elsewhere, or take more than they show: what others may send."""

import pathlib
import zlib

import h5py


def external_link(file, name):
    del file[name]
    file[name] = h5py.ExternalLink("other.h5", "/" + name)


def soft_to_external(file, name):
    del file[name]
    file["hidden"] = h5py.ExternalLink("other.h5", "/")
    file[name] = h5py.SoftLink("/hidden/" + name)


def external_storage(file, name):
    shape = file[name].shape
    del file[name]
    file.create_dataset(name, shape, "f8", external=[("secret.bin", 0, h5py.h5f.UNLIMITED)])


def virtual(file, name):
    shape = file[name].shape
    del file[name]
    layout = h5py.VirtualLayout(shape, "f8")
    layout[...] = h5py.VirtualSource("other.h5", name, shape)
    file.create_virtual_dataset(name, layout)


def huge(file, name):
    shape = file[name].shape
    del file[name]
    file.create_dataset(name, (1 << 40, *shape[1:]), "f8", chunks=(1024, *shape[1:]))


def many_texts(file, name):
    # Names that the file has no room for; the second is never written.
    space = h5py.h5s.create_simple((1 << 12,))
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(15)
    del file.attrs["coordinates"]
    h5py.h5a.create(file.id, b"coordinates", kind, space)
    external_storage(file, name)


# What takes memory or time that a small file does not show.
def one_piece(file, name):
    shape = file[name].shape
    del file[name]
    file.create_dataset(name, (1 << 26, *shape[1:]), "f8", chunks=(1 << 26, *shape[1:]), compression="gzip",
                        compression_opts=9)  # fmt: skip
    # As if each of its values were 0, without the seconds that it takes to pack them.
    file[name].id.write_direct_chunk((0,) * len(shape), zlib.compress(bytes(1 << 29), 1))


def wide_pieces(file, name):
    del file[name]
    set = file.create_dataset(name, (1 << 16, 1 << 11), "f8", chunks=(1 << 16, 1), compression="gzip")
    piece = zlib.compress(bytes(1 << 19), 9)
    for k in range(1 << 11):
        set.id.write_direct_chunk((0, k), piece)


def wide_and_empty(file, name):
    del file[name]
    file.create_dataset(name, (0, 1 << 24), "f8")


def long_and_empty(file, name):
    del file[name]
    file.create_dataset(name, (1 << 28, 0), "f8")


def shared_text(file, name):
    """Names that are one and the same long text on the disk."""
    del file.attrs["constraints"]
    count = 2001
    file.attrs.create("constraints", ["mark"] + ["x" * 1_000_000] + ["mark"] * (count - 2), dtype=h5py.string_dtype())
    place = file.filename
    file.close()
    data = bytearray(pathlib.Path(place).read_bytes())
    # Entries of 16 bytes: length, address of the heap, index in it.
    entry = data.index((1_000_000).to_bytes(4, "little"))
    begin = entry - 16
    assert data[begin : begin + 4] == (4).to_bytes(4, "little")
    data[begin : begin + 16 * count] = data[entry : entry + 16] * count
    pathlib.Path(place).write_bytes(data)
