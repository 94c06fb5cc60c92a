#!/usr/bin/env bash
set -euo pipefail
. ./lib.sh
source "$(dirname "$0")/b.sh"
readonly LIMIT=3
export A=${B:-"x${C%%/*}"} arr=(1 "two")
# Runs.
run() {
  local x="$1"; shift
  if [[ $x =~ ^a(b|c)$ && -f "$x" ]] || test -n "$x"; then
    for i in {1..3} "${arr[@]}"; do echo $((i + 1)) `date` > /dev/null 2>&1; done
  elif (( x < 1 )); then case "$x" in a|b*) f ;; *) g "$@" & ;; esac
  fi
  while read -r l; do cat <<-E | grep 'x' <<< "$l"
	text $(h "$l") ${x^^}
	E
  done < <(ls)
  trap 'rm -f "$t"' EXIT
}
function other { run $'a\n' "$@"; }
[ $# -gt 0 ] && other
