// Bad input throws: the message says what is wrong, where, and what would be right.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace ricochet {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value that cannot be used. `field` is its path in the scenario: "model.constraint[2].restitution".
class InputError : public Error {
 public:
  InputError(std::string field, std::string message)
      : Error(field.empty() ? message : field + ": " + message),
        field_(std::move(field)),
        message_(std::move(message)) {}
  const std::string& field() const { return field_; }
  const std::string& message() const { return message_; }

 private:
  std::string field_, message_;
};

// The user wanted the end of work of which no part is worth keeping.
class InterruptedError : public Error {
 public:
  using Error::Error;
};

// A file that cannot be read or written (missing, forbidden, disk full).
class FileError : public Error {
 public:
  using Error::Error;
};

// A result file that failed while the run went on (disk full, …).
class WriteError : public FileError {
 public:
  using FileError::FileError;
};

}  // namespace ricochet
