#include "report/svg.h"

#include <fmt/format.h>

#include <iterator>

#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr std::string_view kStyle = R"(<style>
text { font: 11px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.title { font-size: 14px; font-weight: 600; }
.back { fill: #ffffff; } .ink { fill: #1c2127; } .faint { fill: #5a6572; }
.grid { stroke: #e3e6ea; } .none { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
.line0 { stroke: #0b6fc2; } .line1 { stroke: #c8500a; } .line2 { stroke: #0f8a68; }
.line3 { stroke: #8f4bb8; } .line4 { stroke: #b0337a; } .line5 { stroke: #7a6a00; }
.area0, .band0 { fill: #0b6fc2; } .area1, .band1 { fill: #c8500a; } .area2, .band2 { fill: #0f8a68; }
.area3, .band3 { fill: #8f4bb8; } .area4, .band4 { fill: #b0337a; } .area5, .band5 { fill: #7a6a00; }
.area0, .area1, .area2, .area3, .area4, .area5 { fill-opacity: 0.2; }
.band0, .band1, .band2, .band3, .band4, .band5 { fill-opacity: 0.25; }
.dot0 { fill: #0b6fc2; } .dot1 { fill: #c8500a; } .dot2 { fill: #0f8a68; }
.dot3 { fill: #8f4bb8; } .dot4 { fill: #b0337a; } .dot5 { fill: #7a6a00; }
.dashed { stroke-dasharray: 6 4; }
.kind0 { fill: #f0bd77; } .kind1 { fill: #e08fa0; } .kind2 { fill: #85b4ea; }
.kind3 { fill: #87c7a5; } .kind4 { fill: #c4c9cf; } .dark { fill: #1a1d21; }
.heat0 { fill: #e4efe8; } .heat1 { fill: #fdeccb; } .heat2 { fill: #fbc784; } .heat3 { fill: #f5954a; } .heat4 { fill: #e8590c; }
@media (prefers-color-scheme: dark) {
.back { fill: #1c2026; } .ink { fill: #e6e9ed; } .faint { fill: #9aa5b1; } .grid { stroke: #2f363f; }
.line0 { stroke: #5fb0f5; } .line1 { stroke: #ff9a57; } .line2 { stroke: #4fd0a8; }
.line3 { stroke: #c79bf0; } .line4 { stroke: #f287bd; } .line5 { stroke: #e0cf5a; }
.dot0 { fill: #5fb0f5; } .dot1 { fill: #ff9a57; } .dot2 { fill: #4fd0a8; }
.dot3 { fill: #c79bf0; } .dot4 { fill: #f287bd; } .dot5 { fill: #e0cf5a; }
}
</style>
)";

// Of a pixel two digits can be seen.
std::string Pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text;
}

}  // namespace

std::string XmlText(std::string_view text) {
  const std::string printable = Printable(text);
  std::string_view rest = printable;
  std::string safe;
  while (!rest.empty()) {
    const char32_t c = TakeCodePoint(&rest);
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      case 0xFFFE:
      case 0xFFFF:
        // UTF-8, but nothing that XML may hold.
        AppendCodePoint(&safe, 0xFFFD);
        break;
      default:
        AppendCodePoint(&safe, c);
    }
  }
  return safe;
}

SvgPicture::SvgPicture(double width, double height, std::string_view title)
    : width_(width), height_(height), title_(XmlText(title)) {}

void SvgPicture::Line(double x1, double y1, double x2, double y2,
                      std::string_view look) {
  fmt::format_to(std::back_inserter(body_),
                 "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" "
                 "class=\"{}\"/>\n",
                 Pixels(x1), Pixels(y1), Pixels(x2), Pixels(y2), look);
}

void SvgPicture::Path(const Points& points, bool closed,
                      std::string_view look) {
  if (points.empty()) {
    return;
  }
  body_ += "<path d=\"";
  for (const auto& [x, y] : points) {
    body_ += &points.front().first == &x ? "M" : "L";
    body_ += Pixels(x) + " " + Pixels(y);
  }
  fmt::format_to(std::back_inserter(body_), "{}\" class=\"{}\"/>\n",
                 closed ? "Z" : "", look);
}

void SvgPicture::Rect(double x, double y, double width, double height,
                      std::string_view look) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                 "class=\"{}\"/>\n",
                 Pixels(x), Pixels(y), Pixels(width), Pixels(height), look);
}

void SvgPicture::Text(double x, double y, Anchor anchor, std::string_view text,
                      std::string_view look) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  fmt::format_to(std::back_inserter(body_),
                 "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" "
                 "class=\"{}\">{}</text>\n",
                 Pixels(x), Pixels(y), kAnchors[static_cast<size_t>(anchor)],
                 look, XmlText(text));
}

void SvgPicture::BeginGroup(std::string_view tooltip) {
  body_ += "<g><title>" + XmlText(tooltip) + "</title>\n";
}

void SvgPicture::EndGroup() { body_ += "</g>\n"; }

std::string SvgPicture::text() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}"
      "<rect width=\"{0}\" height=\"{1}\" class=\"back\"/>\n{4}</svg>\n",
      Pixels(width_), Pixels(height_), title_, kStyle, body_);
}

}  // namespace edgewise
