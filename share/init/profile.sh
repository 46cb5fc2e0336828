#!/bin/sh
# From nothing to the bundle: builds, measures, plans, executes, collects.
#
#   ./profile.sh             every step
#   ./profile.sh cards plan  only these
#
# Steps: build logs measure cards scale flame calibrate plan exec bundle.
# EDGEWISE=PATH says where edgewise is, if it is not installed: a prefix, or its
# source tree as built. goals.sh has the periods, deadlines and durations.
set -eu
cd "$(dirname "$0")"
. ./goals.sh

edgewise=edgewise
if [ -n "${EDGEWISE:-}" ]; then
  for folder in "$EDGEWISE/bin" "$EDGEWISE/build/release"; do
    [ ! -x "$folder/edgewise" ] || edgewise=$folder/edgewise
  done
  if [ -d "$EDGEWISE/clients/python" ]; then
    PYTHONPATH=$EDGEWISE/clients/python${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
  fi
fi
edgewise=${EDGEWISE_PROGRAM:-$edgewise}

say() { printf '\n== %s\n' "$*"; }

build() {
  cmake -S pipelines/cpp -B build ${EDGEWISE:+"-DEDGEWISE=$EDGEWISE"}
  cmake --build build
}

# The lab's CSV logs: a row for each measured block.
logs() {
  rm -f logs/camera*.csv logs/audio*.csv
  EDGEWISE_CSV=logs/camera.csv build/camera --items "$LOG_ITEMS"
  python3 pipelines/python/audio.py --items "$LOG_ITEMS" --log logs/audio.csv
}

# Each pipeline alone, at its period.
measure() {
  "$edgewise" run --label camera-alone --duration "$MEASURE" -- build/camera --period "$CAMERA_PERIOD_MS"
  "$edgewise" run --label audio-alone --duration "$MEASURE" -- python3 pipelines/python/audio.py --period "$AUDIO_PERIOD_MS"
}

# Of CPU time: these pipelines only compute. Without --cpu-time for one that
# waits for a device within its jobs.
cards() {
  "$edgewise" card camera-alone --span camera --cpu-time --name camera \
    --period "${CAMERA_PERIOD_MS}ms" --deadline "${CAMERA_DEADLINE_MS}ms" >cards/camera.yaml
  "$edgewise" card audio-alone --span audio --cpu-time --name audio \
    --period "${AUDIO_PERIOD_MS}ms" --deadline "${AUDIO_DEADLINE_MS}ms" >cards/audio.yaml
}

# What more threads buy: 1, 2, 4, … up to the cores there are.
scale() {
  threads=1
  n=2
  while [ "$n" -le "$(nproc)" ]; do
    threads=$threads,$n
    n=$((n * 2))
  done
  "$edgewise" sweep --threads "$threads" --repeat "$REPEAT" --span frame --svg plots/camera \
    -- build/camera --items "$SWEEP_ITEMS"
}

# Where the time goes, function by function.
flame() {
  "$edgewise" run --label camera-flame --stacks 199 --duration "$FLAME" -- build/camera --period "$CAMERA_PERIOD_MS"
  "$edgewise" run --label audio-flame --stacks 199 --duration "$FLAME" -- \
    python3 pipelines/python/audio.py --period "$AUDIO_PERIOD_MS"
}

# How late this machine starts jobs: the proof counts with it.
calibrate() {
  "$edgewise" calibrate --timers --duration "$CALIBRATE"
}

plan() {
  # shellcheck disable=SC2086 # flags are words
  "$edgewise" plan cards/*.yaml $PLAN_FLAGS --explain --gantt --svg plots/plan.svg -o plan/plan.yaml
}

# Before and after: the lab's way, then the plan. Exit code 1 is an answer: a
# deadline was missed, and the table says which.
execute() {
  "$edgewise" exec plan/plan.yaml --compare --duration "$EXEC" --svg plots/responses.svg || [ $? -eq 1 ]
}

bundle() {
  "$edgewise" bundle
}

[ $# -gt 0 ] || set -- build logs measure cards scale flame calibrate plan exec bundle
for step in "$@"; do
  case $step in
    build | logs | measure | cards | scale | flame | calibrate | plan | bundle) say "$step" && $step ;;
    exec) say "$step" && execute ;;
    *)
      echo "profile.sh: unknown step $step; known: build logs measure cards scale flame calibrate plan exec bundle" >&2
      exit 2
      ;;
  esac
done
