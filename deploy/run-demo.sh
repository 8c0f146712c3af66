#!/bin/sh
# Starts the demo upstream and the gateway in front of it; Ctrl-C stops both. Logs go to .build/run/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
binary=${COUNTERSIGN:-$root/.build/release/countersign}
logs=$root/.build/run
shop=127.0.0.1:8090 gateway=127.0.0.1:8080 admin=127.0.0.1:9180
demo_pid='' gateway_pid=''

stop() {
    trap '' INT TERM
    for pid in $gateway_pid $demo_pid; do kill -TERM "$pid" 2>/dev/null || true; done
    for pid in $gateway_pid $demo_pid; do wait "$pid" 2>/dev/null || true; done
}

fail() {
    echo "$1" >&2
    tail -n 5 "$logs/demo.log" "$logs/gateway.log" >&2 || true
    stop
    exit 1
}

# wait_for NAME PID URL: until it answers, for 10 seconds at most.
wait_for() {
    tries=0
    until curl -fsS -o /dev/null --max-time 1 "$3" 2>/dev/null; do
        kill -0 "$2" 2>/dev/null || fail "$1 ended; its last words:"
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "$1 does not answer at $3"
        sleep 0.1
    done
}

mkdir -p "$logs"
trap 'stop; echo; echo "stopped"; exit 0' INT TERM
# The credentials of the demo upstream, for this run only. Yours come from files: see the config.
export SHOP_USER=13800138006 SHOP_PASSWORD=demo-password SHOP_SIGN_KEY=tpshop2
"$binary" demo --listen "$shop" --user "$SHOP_USER" --password "$SHOP_PASSWORD" --sign-key "$SHOP_SIGN_KEY" \
    >"$logs/demo.log" 2>&1 &
demo_pid=$!
"$binary" run "$root/config/countersign.example.yaml" >"$logs/gateway.log" 2>&1 &
gateway_pid=$!
wait_for "The demo upstream" "$demo_pid" "http://$shop/_demo/counters"
wait_for "The gateway" "$gateway_pid" "http://$admin/livez"

cat <<END
Countersign is on http://$gateway, in front of the demo shop on http://$shop. Logs: .build/run/. Try:

  1. a call that logs in by itself:
     curl -d 'page=1' http://$gateway/api/User/userInfo

  2. a call while the shop is off (for 20 seconds), in Chinese:
     curl -X POST 'http://$shop/_demo/down?for=20000'; curl -d 'page=1' -H 'Accept-Language: zh' http://$gateway/api/User/userInfo

  3. how it is:
     curl http://$admin/health

Ctrl-C stops both.
END

# Whichever ends first ends the run: neither is of use alone.
while kill -0 "$demo_pid" 2>/dev/null && kill -0 "$gateway_pid" 2>/dev/null; do sleep 1; done
fail "one of the two ended; the last words of both:"
