#include "symbols/fold_spool.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "symbols/code_files.h"
#include "symbols/frame_namer.h"
#include "symbols/notes.h"
#include "symbols/process_table.h"
#include "symbols/python_merge.h"
#include "symbols/registers.h"
#include "symbols/unwinder.h"

namespace edgewise::symbols {
namespace {

using stacks::SpooledSample;
using stacks::SpoolReader;

// In a kernel call chain such values tell where addresses come from.
constexpr uint64_t kFirstContextMark = static_cast<uint64_t>(-4095);

class Folding {
 public:
  explicit Folding(const FoldOptions& options)
      : files_(options.open_files, options.debug_root),
        namer_(builder_, files_, notes_, options.proc_root),
        unwinder_(files_, options.max_frames),
        first_part_(options.part == 0) {}

  // What a sample needs may come after it: a first look at the whole spool.
  void LookAhead(SpoolReader& spool) {
    ProcessTable processes;
    for (SpoolReader::Kind kind = spool.NextButSamples();
         kind != SpoolReader::Kind::kEnd; kind = spool.NextButSamples()) {
      if (kind == SpoolReader::Kind::kFile) {
        files_.Add(spool.file);
      } else if (kind == SpoolReader::Kind::kMap) {
        processes.Apply(spool.map);
      } else if (kind == SpoolReader::Kind::kLife) {
        processes.Apply(spool.life);
      }
    }
    processes_.KnowPerfMaps(processes.TakePerfMaps());
  }

  void Take(SpoolReader& spool, SpoolReader::Kind kind) {
    switch (kind) {
      case SpoolReader::Kind::kFile:
        break;
      case SpoolReader::Kind::kMap:
        processes_.Apply(spool.map);
        break;
      case SpoolReader::Kind::kLife:
        processes_.Apply(spool.life);
        break;
      case SpoolReader::Kind::kPythonCode:
        codes_[spool.python_code.id] = spool.python_code;
        break;
      case SpoolReader::Kind::kSample:
        TakeSample(spool.sample);
        break;
      case SpoolReader::Kind::kLoss:
        if (first_part_) {
          collection().lost += std::max<int64_t>(spool.loss.samples, 0);
        }
        break;
      case SpoolReader::Kind::kEnd:
        break;
    }
  }

  stacks::StackProfile Finish(int64_t started_cpu_ns) {
    if (without_maps_ > 0) {
      notes_.Add(FormatCount(without_maps_, "sample") +
                 " of processes that ended before their memory map could be "
                 "read.");
    }
    collection().notes = notes_.Take();
    collection().unwind_s =
        static_cast<double>(ProcessCpuNs() - started_cpu_ns) / kNsPerSecond;
    return builder_.Take();
  }

 private:
  stacks::Collection& collection() { return builder_.collection(); }

  void TakeSample(const SpooledSample& sample) {
    stack_.clear();
    const Process* process = processes_.Find(sample.pid);
    const bool has_user = !sample.registers.empty() || sample.user_ip != 0;
    if (sample.python_state == 2) {
      ++collection().python_missed;
    }
    if (has_user && (process == nullptr || process->space->empty())) {
      ++without_maps_;
      ++collection().broken;
      stack_.push_back(namer_.Mark("[unknown]"));
      AddPython(sample);
    } else if (has_user) {
      AddUser(sample, *process);
    } else {
      AddPython(sample);
    }
    AddKernel(sample);
    builder_.Add(ThreadOf(sample, process), stack_, sample.weight);
    ++collection().samples;
  }

  void AddUser(const SpooledSample& sample, const Process& process) {
    const auto registers = Registers::FromSample(sample.registers);
    native_.clear();
    UnwindEnd end = UnwindEnd::kBroken;
    if (registers) {
      end = unwinder_.Unwind(*process.space, *registers, sample.stack);
      for (const CodeAddress& address : unwinder_.addresses()) {
        native_.push_back(&namer_.User(sample.pid, process, address));
      }
    } else {
      native_.push_back(
          &namer_.User(sample.pid, process,
                       unwinder_.Locate(*process.space, sample.user_ip)));
    }
    ReadPython(sample);
    if (python_cut_) {
      end = UnwindEnd::kTruncated;
    } else if (end == UnwindEnd::kTruncated && sample.stack.empty()) {
      end = UnwindEnd::kBroken;  // there was no stack (any more) to copy
    }
    switch (end) {
      case UnwindEnd::kRoot:
        ++collection().reached_root;
        break;
      case UnwindEnd::kTruncated:
        ++collection().truncated;
        break;
      case UnwindEnd::kBroken:
        ++collection().broken;
        break;
    }
    if (!python_.empty()) {
      // These go to the outermost function, or say that they do not: no mark is
      // needed.
      stack_ = MergePython(native_, python_, end == UnwindEnd::kRoot);
      return;
    }
    if (end != UnwindEnd::kRoot) {
      stack_.push_back(namer_.Mark(end == UnwindEnd::kTruncated ? "[truncated]"
                                                                : "[unknown]"));
    }
    for (size_t i = native_.size(); i-- > 0;) {
      stack_.insert(stack_.end(), native_[i]->ids.begin(),
                    native_[i]->ids.end());
    }
  }

