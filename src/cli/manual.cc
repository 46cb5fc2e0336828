// `edgewise man`: the manual page, made from the command line's own definition
// so that it cannot drift from it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "cli/app.h"
#include "cli/verbs.h"

namespace edgewise::cli {
namespace {

// Text as roff: backslashes and hyphens kept, no line mistaken for a request.
std::string Roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string OptionName(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true)
                                 : option.get_name(false, true);
}

std::string DescribeOptions(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) {
      continue;
    }
    std::string head = "\\fB" + Roff(OptionName(*option)) + "\\fR";
    if (!option->get_positional() && option->get_type_size() != 0) {
      head += " \\fI" + Roff(option->get_type_name()) + "\\fR";
    }
    out += ".TP\n" + head + "\n" + Roff(option->get_description()) + "\n";
  }
  return out;
}

std::string ManualPage(const CLI::App& root) {
  std::string page =
      ".TH EDGEWISE 1 \"\" \"edgewise " EDGEWISE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\nedgewise \\- measure edge applications, honestly and almost "
      "for free\n"
      ".SH SYNOPSIS\n\\fBedgewise\\fR \\fIverb\\fR [options]\n"
      ".SH DESCRIPTION\n" +
      Roff(root.get_description()) + "\n";
  page += ".SH OPTIONS\n" + DescribeOptions(root);
  page += ".SH VERBS\n";
  for (const CLI::App* verb : root.get_subcommands({})) {
    page += ".SS edgewise " + Roff(verb->get_name()) + "\n" +
            Roff(verb->get_description()) + "\n";
    page += DescribeOptions(*verb);
    for (const CLI::App* inner : verb->get_subcommands({})) {
      page += ".TP\n\\fBedgewise " + Roff(verb->get_name()) + " " +
              Roff(inner->get_name()) + "\\fR\n" +
              Roff(inner->get_description()) + "\n" + DescribeOptions(*inner);
    }
    if (!verb->get_footer().empty() &&
        verb->get_footer() != root.get_footer()) {
      page += ".PP\n.nf\n" + Roff(verb->get_footer()) + "\n.fi\n";
    }
  }
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBEDGEWISE_HOME\\fR\nFolder of the store.\n"
      ".TP\n\\fBEDGEWISE_SOCKET\\fR\nWhere the in\\-app library finds its "
      "collector; set by \\fBedgewise run\\fR for what it launches.\n"
      ".TP\n\\fBEDGEWISE_CSV\\fR\nWithout a collector, the in\\-app library "
      "appends its spans to this file.\n"
      ".TP\n\\fBNO_COLOR\\fR\nNo colours, also on a terminal.\n"
      ".SH EXIT STATUS\n"
      "0 done; 1 the answer is \"no\"; 2 usage or bad input; 3 this machine "
      "cannot do it.\n"
      "\\fBedgewise run\\fR answers with the program's own code (128+signal "
      "if it was killed), 124 timed out, 125 edgewise failed, 126 not "
      "executable, 127 not found.\n";
  return page;
}

}  // namespace

void AddManual(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "man", "Print the manual page (edgewise man | man -l -)");
  verb->callback([&root, &context] {
    Print(ManualPage(root));
    context.exit_code = kExitDone;
  });
}

}  // namespace edgewise::cli
