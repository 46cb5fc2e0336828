// A microphone through ALSA.
#ifndef EDGEWISE_APPS_INPUT_MICROPHONE_H_
#define EDGEWISE_APPS_INPUT_MICROPHONE_H_

#include <memory>
#include <string>

#include "base/result.h"
#include "input/sound.h"

namespace edgewise::apps {

// `name` as ALSA spells it: "default", "hw:1,0", ... Samples that were lost
// because they were not read in time are left out of the stream.
Result<std::unique_ptr<SoundSource>> OpenMicrophone(const std::string& name);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_MICROPHONE_H_
