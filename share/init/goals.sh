# What each pipeline has to meet, and how long to measure. profile.sh reads this;
# what is set in the environment already stays.
: "${CAMERA_PERIOD_MS:=20}"    # one frame so often
: "${CAMERA_DEADLINE_MS:=20}"  # and so long may it take
: "${AUDIO_PERIOD_MS:=100}"
: "${AUDIO_DEADLINE_MS:=100}"

: "${MEASURE:=60s}"   # each pipeline alone; a p99 with its bound takes some 300 jobs
: "${LOG_ITEMS:=500}" # rows of each CSV log
: "${SWEEP_ITEMS:=200}"
: "${REPEAT:=5}"      # of each point of the scaling curves; intervals need 5
: "${FLAME:=10s}"
: "${CALIBRATE:=30s}" # how late this machine starts jobs; plans count with it
: "${PLAN_FLAGS:=}"    # further ones; --accept-observed: plan with few samples
: "${EXEC:=60s}"      # each way: the lab's, and the plan
