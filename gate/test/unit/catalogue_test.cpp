// From paths to ops, kernels, tolerances and seeds, in folders made for each test.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/base/files.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(GATE_SOURCE_DIR) / "gate/test/golden/spec";

std::string text_of(const fs::path& file) { return *read_file(file); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Two ops with two kernels each, tolerances, one seed, a gate.toml.
class catalogue : public testing::Test {
 protected:
  catalogue() : made_(*TemporaryFolder::create("gate-catalogue")) {
    root_ = fs::canonical(made_.path());
    for (const std::string op : {"rowsum", "colsum"}) {
      const fs::path folder = root_ / "testcases" / op;
      fs::create_directories(folder / "kernels");
      write(folder / "op.toml", replaced(text_of(golden / "base_op.toml"), "rowsum", op));
      for (const std::string kernel : {"one", "two"}) {
        std::string text =
            replaced(text_of(golden / "kernel/valid.toml"), "\"rowsum\"", "\"" + op + "\"");
        write(folder / "kernels" / (kernel + ".toml"), replaced(text, "rowsum.cu", kernel + ".cu"));
        write(folder / "kernels" / (kernel + ".cu"), "");
      }
      write(root_ / "tolerances" / (op + ".toml"), "op = \"" + op + "\"\n[f32]\nc = 2\n");
    }
    write(root_ / "gate.toml", "");
    const std::string print = fingerprint("rowsum", "f32", "value", Kind::wrong, "one");
    std::string seed = replaced(text_of(golden / "valid_seed.toml"), "rowsum_tiled", "one");
    seed =
        replaced(seed, fingerprint("rowsum", "f32", "value", Kind::wrong, "rowsum_tiled"), print);
    write(root_ / "seeds/rowsum" / ("one-" + print + ".toml"), seed);
  }

  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    EXPECT_TRUE(write_file(file, text)) << file;
  }

  /// "op/kernel …" of what the paths select, with the number of seeds; or the problems.
  std::string load(const std::vector<fs::path>& paths, const CatalogueOptions& options = {}) {
    const auto loaded = load_catalogue(paths, options);
    if (!loaded) return to_text(loaded.failure());
    std::string text;
    for (const KernelSpec& kernel : loaded->kernels) text += kernel.op + "/" + kernel.name + " ";
    return text + std::to_string(loaded->seeds.size());
  }

  TemporaryFolder made_;
  fs::path root_;
};

TEST_F(catalogue, paths) {
  const std::string all = "colsum/one colsum/two rowsum/one rowsum/two 1";
  const fs::path ops = root_ / "testcases";
  EXPECT_EQ(load({root_}), all);
  EXPECT_EQ(load({ops}), all);
  EXPECT_EQ(load({ops / "rowsum", ops / "colsum"}), all);
  EXPECT_EQ(load({ops / "rowsum"}), "rowsum/one rowsum/two 1");
  EXPECT_EQ(load({ops / "rowsum/op.toml"}), "rowsum/one rowsum/two 1");
  EXPECT_EQ(load({ops / "rowsum/kernels"}), "rowsum/one rowsum/two 1");
  EXPECT_EQ(load({ops / "rowsum/kernels/one.toml"}), "rowsum/one 1");
  EXPECT_EQ(load({ops / "rowsum/kernels/two.cu"}), "rowsum/two 0");
  EXPECT_EQ(load({ops / "rowsum/kernels/two.cu", ops / "colsum/kernels/one.toml"}),
            "colsum/one rowsum/two 0");
}

TEST_F(catalogue, folders_and_facts) {
  const auto loaded = load_catalogue({root_ / "testcases"});
  ASSERT_TRUE(loaded) << to_text(loaded.failure());
  ASSERT_EQ(loaded->ops.size(), 2u);
  EXPECT_EQ(loaded->ops[0].name, "colsum");
  EXPECT_EQ(loaded->ops[1].folder, root_ / "testcases/rowsum");
  EXPECT_FALSE(loaded->ops[0].bundled);
  EXPECT_EQ(loaded->kernels[2].source, root_ / "testcases/rowsum/kernels/one.cu");
  EXPECT_EQ(loaded->tolerances.at("rowsum").rows.at("f32").c, 2);
  EXPECT_EQ(find_op(*loaded, "rowsum"), &loaded->ops[1]);
  EXPECT_EQ(find_op(*loaded, "softmax"), nullptr);
}

