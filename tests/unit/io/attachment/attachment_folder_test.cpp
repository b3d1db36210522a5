// Files are read from the scenario's folder and below, and from nowhere else.
#include "ricochet/io/attachment/attachment_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/attachment/attachment_formats.hpp"
#include "ricochet/scenario/gallery_texts.hpp"
#include "unit/io/attachment/attachment_support.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string one = "%%MatrixMarket matrix array real general\n1 1\n7\n";

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string complaint(const Attachments& files, const std::string& name, bool table = false) {
  try {
    table ? static_cast<void>(files.table(name, "model.mass")) : static_cast<void>(files.matrix(name, "model.mass"));
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "model.mass");
    return error.message();
  }
}

// A folder "in" with a file and a folder below, and a file beside it.
class Folder : public testing::Test {
 protected:
  Folder() {
    fs::create_directories(temp_ / "in/below");
    write(temp_ / "in/K.mtx", one);
    write(temp_ / "in/below/M.mtx", one);
    write(temp_ / "out.mtx", one);
  }
  std::string said(const std::string& name) const { return complaint(files_, name); }

  TempFolder temp_;
  AttachmentFolder files_{temp_ / "in"};
};

TEST_F(Folder, ReadsItsFiles) {
  for (const char* name : {"K.mtx", "./K.mtx", "below/M.mtx", "below//M.mtx"})
    EXPECT_EQ(rows_of(files_.matrix(name, "f")), (Rows{{7.0}})) << name;
}

TEST_F(Folder, ReadsEveryFormat) {
  const AttachmentFolder data(data_folder());
  for (const char* name :
       {"general.mtx", "array.mtx", "csr.npz", "array.npy", "arrays.npz:A", "arrays_compressed.npz:A"})
    EXPECT_EQ(rows_of(data.matrix(name, "f")), A_rows) << name;
  for (const char* name : {"motion.csv", "plain.txt"})
    EXPECT_THAT(data.table(name, "f").values[1], ElementsAre(0.0, 0.0625, 0.25, 0.5625, 1.0)) << name;
  EXPECT_THAT(data.table("arrays.npz:t", "f").values, ElementsAre(ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0)));
  EXPECT_THAT(data.table("array.npy", "f").values[3], ElementsAre(0.5, 0.0, 0.0));
  EXPECT_EQ(complaint(data, "motion.csv"),
            "motion.csv: a matrix is read from a file that ends in .mtx (Matrix Market), .npz or .npy (NumPy)");
  EXPECT_THAT(complaint(data, "general.mtx", true), HasSubstr("numbers are read from a file that ends in .csv"));
  EXPECT_EQ(complaint(data, "arrays.npz:B"), "arrays.npz: there is no array \"B\"; known: A, K, t");
  EXPECT_EQ(complaint(data, "complex.mtx"), "complex.mtx:1: holds complex numbers; a matrix here is real");
}

TEST_F(Folder, TellsWhetherThereIsAMatrix) {
  const AttachmentFolder data(data_folder());
  for (const char* name : {"general.mtx", "csr.npz", "arrays.npz", "arrays.npz:K"})
    EXPECT_TRUE(data.has_matrix(name, "f"));
  EXPECT_FALSE(data.has_matrix("arrays.npz:C", "f"));
  EXPECT_THROW(data.has_matrix("nowhere.npz:K", "f"), InputError);
  write(temp_ / "in/broken.npz", one);
  EXPECT_THROW(files_.has_matrix("broken.npz:K", "f"), InputError);
}

TEST_F(Folder, EndingsInCapitals) {
  write(temp_ / "in/A.MTX", one);
  EXPECT_EQ(rows_of(files_.matrix("A.MTX", "f")), (Rows{{7.0}}));
  EXPECT_EQ(io::split_attachment_name("a/M.NPZ:K:1").file, "a/M.NPZ");
  EXPECT_EQ(io::split_attachment_name("a/M.NPZ:K:1").array, "K:1");
  EXPECT_EQ(io::split_attachment_name("a:b.mtx").file, "a:b.mtx");
  write(temp_ / "in/K.mtx.gz", one);
  EXPECT_EQ(said("K.mtx.gz"), "K.mtx.gz: is compressed; unpack it first");
}

TEST_F(Folder, RefusesWhatLiesOutside) {
  const std::string outside = (temp_ / "out.mtx").string(), inside = (temp_ / "in/K.mtx").string();
  EXPECT_EQ(
      said(outside),
      outside + ": must be a file in the scenario's folder or below, named from there; --files DIR allows another one");
  EXPECT_THAT(said(inside), HasSubstr("must be a file in the scenario's folder"));
  for (const char* name : {"../out.mtx", "below/../../out.mtx", "below/../K.mtx", "..", "nothing/../../out.mtx"})
    EXPECT_EQ(said(name),
              fmt::format("{}: must be in the scenario's folder or below it; --files DIR allows another one", name));
  EXPECT_EQ(said(""), "the name of the file is empty");
  EXPECT_EQ(said(std::string("K.mtx\0.csv", 10)), "the name of the file holds a zero byte");
}

