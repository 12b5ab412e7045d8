# What the tests of this folder share. A test sets -euo pipefail, changes to its folder and sources this file. It then
# has a temporary folder, $tmp. It may define clean_up, which runs at its end, before that folder is removed.

test=deploy/${PWD##*/}/test
tmp=$(mktemp -d)
clean_up() { :; }
trap 'clean_up; rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

# fail TEXT ends the test.
fail() {
	echo "$test: $1" >&2
	exit 1
}

# need PROGRAM... ends the test if a program is not installed.
need() {
	local program
	for program; do
		command -v "$program" > /dev/null || fail "$program is not installed"
	done
}

# await SECONDS WHAT CONDITION waits until a condition holds, and fails after so many seconds.
await() {
	local end=$((SECONDS + $1))
	until eval "$3" 2> /dev/null; do
		if [ $SECONDS -ge $end ]; then
			echo "$test: timed out waiting for $2" >&2
			return 1
		fi
		sleep 0.5
	done
}

# build makes the program and puts it into the PATH.
build() {
	(cd ../.. && go build -o "$tmp/bin/selfplay" ./cmd/selfplay)
	export PATH=$tmp/bin:$PATH
}

# install makes PYTHON a Python that has the packages of requirements.txt, in a temporary environment unless it is set.
install() {
	[ -z "${PYTHON:-}" ] || return 0
	python3 -m venv "$tmp/venv"
	PYTHON=$tmp/venv/bin/python
	"$PYTHON" -m pip install --quiet --disable-pip-version-check -r requirements.txt
}

# end_runs ends the runs of this test that outlived their machine.
end_runs() {
	local pid
	for pid in $(pgrep -x selfplay); do
		[ "$(readlink "/proc/$pid/exe")" != "$tmp/bin/selfplay" ] || kill "$pid" || true
	done
}

# equals_local DIR FLAG... compares a dataset with that of one local run, byte for byte.
equals_local() {
	selfplay run --quiet --out "$tmp/local" "${@:2}"
	diff -r "$tmp/local" "$1"
	echo "equal to the local run, $SECONDS s"
}
