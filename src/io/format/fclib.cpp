#include "ricochet/io/format/fclib.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/format/hdf5_file.hpp"
#include "io/format/hdf5_input.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet::io {
namespace {

class Reader {
 public:
  Reader(const std::filesystem::path& path, std::string name) : input_(path, std::move(name)) {}

  FclibProblem problem() {
    FclibProblem problem;
    problem.is_global = input_.has("fclib_global");
    if (!problem.is_global && !input_.has("fclib_local"))
      input_.fail("has neither a group fclib_local nor fclib_global: it is no contact problem of FCLIB");
    group_ = problem.is_global ? "fclib_global/" : "fclib_local/";
    problem.spacedim = number("spacedim");
    if (problem.spacedim != 2 && problem.spacedim != 3)
      input_.fail(fmt::format("{}spacedim must be 2 or 3, got {}", group_, problem.spacedim));
    problem.mu = input_.series(group_ + "vectors/mu");
    const int rows = problem.contacts() * problem.spacedim;
    const std::string of_contacts =
        fmt::format("{} contacts of mu in {} dimensions", problem.contacts(), problem.spacedim);
    problem.mu = vector("mu", problem.contacts(), "one a contact");
    for (std::size_t k = 0; k < problem.mu.size(); ++k)
      if (problem.mu[k] < 0.0)
        input_.fail(fmt::format("{}vectors/mu[{}] must not be negative, got {}", group_, k, problem.mu[k]));
    if (problem.is_global) {
      problem.M = matrix("M");
      const int n = problem.M.rows;
      if (n == 0) input_.fail(fmt::format("{}M is 0 × 0: there are no velocities to be found", group_));
      size_is("M", problem.M, n, n);
      problem.H = matrix("H");
      size_is("H", problem.H, n, rows, of_contacts);
      problem.f = vector("f", n, "one a row of M");
      problem.w = vector("w", rows, of_contacts);
      if (input_.has(group_ + "G")) {
        problem.G = matrix("G");
        size_is("G", problem.G, n, problem.G.cols);
        problem.b = vector("b", problem.G.cols, "one a column of G");
      }
    } else {
      problem.W = matrix("W");
      size_is("W", problem.W, rows, rows, of_contacts);
      problem.q = vector("q", rows, of_contacts);
      if (input_.has(group_ + "V")) {
        problem.V = matrix("V");
        const int p = problem.V.cols;
        size_is("V", problem.V, rows, p);
        problem.R = matrix("R");
        size_is("R", problem.R, p, p);
        problem.s = vector("s", p, "one a column of V");
      }
    }
    return problem;
  }

 private:
  std::vector<double> needed(const std::string& path) {
    if (!input_.has(path)) input_.fail(fmt::format("{} is missing", path));
    return input_.series(path);
  }

  int number(const std::string& name) {
    const std::vector<double> values = needed(group_ + name);
    constexpr double most = std::numeric_limits<int>::max();
    if (values.size() != 1 || !(std::abs(values[0]) <= most) || values[0] != std::floor(values[0]))
      input_.fail(fmt::format("{}{} must be one whole number", group_, name));
    return static_cast<int>(values[0]);
  }

  std::vector<double> vector(const std::string& name, int size, const std::string& why) {
    const std::string path = group_ + "vectors/" + name;
    std::vector<double> values = needed(path);
    if (values.size() != static_cast<std::size_t>(size))
      input_.fail(fmt::format("{} has {} values, but must have {}: {}", path, values.size(), size, why));
    check_finite(path, values);
    return values;
  }

  void check_finite(const std::string& path, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!std::isfinite(values[k])) input_.fail(fmt::format("{}[{}] is not a finite number: {}", path, k, values[k]));
  }

  void size_is(const std::string& name, const FclibMatrix& A, int rows, int cols, const std::string& why = "") {
    if (A.rows != rows || A.cols != cols)
      input_.fail(fmt::format("{}{} is {} × {}, but must be {} × {}{}{}", group_, name, A.rows, A.cols, rows, cols,
                              why.empty() ? "" : ": ", why));
  }

  // Whole numbers from 0 to below `end`; the first `count` of them are used.
  std::vector<int> indices(const std::string& path, std::size_t count, double end) {
    const std::vector<double> values = needed(path);
    if (values.size() < count)
      input_.fail(fmt::format("{} has {} values, but must have {}", path, values.size(), count));
    std::vector<int> result(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (!(values[k] >= 0.0 && values[k] < end) || values[k] != std::floor(values[k]))
        input_.fail(fmt::format("{}[{}] = {} is out of range: it must be from 0 to {}", path, k, values[k], end - 1.0));
      result[k] = static_cast<int>(values[k]);
    }
    return result;
  }

