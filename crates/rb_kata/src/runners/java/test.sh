#!/bin/sh
# Compiles the code and its tests and runs the tests: `sh harness/test.sh`.
# With the name of a file as argument, it writes a JUnit report there.
set -eu
cd "$(dirname "$0")/.."
rm -rf build
mkdir -p build/main build/test
find harness src -name '*.java' > build/main.txt
javac -encoding UTF-8 -proc:none -cp build/main -d build/main @build/main.txt
if [ -d test ]; then
    find test -name '*.java' > build/test.txt
    if [ -s build/test.txt ]; then
        javac -encoding UTF-8 -proc:none -cp build/main -d build/test @build/test.txt
    fi
fi
exec java -ea -cp build/main:build/test harness.RunTests build/test "$@"
