"""Publishes datasets on a hub and reads them from there, by the commands of docs/loading.md. The hub is a folder on this
machine: a server answers what huggingface_hub asks.

    python hub.py EXPORT HUB DIR...      HUB is a new folder, each DIR a dataset
"""

import base64
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

REVISION = "0" * 40


class Hub(http.server.BaseHTTPRequestHandler):
    """Repositories of datasets as folders: lab/demo is folder/lab/demo."""

    protocol_version = "HTTP/1.1"
    folder = Path()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        place = urlsplit(self.path).path.split("/")  # "", api, datasets, lab, demo, what, main
        what = place[5] if len(place) > 5 else place[-1]
        if what == "preupload":
            files = [{"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in json.loads(body)["files"]]
            return self.answer({"files": files})
        if what == "commit":
            for line in body.splitlines():
                self.commit(self.folder / place[3] / place[4], json.loads(line))
            return self.answer({"commitOid": REVISION, "commitUrl": f"{self.url(place[3], place[4])}/commit/{REVISION}"})
        if what == "create":
            repo = json.loads(body)
            return self.answer({"url": self.url(repo["organization"], repo["name"])})
        self.answer({"errors": [], "warnings": []})  # of a card

    def url(self, owner, name):
        return f"{os.environ['HF_ENDPOINT']}/datasets/{owner}/{name}"

    def commit(self, repo, operation):
        if operation["key"] == "file":
            file = repo / operation["value"]["path"]
            assert repo in file.parents
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(base64.b64decode(operation["value"]["content"]))

    def do_GET(self):
        place = unquote(urlsplit(self.path).path).split("/")
        if place[1] == "api" and len(place) > 4:
            repo = self.folder / place[3] / place[4]
            if place[5:6] == ["tree"]:  # "", api, datasets, lab, demo, tree, revision, a folder
                return self.answer(self.tree(repo, repo.joinpath(*place[7:]), "recursive=true" in self.path.lower()))
            siblings = [{"rfilename": file["path"]} for file in self.tree(repo, repo, True) if file["type"] == "file"]
            return self.answer({"id": f"{place[3]}/{place[4]}", "sha": REVISION, "siblings": siblings, "tags": [], "private": False, "gated": False})
        file = self.folder.joinpath(*place[2:4], *place[6:])  # "", datasets, lab, demo, resolve, revision, path
        if not file.is_file():
            return self.answer({"error": "Entry not found"}, 404, {"X-Error-Code": "EntryNotFound"})
        data = file.read_bytes()
        self.send(200, data, {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": REVISION})

    do_HEAD = do_GET

    def tree(self, repo, folder, recursive):
        """Returns what is in a folder of a repository."""
        found = sorted(folder.rglob("*") if recursive else folder.glob("*"))
        kinds = {True: "directory", False: "file"}
        return [{"type": kinds[f.is_dir()], "path": f.relative_to(repo).as_posix(), "size": f.stat().st_size, "oid": REVISION} for f in found]

    def answer(self, document, code=200, headers=()):
        self.send(code, json.dumps(document).encode(), {"Content-Type": "application/json", **dict(headers)})

    def send(self, code, data, headers):
        self.send_response(code)
        for name, value in {**headers, "Content-Length": len(data)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_):
        """Requests are not logged."""


def main(export, hub, folders):
    Hub.folder = Path(hub)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        os.environ.pop(name, None)
    os.environ |= {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_HOME": f"{hub}/home", "HF_TOKEN": "hf_x", "HF_HUB_DISABLE_XET": "1"}
    for number, folder in enumerate(folders):
        check(export, folder, f"lab/demo-{number}")
    print(f"hub: {len(folders)} datasets published, read and verified")


def check(export, folder, name):
    upload(folder, name)
    import datasets  # these read the variables of main when they are imported
    import huggingface_hub

    import selfplay

    datasets.disable_progress_bars()
    huggingface_hub.utils.disable_progress_bars()
    own = selfplay.open(folder)
    loaded = datasets.load_dataset(name)
    assert {split: len(rows) for split, rows in loaded.items()} == own.splits, (loaded, own.splits)
    copy = selfplay.open(huggingface_hub.snapshot_download(name, repo_type="dataset"))
    for split in own.splits:
        want = own[split].to_arrow()
        rows = loaded[split].with_format("arrow")[:]
        assert copy[split].to_arrow().equals(want) and rows.cast(want.schema).equals(want)
    subprocess.run([export, "verify", "--deep", "--quiet", copy.path], check=True)


def upload(folder, name):
    """The command of docs/loading.md."""
    command = [Path(sys.executable).with_name("hf"), "upload", name, folder, ".", "--repo-type", "dataset"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