  FclibMatrix matrix(const std::string& name) {
    const std::string path = group_ + name + "/";
    if (!input_.has(group_ + name)) input_.fail(fmt::format("{}{} is missing", group_, name));
    FclibMatrix A;
    A.rows = number(name + "/m");
    A.cols = number(name + "/n");
    A.nz = number(name + "/nz");
    if (A.rows < 0 || A.cols < 0) input_.fail(fmt::format("{}m and n must not be negative", path));
    if (A.nz < -2)
      input_.fail(fmt::format("{}nz must be a number of entries, -1 for columns or -2 for rows, got {}", path, A.nz));
    A.x = needed(path + "x");
    if (A.nz >= 0) {
      const std::size_t count = static_cast<std::size_t>(A.nz);
      read_triplets(path, count, A);
    } else {
      const bool by_columns = A.nz == -1;
      const std::size_t lines = static_cast<std::size_t>(by_columns ? A.cols : A.rows) + 1;
      A.p = indices(path + "p", lines, static_cast<double>(A.x.size()) + 1.0);
      for (std::size_t k = 0; k < lines; ++k)
        if (k == 0 ? A.p[0] != 0 : A.p[k] < A.p[k - 1])
          input_.fail(fmt::format("{}p[{}] = {}: it must begin with 0 and never fall", path, k, A.p[k]));
      const std::size_t count = static_cast<std::size_t>(A.p.back());
      A.i = indices(path + "i", count, by_columns ? A.rows : A.cols);
      A.x.resize(count);
    }
    check_finite(path + "x", A.x);
    return A;
  }

  // Rows in p, columns in i, as FCLIB says; some programs write them the other way round, as CSparse does, which shows
  // where they would be out of range.
  void read_triplets(const std::string& path, std::size_t count, FclibMatrix& A) {
    if (A.x.size() < count) input_.fail(fmt::format("{}x has {} values, but nz is {}", path, A.x.size(), count));
    A.x.resize(count);
    const double either = std::max(A.rows, A.cols);
    A.p = indices(path + "p", count, either);
    A.i = indices(path + "i", count, either);
    const auto fit = [&](const std::vector<int>& rows, const std::vector<int>& cols) {
      return std::all_of(rows.begin(), rows.end(), [&](int k) { return k < A.rows; }) &&
             std::all_of(cols.begin(), cols.end(), [&](int k) { return k < A.cols; });
    };
    if (fit(A.p, A.i)) return;
    if (!fit(A.i, A.p))
      input_.fail(fmt::format("{}p and i are out of range of a matrix of {} × {}", path, A.rows, A.cols));
    std::swap(A.p, A.i);
  }

  Hdf5Input input_;
  std::string group_;
};

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : file_(path, false) {}

  void put(const std::string& path, const std::vector<int>& values) {
    const Hdf5Shape shape{stored_type(std::int32_t{}), false, values.size()};
    const Hdf5Handle set = file_.create(path, shape);
    file_.write_rows(set, path, shape, given_type(std::int32_t{}), 0, values.size(), values.data());
  }
  void put(const std::string& path, const std::vector<double>& values) { file_.put(path, values); }
  void put(const std::string& path, const FclibMatrix& A) {
    put(path + "/nzmax", std::vector<int>{static_cast<int>(A.x.size())});
    put(path + "/m", std::vector<int>{A.rows});
    put(path + "/n", std::vector<int>{A.cols});
    put(path + "/nz", std::vector<int>{A.nz});
    put(path + "/p", A.p);
    put(path + "/i", A.i);
    put(path + "/x", A.x);
  }
  void commit() { file_.commit(); }

 private:
  Hdf5File file_;
};

}  // namespace

FclibProblem read_fclib(const std::filesystem::path& path) {
  const Hdf5Session session;
  const auto read = [&] { return Reader(path, path.string()).problem(); };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw FileError(fmt::format("{}: there is no such file", path.string()));
  read_in_child(path, path.string(), [&] {
    read();
    return std::string();
  });
  return read();
}

void write_fclib(const std::filesystem::path& path, const FclibProblem& problem, const FclibSolution& solution) {
  const Hdf5Session session;
  Writer file(path);
  const std::string group = problem.is_global ? "fclib_global/" : "fclib_local/";
  file.put(group + "spacedim", std::vector<int>{problem.spacedim});
  file.put(group + "vectors/mu", problem.mu);
  const auto put_matrix = [&](const char* name, const FclibMatrix& A) {
    if (!A.empty()) file.put(group + name, A);
  };
  const auto put_vector = [&](const std::string& name, const std::vector<double>& x) {
    if (!x.empty()) file.put(name, x);
  };
  put_matrix("W", problem.W);
  put_matrix("V", problem.V);
  put_matrix("R", problem.R);
  put_matrix("M", problem.M);
  put_matrix("H", problem.H);
  put_matrix("G", problem.G);
  for (const auto& [name, x] :
       {std::pair{"q", &problem.q}, {"s", &problem.s}, {"f", &problem.f}, {"w", &problem.w}, {"b", &problem.b}})
    put_vector(group + "vectors/" + name, *x);
  put_vector("solution/v", solution.v);
  put_vector("solution/u", solution.u);
  put_vector("solution/r", solution.r);
  put_vector("solution/l", solution.l);
  file.commit();
}

}  // namespace ricochet::io
