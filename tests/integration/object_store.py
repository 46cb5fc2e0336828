"""An object store of a test's own, with signatures checked: see tests/s3/server.mjs."""
import json
import os
import pathlib
import subprocess
import urllib.parse
import urllib.request

from driving import SOURCE, wait_until

ID, SECRET, TOKEN, REGION = "S3RVER", "wJalr/XUtn+FEMI=K7MDENG", "a/valid+token==", "eu-central-1"


class ObjectStore:
    def __init__(self, test):
        folder = test.scratch / "store"
        folder.mkdir()
        packages = pathlib.Path(os.environ["EDGEWISE_FAKES"]) / "tests/s3_packages"
        # s3rver makes the tokens of its listings with DES.
        with open(folder.with_suffix(".out"), "wb") as output:
            process = subprocess.Popen([SOURCE / "tests/browser/run", SOURCE / "tests/s3", packages,
                                        "--openssl-legacy-provider", SOURCE / "tests/s3/server.mjs", folder],
                                       stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)
        test.addCleanup(test.finish, process)
        self.process = process

        def port():
            said = folder.with_suffix(".out").read_text()
            assert process.poll() is None, said
            return int(said) if said.endswith("\n") and said.strip().isdigit() else None

        self.address = f"http://127.0.0.1:{wait_until(port, 'the object store')}"

    def ask(self, path, content=b"", method="POST"):
        with urllib.request.urlopen(urllib.request.Request(self.address + path, data=content, method=method)) as answer:
            return answer.read()

    def put(self, bucket, key, content):
        self.ask(f"/_put/{bucket}/{urllib.parse.quote(key)}", content, "PUT")

    def fill(self, bucket, prefix, count):
        self.ask("/_fill", json.dumps({"bucket": bucket, "prefix": prefix, "count": count}).encode())

    def fault(self, **fault):
        self.ask("/_fault", json.dumps(fault).encode())

    def requests(self):
        return json.loads(self.ask("/_log", method="GET"))

    def stop(self):
        self.process.kill()
        self.process.wait()
