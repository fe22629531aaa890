#!/bin/sh
# Creates the Job from a file, shows its log, and exits with 0 if it completed, or 1 if it failed or did not start.
#   ./kubernetes-check.sh kubernetes-job.yaml [OPTION OF kubectl]...
set -eu
file=$1
shift
job=$(kubectl create --filename "$file" --output name "$@")
# This ends when the container ends. There may be no log to show.
kubectl logs --follow --pod-running-timeout=2m "$job" "$@" || true
# By now the Job has completed or failed.
kubectl wait --for=condition=complete --timeout=30s "$job" "$@"