  void ReadPython(const SpooledSample& sample) {
    python_.clear();
    python_cut_ = false;
    for (const stacks::SpooledPythonFrame& frame : sample.python) {
      const auto code = codes_.find(frame.code);
      if (code == codes_.end()) {
        continue;
      }
      const uint64_t key = static_cast<uint64_t>(frame.code) << 32 |
                           static_cast<uint32_t>(frame.line);
      const auto [id, is_new] = python_ids_.try_emplace(key);
      if (is_new) {
        stacks::Frame named;
        named.function = code->second.function;
        named.file = code->second.file;
        named.line = std::max(frame.line, 0);
        named.first_line = std::max(code->second.first_line, 0);
        named.kind = stacks::FrameKind::kPython;
        id->second = builder_.AddFrame(named);
      }
      python_cut_ = python_cut_ || code->second.function == "[deeper]";
      python_.push_back({id->second, frame.is_entry != 0});
    }
  }

  void AddPython(const SpooledSample& sample) {
    ReadPython(sample);
    for (size_t i = python_.size(); i-- > 0;) {
      stack_.push_back(python_[i].id);
    }
  }

  void AddKernel(const SpooledSample& sample) {
    for (size_t i = sample.kernel.size(); i-- > 0;) {
      const uint64_t address = sample.kernel[i];
      if (address >= kFirstContextMark || address == 0) {
        continue;
      }
      // All but the innermost are where a call returns to.
      const bool called = i > 0 && sample.kernel[i - 1] < kFirstContextMark;
      const FrameNamer::Frames& frames =
          namer_.Kernel(called ? address - 1 : address);
      stack_.insert(stack_.end(), frames.ids.begin(), frames.ids.end());
    }
  }

  int32_t ThreadOf(const SpooledSample& sample, const Process* process) {
    stacks::StackThread thread;
    thread.pid = sample.pid;
    thread.tid = sample.tid;
    if (process != nullptr) {
      const auto name_of = [&](int32_t tid) {
        const auto found = process->thread_names.find(tid);
        return found == process->thread_names.end() ? std::string()
                                                    : found->second;
      };
      thread.process = name_of(sample.pid);
      thread.thread = name_of(sample.tid);
      if (thread.thread.empty()) {
        thread.thread = thread.process;
      }
    }
    return builder_.AddThread(thread);
  }

  stacks::ProfileBuilder builder_;
  Notes notes_;
  CodeFiles files_;
  ProcessTable processes_;
  FrameNamer namer_;
  Unwinder unwinder_;
  std::unordered_map<uint32_t, stacks::SpooledPythonCode> codes_;
  std::unordered_map<uint64_t, int32_t> python_ids_;  // by code and line
  bool first_part_;
  int64_t without_maps_ = 0;
  // Of the sample at hand.
  std::vector<const FrameNamer::Frames*> native_;
  std::vector<PythonFrame> python_;
  bool python_cut_ = false;  // its outermost functions are missing
  std::vector<int32_t> stack_;
};

}  // namespace

Result<stacks::StackProfile> FoldSpool(SpoolReader& spool,
                                       const FoldOptions& options) {
  const int64_t started_cpu_ns = ProcessCpuNs();
  Folding folding(options);
  folding.LookAhead(spool);
  spool.Rewind();
  // The samples of other parts are stepped over: all that decides how a sample
  // is read is in other records.
  size_t part = 0;
  const auto next = [&] {
    return part == options.part ? spool.Next() : spool.NextButSamples();
  };
  for (SpoolReader::Kind kind = next(); kind != SpoolReader::Kind::kEnd;
       kind = next()) {
    if (kind != SpoolReader::Kind::kSample) {
      folding.Take(spool, kind);
      continue;
    }
    if (part == options.part) {
      folding.Take(spool, kind);
    }
    part = (part + 1) % options.parts;
  }
  return folding.Finish(started_cpu_ns);
}

}  // namespace edgewise::symbols
