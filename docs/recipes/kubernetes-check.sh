#!/bin/sh
# Creates the Job in a file, shows its log, and ends as the Job does: 0 if it completed, 1 if it failed or did not start.
#   ./kubernetes-check.sh kubernetes-job.yaml [OPTION OF kubectl]...
set -eu
file=$1
shift
job=$(kubectl create --filename "$file" --output name "$@")
# Ends with the container, however that ends. If there is no log, there is none to show.
kubectl logs --follow --pod-running-timeout=2m "$job" "$@" || true
# By now it is one or the other; a Job that failed never completes.
kubectl wait --for=condition=complete --timeout=30s "$job" "$@"
