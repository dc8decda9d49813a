// What a kernel toml becomes; its malformed relatives stand in gate/test/golden/spec/kernel.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/base/files.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

const std::filesystem::path folder =
    std::filesystem::path(GATE_SOURCE_DIR) / "gate/test/golden/spec";

const OpSchema& rowsum() {
  static const OpSchema op = *parse_op(*read_file(folder / "base_op.toml"), "op.toml");
  return op;
}

Result<KernelSpec> parse(const std::string& text) {
  return parse_kernel(text, folder / "kernel" / "made.toml", rowsum());
}

std::string head(const std::string& more = "") {
  return "[kernel]\nop = \"rowsum\"\nsource = \"rowsum.cu\"\n" + more +
         "[entry]\nf32 = \"ns::rowsum<float, 4>\"\n";
}

KernelSpec read(const std::string& text) {
  const auto kernel = parse(text);
  EXPECT_TRUE(kernel) << (kernel ? "" : to_text(kernel.failure()));
  return kernel ? *kernel : KernelSpec{};
}

TEST(read_kernel, head) {
  const KernelSpec kernel =
      read(head("corpus = \"field\"\nauthor = \"model-7\"\ntiles = [256, 48]\n"
                "defines = { f32 = [\"HALF\", \"N=3\"] }\n") +
           "[[launch]]\nargs = [\"y\"]\ngrid = [\"rows\"]\nblock = [256]\n");
  EXPECT_EQ(kernel.name, "made");
  EXPECT_EQ(kernel.op, "rowsum");
  EXPECT_TRUE(kernel.source.is_absolute());
  EXPECT_EQ(source_kind(kernel), ".cu");
  EXPECT_EQ(kernel.corpus, "field");
  EXPECT_EQ(kernel.author, "model-7");
  EXPECT_EQ(kernel.tiles, (std::vector<std::int64_t>{256, 48}));
  EXPECT_EQ(kernel.defines.at("f32"), (std::vector<std::string>{"HALF", "N=3"}));
  EXPECT_EQ(columns_of(kernel), std::vector<std::string>{"f32"});
  EXPECT_EQ(kernel.line, 8);
  EXPECT_EQ(kernel.alignment, 0);
  EXPECT_TRUE(kernel.expect.empty());
  EXPECT_EQ(kernel.mined_tiles, (std::vector<std::int64_t>{32, 33, 128, 256}));
}

TEST(read_kernel, arguments) {
  const KernelSpec kernel =
      read(head() +
           "[workspace]\npartial = \"rows * 4\"\n[[launch]]\n"
           "args = [\"x\", \"partial\", \"y\", \"rows\", \"cols:i64\", \"scale\", \"scale:f64\","
           " \"group\", \"2 * group + x.stride(1)\", \"x.offset : i64\", \"x.size(0)\", "
           "\"stream\", 7]\n");
  ASSERT_EQ(kernel.launch.size(), 1u);
  const std::vector<LaunchArgument>& arguments = kernel.launch[0].arguments;
  ASSERT_EQ(arguments.size(), 13u);
  using What = LaunchArgument::What;
  const std::vector<What> what = {What::tensor,  What::workspace, What::tensor,    What::integer,
                                  What::integer, What::attribute, What::attribute, What::attribute,
                                  What::integer, What::integer,   What::integer,   What::stream,
                                  What::integer};
  const std::vector<DType> dtypes = {DType::i32, DType::i32, DType::i32, DType::i32, DType::i64,
                                     DType::f32, DType::f64, DType::i32, DType::i32, DType::i64,
                                     DType::i32, DType::i32, DType::i32};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    EXPECT_EQ(arguments[i].what, what[i]) << i;
    EXPECT_EQ(arguments[i].dtype, dtypes[i]) << i;
  }
  EXPECT_EQ(arguments[8].value.value({{"group", 2}, {"x.stride(1)", 5}}), 9);
  EXPECT_EQ(arguments[12].value.value({}), 7);
  EXPECT_TRUE(kernel.launch[0].grid.empty());
  ASSERT_EQ(kernel.workspaces.size(), 1u);
  EXPECT_EQ(kernel.workspaces[0].bytes.value({{"rows", 3}}), 12);
}

TEST(read_kernel, steps_have_their_own_entries) {
  const KernelSpec kernel = read(
      head() +
      "[[launch]]\nargs = [\"x\"]\ngrid = [\"rows\", 2]\nblock = [\"128\"]\nshared = \"4 * 64\"\n"
      "[[launch]]\nentry = { f32 = \"combine\" }\nargs = [\"y\"]\ngrid = [1]\nblock = [1]\n");
  ASSERT_EQ(kernel.launch.size(), 2u);
  EXPECT_EQ(kernel.launch[0].entry.at("f32"), "ns::rowsum<float, 4>");
  EXPECT_EQ(kernel.launch[0].grid.size(), 2u);
  EXPECT_EQ(kernel.launch[0].shared.value({}), 256);
  EXPECT_EQ(kernel.launch[1].entry.at("f32"), "combine");
}

TEST(read_kernel, expectations_per_column) {
  const std::string launch = "[[launch]]\nargs = [\"y\"]\n";
  const KernelSpec base = read(head("corpus = \"field\"\n") + launch +
                               "[expect]\nclass = \"defect\"\nkind = \"crash\"\nbug = \"b\"\n");
  EXPECT_EQ(base.expect.at("f32").klass, Class::defect);
  EXPECT_EQ(base.expect.at("f32").kind, Kind::crash);
  EXPECT_EQ(base.expect.at("f32").bug, "b");
  const KernelSpec own = read(head("corpus = \"field\"\n") + launch +
                              "[expect]\nclass = \"defect\"\nkind = \"crash\"\nbug = \"b\"\n"
                              "f32 = { class = \"clean\" }\n");
  EXPECT_EQ(own.expect.at("f32").klass, Class::clean);
  EXPECT_FALSE(own.expect.at("f32").kind);
  EXPECT_EQ(own.expect.at("f32").bug, "");
  const KernelSpec only = read(head("corpus = \"field\"\n") + launch +
                               "[expect]\nf32 = { class = \"illusion\", kind = \"wrong\" }\n");
  EXPECT_EQ(only.expect.at("f32").klass, Class::illusion);
}

TEST(read_kernel, entry_names) {
  const auto accepts = [](const std::string& entry) {
    return static_cast<bool>(
        parse("[kernel]\nop = \"rowsum\"\nsource = \"rowsum.cu\"\n[entry]\nf32 = '" + entry +
              "'\n[[launch]]\nargs = [\"y\"]\n"));
  };
  for (const char* entry : {"f", "ns::f", "f<float>", "f<__half, 128, true>", "f<const float*>",
                            "f<g<int>, -1>", "ModelNew.forward"}) {
    EXPECT_TRUE(accepts(entry)) << entry;
  }
  for (const char* entry :
       {"", "1f", "f g", "f<", "f>", "f<int>>", "f(int)", "f;", "f<a;b>", "-f"}) {
    EXPECT_FALSE(accepts(entry)) << entry;
  }
}

TEST(read_kernel, loose_keys) {
  EXPECT_EQ(*parse_kernel_op(head(), "k.toml"), "rowsum");
  EXPECT_EQ(*parse_kernel_source(head(), "k.toml"), "rowsum.cu");
  EXPECT_FALSE(parse_kernel_op("[kernel]\n", "k.toml"));
  EXPECT_FALSE(parse_kernel_op("kernel = 3\n", "k.toml"));
  EXPECT_FALSE(parse_kernel_op("", "k.toml"));
}

}  // namespace
}  // namespace gate
