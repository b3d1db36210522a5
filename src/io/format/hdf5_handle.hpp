// HDF5's objects as values that close themselves.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace ricochet {

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  ~Hdf5Handle() { close(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_), std::swap(close_, other.close_);  // which closes what was open here
    return *this;
  }

  operator hid_t() const { return id_; }  // NOLINT: to be handed to HDF5
  explicit operator bool() const { return id_ >= 0; }

  // False if HDF5 could not close it.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Text of any length, by default in UTF-8: h5py gives it as str.
inline Hdf5Handle hdf5_text_type(H5T_cset_t characters = H5T_CSET_UTF8) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, characters);
  return type;
}

// A name for an object: '/' would begin a group.
inline std::string hdf5_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '|');
  return name;
}

// While it lives, this thread alone uses HDF5 through ricochet, and HDF5 prints nothing.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex instance;
    return instance;
  }
  std::lock_guard<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace ricochet
