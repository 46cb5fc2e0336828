// One function a verb: adds its options to the command line, and what to do
// when it is chosen. The Context must outlive the command line.
#ifndef EDGEWISE_CLI_VERBS_H_
#define EDGEWISE_CLI_VERBS_H_

#include "cli/context.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

void AddDoctor(CLI::App& root, Context& context);
void AddInit(CLI::App& root, Context& context);
void AddRun(CLI::App& root, Context& context);
void AddAb(CLI::App& root, Context& context);
void AddSweep(CLI::App& root, Context& context);
void AddFit(CLI::App& root, Context& context);
void AddContend(CLI::App& root, Context& context);
void AddStress(CLI::App& root, Context& context);
void AddCalibrate(CLI::App& root, Context& context);
void AddImpair(CLI::App& root, Context& context);
void AddPlan(CLI::App& root, Context& context);
void AddApply(CLI::App& root, Context& context);
void AddExec(CLI::App& root, Context& context);
void AddInspect(CLI::App& root, Context& context);
void AddMeasureModel(CLI::App& root, Context& context);
void AddPredict(CLI::App& root, Context& context);
void AddPlace(CLI::App& root, Context& context);
void AddTrain(CLI::App& root, Context& context);
void AddEvaluate(CLI::App& root, Context& context);
void AddBundle(CLI::App& root, Context& context);
void AddServe(CLI::App& root, Context& context);
void AddSubmit(CLI::App& root, Context& context);
void AddJobs(CLI::App& root, Context& context);
void AddAgent(CLI::App& root, Context& context);
void AddTop(CLI::App& root, Context& context);
void AddData(CLI::App& root, Context& context);
void AddMqtt(CLI::App& root, Context& context);
void AddShow(CLI::App& root, Context& context);
void AddList(CLI::App& root, Context& context);
void AddCompare(CLI::App& root, Context& context);
void AddHistory(CLI::App& root, Context& context);
void AddCard(CLI::App& root, Context& context);
void AddExport(CLI::App& root, Context& context);
void AddImport(CLI::App& root, Context& context);
void AddGc(CLI::App& root, Context& context);
// `man` and `completion`, both generated from the definition itself.
void AddManual(CLI::App& root, Context& context);
void AddCompletion(CLI::App& root, Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_H_
