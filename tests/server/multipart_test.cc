#include "server/multipart.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

constexpr char kType[] = "multipart/form-data; boundary=\"X-1\"";
constexpr char kForm[] =
    "--X-1\r\nContent-Disposition: form-data; name=\"file\"; "
    "filename=\"m.onnx\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    "ab\r\n--X\r\nc\r\n--X-1\r\nContent-Disposition: form-data; "
    "name=\"input_shape\"\r\n\r\n\r\n--X-1--\r\n";

TEST(MultipartTest, PartsHaveNamesAndBodies) {
  const auto read = ReadForm(kType, kForm);
  ASSERT_TRUE(std::holds_alternative<std::vector<FormPart>>(read));
  const auto& form = std::get<std::vector<FormPart>>(read);
  ASSERT_EQ(form.size(), 2U);
  EXPECT_EQ(FindPart(form, "file")->file_name, "m.onnx");
  EXPECT_EQ(FindPart(form, "file")->body, "ab\r\n--X\r\nc");
  EXPECT_EQ(FindPart(form, "input_shape")->body, "");
  EXPECT_EQ(FindPart(form, "other"), nullptr);
}

TEST(MultipartTest, EveryCutOfAFormIsRefusedOrRead) {
  const std::string_view whole = kForm;
  for (size_t size = 0; size < whole.size() - 4; ++size) {
    EXPECT_TRUE(
        std::holds_alternative<Problem>(ReadForm(kType, whole.substr(0, size))))
        << size;
  }
}

TEST(MultipartTest, FormWithoutABoundaryIsRefused) {
  for (const char* type :
       {"", "multipart/form-data", "multipart/form-data; boundary=",
        "multipart/form-data; boundary=other"}) {
    EXPECT_TRUE(std::holds_alternative<Problem>(ReadForm(type, kForm))) << type;
  }
}

TEST(MultipartTest, EmptyFormHasNoParts) {
  const auto read = ReadForm(kType, "--X-1--\r\n");
  ASSERT_TRUE(std::holds_alternative<std::vector<FormPart>>(read));
  EXPECT_TRUE(std::get<std::vector<FormPart>>(read).empty());
}

}  // namespace
}  // namespace edgewise
