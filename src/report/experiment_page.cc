#include "report/experiment_page.h"

#include <cstdint>
#include <string_view>

#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root { color-scheme: light dark; --page: #f6f7f9; --card: #ffffff; --text: #1c2127; --soft: #5a6572;
  --rule: #e3e6ea; --good: #0d7a50; --bad: #c02f1d; --warn: #8a5a00; --accent: #0b6fc2; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --card: #1c2026; --text: #e6e9ed; --soft: #9aa5b1;
  --rule: #2f363f; --good: #4fd0a8; --bad: #ff8a7a; --warn: #e8b65a; --accent: #5fb0f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
.sub, footer, dt { color: var(--soft); }
.sub { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875rem; }
section, .facts { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.part { margin-top: -1rem; border-top: 0; border-radius: 0 0 8px 8px; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .75rem 1.25rem; }
.facts div { min-width: 0; } dt { font-size: .8rem; } dd { margin: 0; font-size: 1.1rem; font-weight: 600; overflow-wrap: anywhere; }
.advice { border-left: 4px solid var(--accent); } .advice p:first-child { font-size: 1.15rem; font-weight: 600; }
.advice p:last-child { margin-bottom: 0; }
.wide { overflow-x: auto; margin: 0 0 .75rem; } .wide svg, .wide img { display: block; width: 100%; min-width: 32rem; max-width: 48rem; height: auto; }
nav ol { margin: 0; padding: 0; list-style: none; columns: 16rem; } a { color: var(--accent); }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 500; text-align: left; } th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
.strong { font-weight: 600; } .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
pre { overflow-x: auto; margin: 0 0 .75rem; padding: .75rem; background: var(--page); border-radius: 6px; font: .875rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
footer { font-size: .85rem; overflow-wrap: anywhere; }
@media print { body { background: none; font-size: 11pt; } main { max-width: none; padding: 0; }
  section, .facts { break-inside: avoid; } pre { white-space: pre-wrap; } .wide { overflow: visible; } .wide svg { min-width: 0; } }
</style>
)";

std::string_view ToneClass(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      break;
    case Tone::kStrong:
      return "strong";
    case Tone::kDim:
      return "soft";
    case Tone::kGood:
      return "good";
    case Tone::kBad:
      return "bad";
    case Tone::kWarning:
      return "warn";
  }
  return "";
}

// Lines stay lines; everything else is escaped.
std::string LinesOf(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    html += XmlText(text.substr(0, end));
    if (end == std::string_view::npos) {
      break;
    }
    html += '\n';
    text.remove_prefix(end + 1);
  }
  return html;
}

std::string Paragraph(std::string_view text, std::string_view look = "") {
  if (text.empty()) {
    return "";
  }
  return "<p" +
         (look.empty() ? std::string()
                       : " class=\"" + std::string(look) + "\"") +
         ">" + XmlText(text) + "</p>\n";
}

std::string TableHtml(const Table& table) {
  if (table.rows.empty()) {
    return "";
  }
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns) {
    html += column.right ? "<th class=\"number\">" : "<th>";
    html += XmlText(column.title) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const Cell cell = i < row.size() ? row[i] : Cell{};
      std::string look = table.columns[i].right ? "number" : "";
      if (const auto tone = ToneClass(cell.tone); !tone.empty()) {
        look += (look.empty() ? "" : " ") + std::string(tone);
      }
      html += look.empty() ? "<td>" : "<td class=\"" + look + "\">";
      html += XmlText(cell.text) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string SectionId(size_t index) {
  return "section-" + std::to_string(index + 1);
}

std::string ContentsHtml(const std::vector<PageSection>& sections) {
  std::string html = "<nav><section><ol>\n";
  for (size_t i = 0; i < sections.size(); ++i) {
    if (!sections[i].heading.empty() && !sections[i].part) {
      html += "<li><a href=\"#" + SectionId(i) + "\">" +
              XmlText(sections[i].heading) + "</a></li>\n";
    }
  }
  return html + "</ol></section></nav>\n";
}

std::string SectionHtml(const PageSection& section, const std::string& id) {
  std::string html = "<section id=\"" + id + "\"" +
                     (section.part ? " class=\"part\"" : "") + ">\n";
  if (!section.heading.empty()) {
    const std::string tag = section.part ? "h3" : "h2";
    html += "<" + tag + ">" + XmlText(section.heading) + "</" + tag + ">\n";
  }
  html += Paragraph(section.text);
  for (const std::string& chart : section.charts) {
    html += "<div class=\"wide\">" + chart + "</div>\n";
  }
  for (const Table& table : section.tables) {
    html += TableHtml(table);
  }
  if (!section.code.empty()) {
    html += "<pre>" + LinesOf(section.code) + "</pre>\n";
  }
  return html + "</section>\n";
}

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 |
             (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= group.size() ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

std::string ImageHtml(std::string_view bytes, std::string_view media_type,
                      std::string_view name) {
  return "<img alt=\"" + XmlText(name) +
         "\" src=\"data:" + XmlText(media_type) + ";base64," + Base64(bytes) +
         "\">";
}

std::string ExperimentHtml(const ExperimentPage& page) {
  std::string html(kHead);
  html += "<title>" + XmlText(page.title) + "</title>\n</head>\n<body><main>\n";
  html += "<h1>" + XmlText(page.title) + "</h1>\n";
  html += Paragraph(page.subtitle, "sub");
  if (!page.advice.empty()) {
    html += "<section class=\"advice\">\n";
    for (const std::string& sentence : page.advice) {
      html += Paragraph(sentence);
    }
    html += "</section>\n";
  }
  if (!page.facts.empty()) {
    html += "<dl class=\"facts\">\n";
    for (const auto& [name, value] : page.facts) {
      html += "<div><dt>" + XmlText(name) + "</dt><dd>" + XmlText(value) +
              "</dd></div>\n";
    }
    html += "</dl>\n";
  }
  if (page.contents) {
    html += ContentsHtml(page.sections);
  }
  for (size_t i = 0; i < page.sections.size(); ++i) {
    html += SectionHtml(page.sections[i], SectionId(i));
  }
  if (!page.footer.empty()) {
    html += "<footer>" + XmlText(page.footer) + "</footer>\n";
  }
  return html + "</main></body>\n</html>\n";
}

}  // namespace edgewise