TEST_F(Folder, LinksMayStayInside) {
  fs::create_symlink("below/M.mtx", temp_ / "in/link.mtx");
  fs::create_directory_symlink("below", temp_ / "in/other");
  EXPECT_EQ(said("link.mtx"), "");
  EXPECT_EQ(said("other/M.mtx"), "");
  fs::create_symlink("../out.mtx", temp_ / "in/leak.mtx");
  fs::create_directory_symlink("..", temp_ / "in/up");
  fs::create_symlink(temp_ / "in-the-neighbourhood", temp_ / "in/gone.mtx");
  fs::create_symlink("loop.mtx", temp_ / "in/loop.mtx");
  EXPECT_EQ(said("leak.mtx"), "leak.mtx: leads out of the scenario's folder; --files DIR allows another one");
  EXPECT_EQ(said("up/out.mtx"), "up/out.mtx: leads out of the scenario's folder; --files DIR allows another one");
  EXPECT_EQ(said("up/in/K.mtx"), "");
  EXPECT_NE(said("gone.mtx"), "");
  EXPECT_THAT(said("loop.mtx"), HasSubstr("loop.mtx: cannot be read"));
  // The folder itself may be reached by a link.
  fs::create_directory_symlink(temp_ / "in", temp_ / "alias");
  EXPECT_EQ(rows_of(AttachmentFolder(temp_ / "alias").matrix("K.mtx", "f")), (Rows{{7.0}}));
  // A folder whose name begins alike is another one.
  fs::create_directory(temp_ / "inner");
  write(temp_ / "inner/K.mtx", one);
  fs::create_symlink("../inner/K.mtx", temp_ / "in/alike.mtx");
  EXPECT_EQ(said("alike.mtx"), "alike.mtx: leads out of the scenario's folder; --files DIR allows another one");
}

// Folders besides the scenario's: its own comes first, then they in their order, each like the first.
TEST_F(Folder, OtherFoldersOnlyWhereTheyAreGiven) {
  fs::create_directory(temp_ / "records");
  write(temp_ / "records/K.mtx", "%%MatrixMarket matrix array real general\n1 1\n3\n");
  write(temp_ / "records/R.mtx", one);
  const AttachmentFolder files(temp_ / "in", {temp_ / "nowhere", temp_ / "records"});
  EXPECT_EQ(complaint(files, "R.mtx"), "");
  EXPECT_EQ(rows_of(files.matrix("K.mtx", "f")), (Rows{{7.0}})) << "the scenario's own";
  EXPECT_EQ(said("R.mtx"), "R.mtx: there is no such file in the scenario's folder; did you mean K.mtx?");
  EXPECT_THAT(complaint(files, "../out.mtx"), HasSubstr("must be in the scenario's folder"));
  fs::create_symlink("../out.mtx", temp_ / "records/leak.mtx");
  EXPECT_NE(complaint(files, "leak.mtx"), "");
}

TEST_F(Folder, MissingFiles) {
  EXPECT_EQ(said("k.mtx"), "k.mtx: there is no such file in the scenario's folder; did you mean K.mtx?");
  EXPECT_EQ(said("below/N.mtx"),
            "below/N.mtx: there is no such file in the scenario's folder; did you mean below/M.mtx?");
  EXPECT_EQ(said("stiffness.mtx"),
            "stiffness.mtx: there is no such file in the scenario's folder; --files DIR allows another one");
  EXPECT_EQ(said("nowhere/K.mtx"),
            "nowhere/K.mtx: there is no such file in the scenario's folder; --files DIR allows another one");
  EXPECT_NE(said("K.mtx/K.mtx"), "");
  EXPECT_THAT(complaint(AttachmentFolder(temp_ / "nowhere"), "K.mtx"),
              HasSubstr("the scenario's folder cannot be read"));
}

TEST_F(Folder, WhatIsNoFile) {
  EXPECT_EQ(said("below"), "below: is a folder, not a file");
  ASSERT_EQ(::mkfifo((temp_ / "in/pipe.mtx").c_str(), 0600), 0);
  EXPECT_EQ(said("pipe.mtx"), "pipe.mtx: is a device or a pipe, not a file");
  write(temp_ / "in/empty.mtx", "");
  EXPECT_EQ(said("empty.mtx"), "empty.mtx: is empty");
  if (::geteuid() != 0) {
    fs::permissions(temp_ / "in/K.mtx", fs::perms::none);
    EXPECT_THAT(said("K.mtx"), HasSubstr("K.mtx: cannot be read"));
  }
}

TEST_F(Folder, HugeFiles) {
  // Sparse files: they take no room on the disk.
  write(temp_ / "in/huge.mtx", one);
  fs::resize_file(temp_ / "in/huge.mtx", io::input_size_max + 1);
  EXPECT_EQ(said("huge.mtx"), "huge.mtx: has 4096.0 MiB; files of more than 4096.0 MiB are not read");
  fs::resize_file(temp_ / "in/huge.mtx", std::uint64_t{1} << 30);
  EXPECT_THAT(said("huge.mtx"), HasSubstr("huge.mtx:4: is longer than 16 MiB"));
}

TEST(GalleryAttachments, ServeTheFilesOfTheGallery) {
  const GalleryAttachments files;
  for (const GalleryText& entry : gallery_files()) {
    const std::string name(entry.name);
    EXPECT_EQ(complaint(files, name, !name.ends_with(".mtx")), "") << name;
  }
  EXPECT_THAT(complaint(files, "no-such-thing-anywhere.mtx"),
              HasSubstr("no-such-thing-anywhere.mtx: there is no such file in the gallery"));
  EXPECT_THAT(complaint(files, "../K.mtx"), HasSubstr("there is no such file in the gallery"));
}

}  // namespace
}  // namespace ricochet::io_test
