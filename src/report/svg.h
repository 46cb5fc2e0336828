// SvgPicture: shapes and texts as an SVG file that stands alone.
//
// Colours are those of a light page, and of a dark one where the viewer asks
// for it; the background is part of the picture, so that it can be read on any
// page. Coordinates are pixels from the top left.
#ifndef EDGEWISE_REPORT_SVG_H_
#define EDGEWISE_REPORT_SVG_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgewise {

// Text of any origin, made fit for XML.
std::string XmlText(std::string_view text);

enum class Anchor { kStart, kMiddle, kEnd };

class SvgPicture {
 public:
  using Points = std::vector<std::pair<double, double>>;

  // `title` is what a reader's software calls the picture.
  SvgPicture(double width, double height, std::string_view title);

  // `look` is one or more of: ink, faint, grid; line0 … line5 (strokes), area0
  // … area5 and band0 … band5 (fills of the same colours, pale), dot0 … dot5
  // (the same, full); dashed (a broken stroke); kind0 … kind4 (fills, as
  // numbered by stacks::FrameKind); heat0 … heat4 (fills).
  void Line(double x1, double y1, double x2, double y2, std::string_view look);
  void Path(const Points& points, bool closed, std::string_view look);
  void Rect(double x, double y, double width, double height,
            std::string_view look);
  void Text(double x, double y, Anchor anchor, std::string_view text,
            std::string_view look);
  // What is added until EndGroup is one thing, with a tooltip.
  void BeginGroup(std::string_view tooltip);
  void EndGroup();

  double width() const { return width_; }
  double height() const { return height_; }
  // The whole file.
  std::string text() const;

 private:
  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_SVG_H_
