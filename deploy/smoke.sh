#!/bin/sh
# Starts what the systemd unit starts, word for word, and makes one request through it: smoke.sh [BINARY]
#
# Only the places change: the unit's binary is replaced by BINARY (default: the release build) and its config by a copy of
# the example on free ports, with the demo shop behind it. Needs curl; neither root nor systemd.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
unit=$root/deploy/systemd/countersign.service
binary=${1:-${COUNTERSIGN:-$root/.build/release/countersign}}
folder=$(mktemp -d)
: >"$folder/demo.log"
: >"$folder/gateway.log"
demo_pid='' gateway_pid=''

stop() {
    for pid in $gateway_pid $demo_pid; do kill -TERM "$pid" 2>/dev/null || true; done
    for pid in $gateway_pid $demo_pid; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM

fail() {
    echo "smoke: $1" >&2
    cat "$folder"/*.log >&2 2>/dev/null || true
    exit 1
}

# value KEY: of the unit, continued lines are not used there.
value() { sed -n "s/^$1=//p" "$unit"; }

# wait_for FILE PATTERN PID: the first match of the pattern, within ten seconds.
wait_for() {
    tries=0
    until found=$(sed -nE "$2" "$1" | head -n 1) && [ -n "$found" ]; do
        kill -0 "$3" 2>/dev/null || fail "a process ended early"
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "no line in $1 within ten seconds"
        sleep 0.1
    done
    echo "$found"
}

[ -x "$binary" ] || fail "there is no $binary: make build"
start=$(value ExecStart)
[ -n "$start" ] || fail 'the unit has no ExecStart'
case $start in
    '/usr/local/bin/countersign run /etc/countersign/'*) ;;
    *) fail "unexpected ExecStart: $start" ;;
esac
reload=$(value ExecReload)
[ "$reload" = '/bin/kill -HUP $MAINPID' ] || fail "unexpected ExecReload: $reload"

"$binary" demo --listen 127.0.0.1:0 --user smoke --password smoke-password --sign-key smoke-key 2>"$folder/demo.log" &
demo_pid=$!
shop=$(wait_for "$folder/demo.log" 's/^demo shop listening on port ([0-9]+)$/\1/p' "$demo_pid")

sed -e 's/127\.0\.0\.1:8080/127.0.0.1:0/' -e 's/127\.0\.0\.1:9180/127.0.0.1:0/' -e "s/127\.0\.0\.1:8090/127.0.0.1:$shop/" \
    -e 's/{env: SHOP_USER}/{credential: shop-user}/' -e 's/{env: SHOP_PASSWORD}/{credential: shop-password}/' \
    -e 's/{env: SHOP_SIGN_KEY}/{credential: shop-sign-key}/' \
    "$root/config/countersign.example.yaml" >"$folder/countersign.yaml"

# What LoadCredential does.
mkdir -m 700 "$folder/credentials"
umask 077
printf 'smoke\n' >"$folder/credentials/shop-user"
printf 'smoke-password\n' >"$folder/credentials/shop-password"
printf 'smoke-key\n' >"$folder/credentials/shop-sign-key"
for name in shop-user shop-password shop-sign-key; do
    value LoadCredential | grep -q "^$name:" || fail "the unit loads no credential $name"
done

# The unit's environment and its command line; the first word and the last change, those between stay.
words=${start#/usr/local/bin/countersign }
words=${words% /etc/countersign/*}
# shellcheck disable=SC2046,SC2086
env -i PATH="$PATH" CREDENTIALS_DIRECTORY="$folder/credentials" $(value Environment) \
    "$binary" $words "$folder/countersign.yaml" >"$folder/access.log" 2>"$folder/gateway.log" &
gateway_pid=$!
wait_for "$folder/gateway.log" 's/.*"message":"(ready)".*/\1/p' "$gateway_pid" >/dev/null
gateway=$(wait_for "$folder/gateway.log" 's/.*"address":"([^"]+)","role":"main".*/\1/p' "$gateway_pid")

answer=$(curl -sS --max-time 10 -d page=1 "http://$gateway/api/User/userInfo") || fail 'no answer'
case $answer in
    '{"success":true,"code":1,'*) ;;
    *) fail "unexpected answer: $answer" ;;
esac

kill -HUP "$gateway_pid"
wait_for "$folder/gateway.log" 's/.*"message":"(reloaded)".*/\1/p' "$gateway_pid" >/dev/null
kill -TERM "$gateway_pid"
code=0
wait "$gateway_pid" || code=$?
gateway_pid=''
[ "$code" = 0 ] || fail "exit code $code after SIGTERM"
echo 'smoke: the unit starts, answers, reloads and stops'
