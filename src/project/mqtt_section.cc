// Where the milliseconds go between producer, broker, processor and consumer.
#include "base/units.h"
#include "project/deliverable.h"
#include "project/run_files.h"
#include "report/outcome.h"
#include "report/span_tables.h"
#include "store/analysis.h"

namespace edgewise {

Result<Deliverable> MqttDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "MQTT latency breakdown";
  if (source.runs.mqtt.empty()) {
    deliverable.summary = "The store has no measurement of messages.";
    deliverable.commands = {"edgewise mqtt bench --broker auto -- ./app"};
    return deliverable;
  }
  deliverable.there = true;
  deliverable.summary =
      FormatCount(std::ssize(source.runs.mqtt), "measurement") +
      ", each message in its stages.";
  for (const Run& run : source.runs.mqtt) {
    const auto analysis = Analyse(source.store, run);
    if (!analysis) {
      return analysis.error();
    }
    if (const Result<void> added = AddRunFiles(source.store, run, &deliverable);
        !added) {
      return added.error();
    }
    deliverable.runs.push_back(run.id);
    PageSection section;
    section.heading = run.group_role.empty() ? run.experiment : run.group_role;
    section.text = PercentileNote(analysis->spans);
    section.tables = {SpanFigureTable(analysis->spans),
                      PercentileTable(analysis->spans)};
    section.part = true;
    deliverable.sections.push_back(std::move(section));
    if (deliverable.commands.empty() ||
        deliverable.commands.back() != CommandText(run)) {
      deliverable.commands.push_back(CommandText(run));
    }
  }
  return deliverable;
}

}  // namespace edgewise
