#!/bin/sh
# Fuzzes the parsers with libFuzzer and AddressSanitizer.
#
#   Tests/Fuzz/run.sh SECONDS [driver...]      each driver for SECONDS; default: all of drivers.list
#
# FUZZ_SEED fixes where the search starts; 0, the default, lets every run look elsewhere. Exits 1 when a driver does not build
# or finds a crash. New corpus entries, builds and crash artefacts stay under .build/fuzz; a finding belongs into
# Corpus/<driver>/ together with its fix.
#
# Two steps by hand, because SwiftPM renames `main` in an executable target, which libFuzzer's own `main` needs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out="$root/.build/fuzz"
seconds=${1:?usage: run.sh SECONDS [driver...]}
shift
case $seconds in '' | *[!0-9]*) echo "run.sh: SECONDS must be a number" >&2; exit 2 ;; esac

swiftc=${SWIFTC:-swiftc}
flags="-swift-version 6 -O -parse-as-library -package-name countersign
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault
    -enable-upcoming-feature InferIsolatedConformances"
# The runtime's own crash handler would take the signal before libFuzzer can save the input.
export SWIFT_BACKTRACE=enable=no
mkdir -p "$out" || exit 1

# build_module NAME [extra flags...]: once per run.
build_module() {
    name=$1
    shift
    case $built in *" $name "*) return 0 ;; esac
    built="$built$name "
    find "$root/Sources/$name" -name '*.swift' | sort >"$out/$name.sources"
    # shellcheck disable=SC2086,SC2046
    $swiftc $flags -wmo "$@" -I "$out" -module-name "$name" -emit-module -emit-module-path "$out/$name.swiftmodule" \
        -emit-library -static -o "$out/lib$name.a" -sanitize=fuzzer,address $(cat "$out/$name.sources")
}

# build_driver NAME WORDS...: the words are modules in build order and, with a leading dash, compiler arguments.
build_driver() {
    driver=$1
    shift
    extra=
    libraries=
    for word in "$@"; do
        case $word in
            -*) extra="$extra $word" ;;
            *) libraries="-l$word $libraries" ;;
        esac
    done
    for word in "$@"; do
        # shellcheck disable=SC2086
        case $word in
            -*) ;;
            *) build_module "$word" $extra || return 1 ;;
        esac
    done
    # shellcheck disable=SC2086
    $swiftc $flags $extra -I "$out" -L "$out" -module-name "Fuzz$driver" -sanitize=fuzzer,address -use-ld=lld \
        "$here/Drivers/$driver.swift" $libraries -o "$out/$driver"
}

fuzz() {
    driver=$1
    mkdir -p "$out/corpus/$driver" "$out/artefacts/$driver" "$here/Corpus/$driver"
    dictionary=
    [ -f "$here/$driver.dict" ] && dictionary="-dict=$here/$driver.dict"
    # A leak is a finding too (reference cycles); -timeout finds quadratic parsers.
    "$out/$driver" -max_total_time="$seconds" -seed="${FUZZ_SEED:-0}" -max_len=16384 -timeout=5 \
        -rss_limit_mb=1024 -print_final_stats=1 \
        ${dictionary:+"$dictionary"} -artifact_prefix="$out/artefacts/$driver/" \
        "$out/corpus/$driver" "$here/Corpus/$driver" >"$out/$driver.log" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
        echo "$driver: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$driver.log") runs in ${seconds} s, no finding"
    else
        echo "$driver: FAILED ($status), see $out/$driver.log and $out/artefacts/$driver/" >&2
        tail -n 25 "$out/$driver.log" >&2
    fi
    return $status
}

# "Name Module Module" of each driver; comments and empty lines dropped.
table=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$here/drivers.list")
[ $# -gt 0 ] || set -- $(printf '%s\n' "$table" | awk '{ print $1 }')

built=" "
failed=
for wanted in "$@"; do
    words=$(printf '%s\n' "$table" | awk -v name="$wanted" '$1 == name { $1 = ""; print; exit }')
    if [ -z "$words" ]; then
        echo "run.sh: no driver named $wanted in drivers.list" >&2
        failed="$failed $wanted"
        continue
    fi
    # shellcheck disable=SC2086
    if ! build_driver "$wanted" $words; then
        echo "$wanted: does not build" >&2
        failed="$failed $wanted"
    elif ! fuzz "$wanted"; then
        failed="$failed $wanted"
    fi
done
[ -z "$failed" ] || { echo "fuzz: FAILED:$failed" >&2; exit 1; }