TEST_F(catalogue, without_a_gate_toml) {
  fs::remove(root_ / "gate.toml");
  const std::string all = "colsum/one colsum/two rowsum/one rowsum/two 1";
  EXPECT_EQ(load({root_}), all);
  EXPECT_EQ(load({root_ / "testcases"}), all);
  EXPECT_EQ(load({root_ / "testcases/rowsum/kernels/one.cu"}), "rowsum/one 1");
}

TEST_F(catalogue, wrong_paths) {
  EXPECT_NE(load({}).find("no path is given"), std::string::npos);
  EXPECT_NE(load({root_ / "nothing"}).find("no such file"), std::string::npos);
  EXPECT_NE(load({root_ / "seeds"}).find("no ops below"), std::string::npos);
  EXPECT_NE(load({root_ / "gate.toml"}).find("no kernel of an op"), std::string::npos);
  EXPECT_NE(load({root_ / "testcases/rowsum/kernels/three.cu"}).find("no such file"),
            std::string::npos);
  write(root_ / "testcases/rowsum/gate.toml", "");
  EXPECT_NE(
      load({root_ / "testcases/colsum", root_ / "testcases/rowsum"}).find("another gate.toml"),
      std::string::npos);
}

TEST_F(catalogue, problems_of_all_files_at_once) {
  write(root_ / "testcases/rowsum/op.toml", "");
  write(root_ / "testcases/colsum/kernels/one.toml", "");
  write(root_ / "tolerances/colsum.toml", "op = 3");
  write(root_ / "seeds/rowsum/x.toml", "");
  const std::string problems = load({root_});
  for (const char* file : {"rowsum/op.toml:1:1", "colsum/kernels/one.toml:1:1",
                           "tolerances/colsum.toml:1:6", "seeds/rowsum/x.toml:1:1"}) {
    EXPECT_NE(problems.find(file), std::string::npos) << file << "\n" << problems;
  }
}

TEST_F(catalogue, missing_tolerance_names_the_command) {
  fs::remove(root_ / "tolerances/rowsum.toml");
  EXPECT_NE(load({root_}).find("there is no tolerance row for f32 of rowsum"), std::string::npos);
  EXPECT_NE(load({root_}).find("gate tolerances init"), std::string::npos);
  CatalogueOptions loose;
  loose.require_tolerances = false;
  EXPECT_EQ(load({root_ / "testcases/rowsum"}, loose), "rowsum/one rowsum/two 1");
  write(root_ / "tolerances/rowsum.toml", "op = \"rowsum\"\n[f32]\nc = 2\n[f16]\nc = 2\n");
  EXPECT_NE(load({root_}).find("no column f16"), std::string::npos);
}

TEST_F(catalogue, seeds_of_kernels_that_are_gone_count_for_the_whole_root) {
  fs::remove(root_ / "testcases/rowsum/kernels/one.toml");
  EXPECT_EQ(load({root_}), "colsum/one colsum/two rowsum/two 1");
  EXPECT_EQ(load({root_ / "testcases/rowsum"}), "rowsum/two 1");
  EXPECT_EQ(load({root_ / "testcases/colsum"}), "colsum/one colsum/two 0");
}

TEST_F(catalogue, two_seeds_of_one_number) {
  const auto files = find_files(root_ / "seeds", ".toml");
  ASSERT_EQ(files.size(), 1u);
  write(root_ / "seeds/rowsum/copy.toml", text_of(files[0]));
  EXPECT_NE(load({root_}).find("fingerprint and number of another one"), std::string::npos);
  write(root_ / "seeds/rowsum/copy.toml",
        replaced(text_of(files[0]), "note =", "number = 2\nnote ="));
  EXPECT_EQ(load({root_ / "testcases/rowsum"}), "rowsum/one rowsum/two 2");
}

TEST_F(catalogue, known_names_are_passed_on) {
  CatalogueOptions options;
  options.known.profiles = {"uniform01"};
  EXPECT_NE(load({root_}, options).find("there is no value profile \"normal\""), std::string::npos);
}

}  // namespace
}  // namespace gate
