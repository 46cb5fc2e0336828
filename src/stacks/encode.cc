#include "stacks/encode.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/byte_code.h"
#include "stacks/compress.h"
#include "stacks/encoding.h"

namespace edgewise::stacks {
namespace {

// Every text once, in the order of first use.
class TextTable {
 public:
  uint64_t IdOf(std::string_view text) {
    const auto [place, is_new] = ids_.try_emplace(text, texts_.size());
    if (is_new) {
      texts_.push_back(text);
    }
    return place->second;
  }
  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string_view, uint64_t> ids_;
  std::vector<std::string_view> texts_;
};

void WriteOptional(std::optional<double> value, ByteWriter* writer) {
  writer->Byte(value ? 1 : 0);
  if (value) {
    writer->Double(*value);
  }
}

void WriteCollection(const Collection& collection, TextTable* texts,
                     ByteWriter* writer) {
  writer->Varint(texts->IdOf(collection.event));
  writer->Varint(texts->IdOf(collection.unit));
  WriteOptional(collection.rate_hz, writer);
  WriteOptional(collection.unwind_s, writer);
  for (const int64_t value :
       {collection.samples, collection.lost, collection.truncated,
        collection.broken, collection.reached_root, collection.python_missed,
        collection.spool_bytes}) {
    writer->Signed(value);
  }
  writer->Varint(collection.notes.size());
  for (const std::string& note : collection.notes) {
    writer->Varint(texts->IdOf(note));
  }
}

// Column by column: like next to like compresses better.
void WriteFrames(const std::vector<Frame>& frames, TextTable* texts,
                 ByteWriter* writer) {
  writer->Varint(frames.size());
  for (const Frame& frame : frames) {
    writer->Varint(texts->IdOf(frame.function));
  }
  for (const Frame& frame : frames) {
    writer->Varint(texts->IdOf(frame.module));
  }
  for (const Frame& frame : frames) {
    writer->Varint(texts->IdOf(frame.file));
  }
  for (const Frame& frame : frames) {
    writer->Signed(frame.line);
  }
  for (const Frame& frame : frames) {
    writer->Signed(frame.first_line);
  }
  for (const Frame& frame : frames) {
    writer->Byte(static_cast<uint8_t>(static_cast<unsigned>(frame.kind) |
                                      (frame.inlined ? kInlinedBit : 0U) |
                                      (frame.named ? kNamedBit : 0U)));
  }
}

void WriteNodes(const std::vector<StackNode>& nodes, ByteWriter* writer) {
  writer->Varint(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    writer->Varint(
        static_cast<uint64_t>(static_cast<int64_t>(i) - nodes[i].parent - 1));
  }
  int64_t before = 0;
  for (const StackNode& node : nodes) {
    writer->Signed(node.frame - before);
    before = node.frame;
  }
}

void WriteThreads(const std::vector<StackThread>& threads, TextTable* texts,
                  ByteWriter* writer) {
  writer->Varint(threads.size());
  for (const StackThread& thread : threads) {
    writer->Signed(thread.pid);
    writer->Signed(thread.tid);
    writer->Varint(texts->IdOf(thread.process));
    writer->Varint(texts->IdOf(thread.thread));
  }
}

void WriteCounts(const std::vector<StackCount>& counts, ByteWriter* writer) {
  writer->Varint(counts.size());
  int64_t before = 0;
  for (const StackCount& count : counts) {
    writer->Signed(count.node - before);
    before = count.node;
  }
  for (const StackCount& count : counts) {
    writer->Varint(static_cast<uint64_t>(count.thread));
  }
  for (const StackCount& count : counts) {
    writer->Varint(static_cast<uint64_t>(count.count));
  }
}

}  // namespace

std::string Encode(const StackProfile& profile) {
  assert(profile.Valid());
  TextTable texts;
  ByteWriter records;
  WriteCollection(profile.collection, &texts, &records);
  WriteFrames(profile.frames, &texts, &records);
  WriteNodes(profile.nodes, &records);
  WriteThreads(profile.threads, &texts, &records);
  WriteCounts(profile.counts, &records);
  ByteWriter body;
  body.Varint(texts.texts().size());
  for (const std::string_view text : texts.texts()) {
    body.Varint(text.size());
    body.Bytes(text);
  }
  body.Bytes(records.bytes());

  ByteWriter writer;
  writer.Byte(kFormat);
  writer.Varint(body.bytes().size());
  writer.Bytes(Deflated(body.bytes()));
  return writer.Sealed();
}

}  // namespace edgewise::stacks
