/* edgewise: measure an application from the inside. C interface.
 *
 * What is recorded goes through shared memory to the collector that listens
 * on $EDGEWISE_SOCKET, else on /run/edgewise/agent.sock. Without a collector
 * calls cost a few nanoseconds and do nothing, unless EDGEWISE_CSV names a
 * file for rows in the format of docs/formats/profile-log.md.
 *
 * No function blocks, allocates, fails visibly or changes errno, but
 * edgewise_next_release, which is there to wait. All others may be called from
 * any thread, from signal handlers and after fork. When a ring is
 * full, records are dropped and counted; the collector shows the count.
 *
 * Times are CLOCK_MONOTONIC nanoseconds. */
#ifndef EDGEWISE_EDGEWISE_H_
#define EDGEWISE_EDGEWISE_H_

#include <stddef.h>
#include <stdint.h>

#define EDGEWISE_API __attribute__((visibility("default")))
#define EDGEWISE_NO_CPU_TIME UINT64_MAX

#ifdef __cplusplus
extern "C" {
#endif

/* A name for spans and metrics; 0 is no name. Valid for the whole life of the
 * process, in all threads and in forked children. */
typedef uint32_t edgewise_name;

/* The id of a name: UTF-8, cut to 63 bytes. At most 4095 different names;
 * beyond that 0, and what is recorded under it is dropped and counted. */
EDGEWISE_API edgewise_name edgewise_intern(const char* text);

/* A running measurement. The caller owns it; its fields are private. It may
 * be ended by another thread than the one that began it (its CPU time is then
 * unknown). One that was begun before a fork counts in the parent only. */
typedef struct edgewise_span {
  uint64_t start_ns;
  uint64_t cpu_start_ns;
  uint64_t epoch;
  void* owner;
  edgewise_name name;
  uint32_t depth;
  uint32_t mode;
  int32_t tid;
} edgewise_span;

/* Begins a span of wall and thread CPU time. */
EDGEWISE_API void edgewise_span_begin(edgewise_span* span, edgewise_name name);
/* Begins a span of wall time only: much cheaper, no system call. */
EDGEWISE_API void edgewise_timer_begin(edgewise_span* span, edgewise_name name);
/* Ends either and records it. A second end of the same span does nothing. */
EDGEWISE_API void edgewise_span_end(edgewise_span* span);
/* The same with metadata: lines "key=value", separated by '\n'. At most 224
 * bytes are kept, cut between lines; cuts are counted. */
EDGEWISE_API void edgewise_span_end_meta(edgewise_span* span, const char* meta,
                                         size_t meta_bytes);
/* Forgets a span that should not be recorded. */
EDGEWISE_API void edgewise_span_cancel(edgewise_span* span);

/* Records a span that was timed elsewhere. cpu_ns may be
 * EDGEWISE_NO_CPU_TIME; meta may be NULL. */
EDGEWISE_API void edgewise_span_record(edgewise_name name, uint64_t start_ns,
                                       uint64_t wall_ns, uint64_t cpu_ns,
                                       const char* meta, size_t meta_bytes);

/* The current value of something. NaN and infinities are left out, here and
 * for rates. */
EDGEWISE_API void edgewise_gauge(edgewise_name name, double value);
/* Adds to a count; the collector sees the total of this process. */
EDGEWISE_API void edgewise_counter_add(edgewise_name name, int64_t delta);
/* A frequency, such as frames per second. */
EDGEWISE_API void edgewise_rate(edgewise_name name, double per_second);
/* One job of a periodic activity. release_ns is when it was meant to start,
 * so that latency counts waiting too; deadline_ns is absolute. */
EDGEWISE_API void edgewise_job(edgewise_name name, uint64_t release_ns,
                               uint64_t start_ns, uint64_t end_ns,
                               uint64_t deadline_ns, uint64_t cpu_ns);

/* A value of the application that the agent of its node may set, within a range
 * (docs/control.md), such as how many frames are skipped. */
typedef uint32_t edgewise_knob;
/* At most 24 different names; beyond that, for a name that is none and for an
 * empty range, 0. One that is there already keeps its range. */
EDGEWISE_API edgewise_knob edgewise_knob_declare(const char* name,
                                                 double preset, double least,
                                                 double most);
/* What it is to be now: the preset value unless an agent that is there wants
 * another. Always within the range; 0 for knob 0. Costs a few nanoseconds. */
EDGEWISE_API double edgewise_knob_value(edgewise_knob knob);

EDGEWISE_API uint64_t edgewise_now_ns(void);
EDGEWISE_API uint64_t edgewise_thread_cpu_ns(void);

/* Tries to reach a collector now instead of at the next measurement after the
 * retry interval. 1 if there is one, else 0. Never needed, never blocks. */
EDGEWISE_API int edgewise_connect(void);

/* Whether what is recorded now would be collected: 1 or 0. Looks for a
 * collector no more often than measuring does. */
EDGEWISE_API int edgewise_listening(void);

/* Jobs that an executor releases (`edgewise exec`): it decides when each may
 * run, so that tasks of several processes share cores by their deadlines.
 *
 * Whether the caller is to run the jobs of this process: 1 once, for the first
 * caller, if $EDGEWISE_RELEASES names an executor that is there; else 0. The
 * calling thread is the one that must call the two functions below. */
EDGEWISE_API int edgewise_claim_releases(void);
/* Waits for the next release. 1: a job may run now, its release and absolute
 * deadline are set. 0: nobody drives this process. -1: no more will come, the
 * program is to end. -2: a signal came; call again to go on waiting. */
EDGEWISE_API int edgewise_next_release(uint64_t* release_ns,
                                       uint64_t* deadline_ns);
/* The job of the last release has ended, at end_ns. cpu_ns may be
 * EDGEWISE_NO_CPU_TIME: that of the calling thread since the release. */
EDGEWISE_API void edgewise_release_done(uint64_t end_ns, uint64_t cpu_ns);

/* Appends one row to a profile log (docs/formats/profile-log.md), adding
 * resident memory, threads and affinity as they are now. cpu_ns is that of the
 * whole process, or EDGEWISE_NO_CPU_TIME. A file whose header has other
 * metadata columns is left alone: the row goes to "name-2.csv", "name-3.csv",
 * ... 0, or an errno value. */
EDGEWISE_API int edgewise_csv_append(const char* path, const char* label,
                                     uint64_t wall_ns, uint64_t cpu_ns,
                                     uint64_t timestamp_ns, const char* meta,
                                     size_t meta_bytes);

#ifdef __cplusplus
}
#endif

#endif /* EDGEWISE_EDGEWISE_H_ */
