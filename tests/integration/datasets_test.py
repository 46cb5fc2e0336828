"""Datasets from folders, archives and HTTP servers, as `edgewise data` brings them."""
import hashlib
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import tarfile
import threading
import unittest
import zipfile

import driving
from driving import EdgewiseTest, wait_until
from file_server import FileServer

FILES = {"a/first.txt": b"first", "second.bin": bytes(range(256)) * 40, "über.txt": "grün".encode()}


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def digest_of(files):
    """What sha256sum would say of the files, and of that."""
    lines = [f"{sha256(content)}  {name}\n".encode() for name, content in files.items()]
    return sha256(b"".join(sorted(lines, key=lambda line: line[66:])))


def tar_of(*members, form="gz"):
    """An archive of (TarInfo or name, content) pairs."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{form}") as archive:
        for member, content in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def noise(size, seed=1):
    return random.Random(seed).randbytes(size)


class DataTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = str(self.scratch / "cache")
        self.cache = self.scratch / "cache/edgewise/datasets"

    def get(self, source, *options, **more):
        done = self.edgewise("data", "get", source, "--json", *options, **more)
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, source, *options, code=3, words=()):
        done = self.edgewise("data", "get", source, *options)
        self.assertEqual(done.code, code, done.stderr + done.stdout)
        self.assertEqual(done.stdout, "")
        self.assert_one_sentence(done.stderr, *words)
        return done.stderr

    def content(self, dataset):
        folder = pathlib.Path(dataset["folder"])
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def left(self):
        """Files in the cache that are neither records nor locks."""
        return [str(path.relative_to(self.cache)) for path in self.cache.rglob("*")
                if path.is_file() and path.suffix != ".lock" and path.parent.name != "sources"]

    def write(self, name, content):
        path = self.scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path


class Folders(DataTest):
    def test_digest_is_what_the_shell_says(self):
        for name, content in FILES.items():
            self.write(f"data/{name}", content)
        self.write("data/odd\\na\nme", b"odd")
        dataset = self.get("data")
        said = subprocess.run("find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum", shell=True,
                              cwd=self.scratch / "data", capture_output=True, text=True, check=True)
        self.assertEqual(dataset["digest"], said.stdout.split()[0])
        self.assertEqual((dataset["files"], dataset["folder"]), (4, str((self.scratch / "data").resolve())))

    def test_a_folder_that_lies_still_is_read_once(self):
        folder = driving.SOURCE / "tests/fuzz/corpus/card"
        first = self.get(folder)
        again = self.get(folder)
        self.assertEqual(first["digest"], again["digest"])
        self.assertTrue(again["from_cache"])


class Archives(DataTest):
    def test_every_form_gives_the_same_dataset(self):
        for name, content in FILES.items():
            self.write(f"data/{name}", content)
        digest = self.get("data")["digest"]
        self.assertEqual(digest, digest_of(FILES))
        for form in ("", "gz", "bz2", "xz"):
            path = self.write(f"x.tar.{form}".rstrip("."), tar_of(*FILES.items(), form=form))
            dataset = self.get(path)
            self.assertEqual((dataset["digest"], self.content(dataset)), (digest, FILES), form)
            self.assertEqual(dataset["file_sha256"], sha256(path.read_bytes()))
        with zipfile.ZipFile(self.scratch / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in FILES.items():
                archive.writestr(name, content)
        self.assertEqual(self.get("x.zip")["digest"], digest)
        self.assertTrue(self.get("x.zip")["from_cache"])
        listed = json.loads(self.edgewise("data", "list", "--json").stdout)
        self.assertEqual([row["digest"] for row in listed["datasets"]], [digest])

    def test_either_checksum_is_taken_and_another_refused(self):
        path = self.write("x.tar.gz", tar_of(*FILES.items()))
        for checksum in (sha256(path.read_bytes()), digest_of(FILES).upper()):
            self.get(path, "--sha256", checksum)
        self.refused(path, "--sha256", "0" * 64, words=[sha256(path.read_bytes()), "0" * 64])
        self.refused(path, "--sha256", "short", code=2, words=["sha256sum"])

    def test_links_inside_and_holes_are_kept(self):
        self.write("in/sparse", b"")
        with open(self.scratch / "in/sparse", "wb") as file:
            file.truncate(3 << 20)
            file.seek(1 << 20)
            file.write(b"island")
        (self.scratch / "in/sub").mkdir()
        (self.scratch / "in/sub/link").symlink_to("../sparse")
        os.link(self.scratch / "in/sparse", self.scratch / "in/twin")
        subprocess.run(["tar", "-S", "-cf", "x.tar", "-C", "in", "."], cwd=self.scratch, check=True)
        self.assertEqual(self.get("x.tar")["digest"], self.get("in")["digest"])

    def test_what_would_do_harm_is_refused_and_leaves_nothing(self):
        wicked = {
            "dots": (tar_of(("ok", b"1"), ("a/../../out", b"1")), "leads out"),
            "absolute": (tar_of(("/tmp/edgewise-out", b"1")), "leads out"),
            "link": (tar_of(special("l", tarfile.SYMTYPE, "../out"), ("l/x", b"1")), "leads out"),
            "absolute-link": (tar_of(special("l", tarfile.SYMTYPE, "/etc")), "leads out"),
            "chain": (tar_of(special("d", tarfile.SYMTYPE, "."), special("l", tarfile.SYMTYPE, "d/..")), "leads out"),
            "through": (tar_of(special("l", tarfile.SYMTYPE, "sub"), ("l/x", b"1"), ("sub/y", b"1")), "both a file and a folder"),
            "hard": (tar_of(special("h", tarfile.LNKTYPE, "../../etc/passwd")), "leads out"),
            "hard-missing": (tar_of(special("h", tarfile.LNKTYPE, "nobody")), "no file in it"),
            "device": (tar_of(special("null", tarfile.CHRTYPE)), "device"),
            "pipe": (tar_of(special("p", tarfile.FIFOTYPE)), "pipe"),
            "clash": (tar_of(("a", b"1"), ("a/b", b"1")), "both a file and a folder"),
            "empty": (tar_of(), "no files"),
            "cut": (tar_of(("a", noise(1 << 18)))[:-5000], "damaged"),
            "none": (b"this is no archive at all" * 100, "damaged, or no tar"),
        }
        for name, (content, words) in wicked.items():
            with self.subTest(name):
                self.refused(self.write(f"{name}.tar.gz", content), words=[name, words])
                self.assertEqual(self.left(), [])
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("../out", b"1")
        self.refused(self.write("dots.zip", zipped.getvalue()), words=["leads out"])
        self.assertEqual(self.left(), [])
        self.assertFalse((self.scratch / "out").exists() or pathlib.Path("/tmp/edgewise-out").exists())

    def test_bombs_are_refused(self):
        header = tarfile.TarInfo("zeros")
        header.size = 400 << 20
        bomb = subprocess.run("cat - /dev/zero | head -c 410M | gzip", shell=True, capture_output=True, check=True,
                             input=header.tobuf()).stdout
        self.assertLess(len(bomb), 1 << 20)
        self.refused(self.write("bomb.tar.gz", bomb), words=["times as large"])
        # A hole that no disk has.
        with open(self.scratch / "hole", "wb") as file:
            file.truncate(1 << 42)
        subprocess.run(["tar", "-S", "-cf", "hole.tar", "hole"], cwd=self.scratch, check=True)
        self.refused("hole.tar", words=["when unpacked"])
        self.assertEqual(self.left(), [])

    def test_a_file_that_is_no_archive_is_told_so(self):
        self.refused(self.write("video.mp4", b"x"), code=2, words=["put the file into a folder"])


class Servers(DataTest):
    def setUp(self):
        super().setUp()
        self.server = FileServer(self)
        self.body = tar_of(*FILES.items(), ("noise", noise(2 << 20)))
        self.server.files["x.tar.gz"] = self.body
        self.url = self.server.url("x.tar.gz")

    def statuses(self):
        return [status for _, status, *_ in self.server.requests]

    def test_is_fetched_once_and_asked_about_after(self):
        first = self.get(self.url)
        self.assertEqual(first["file_sha256"], sha256(self.body))
        self.assertEqual(self.content(first)["über.txt"], FILES["über.txt"])
        again = self.get(self.url)
        self.assertEqual((again["from_cache"], again["digest"]), (True, first["digest"]))
        self.assertEqual(self.statuses(), [200, 304])
        # What is named by content needs no server at all.
        self.server.stop()
        self.assertTrue(self.get(self.url, "--sha256", sha256(self.body))["from_cache"])
        self.assertTrue(self.get(self.url, "--sha256", first["digest"])["from_cache"])

    def test_a_connection_that_breaks_is_continued(self):
        self.server.cut["x.tar.gz"] = [700_000, 700_000]
        dataset = self.get(self.url)
        self.assertEqual(dataset["file_sha256"], sha256(self.body))
        self.assertEqual(self.statuses(), [200, 206, 206])
        self.assertEqual([note[2:4] for note in self.server.requests][1:],
                         [("bytes=700000-", '"1"'), ("bytes=1400000-", '"1"')])
        self.assertEqual(self.server.sent, len(self.body))

    def test_a_killed_edgewise_leaves_what_the_next_one_continues(self):
        self.server.hold["x.tar.gz"] = threading.Event()
        process = self.start("data", "get", self.url)
        wait_until(lambda: [path for path in self.cache.glob("partial/*/body") if path.stat().st_size > 100_000], "half of it")
        process.kill()
        process.wait()
        self.server.hold.pop("x.tar.gz").set()
        self.assertEqual(self.get(self.url)["file_sha256"], sha256(self.body))
        self.assertEqual(self.statuses(), [200, 206])
        self.assertEqual([name for name in self.left() if not name.startswith("sets/")], [])

    def test_another_version_begins_anew(self):
        self.server.hold["x.tar.gz"] = threading.Event()
        process = self.start("data", "get", self.url)
        wait_until(lambda: [path for path in self.cache.glob("partial/*/body") if path.stat().st_size > 100_000], "half of it")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        self.server.hold.pop("x.tar.gz").set()
        other = tar_of(("other", noise(1 << 20, seed=2)))
        self.server.files["x.tar.gz"], self.server.versions["x.tar.gz"] = other, '"2"'
        self.assertEqual(self.get(self.url)["file_sha256"], sha256(other))
        self.assertEqual(self.statuses(), [200, 200])

    def test_a_wrong_checksum_is_refused_and_leaves_nothing(self):
        self.refused(self.url, "--sha256", "1" * 64, words=[sha256(self.body), "1" * 64])
        self.assertEqual(self.left(), [])

    def test_a_server_that_fails_is_asked_again_one_that_refuses_is_not(self):
        self.server.refuse["x.tar.gz"] = [503, 429]
        self.get(self.url)
        self.assertEqual(self.statuses(), [503, 429, 200])
        self.server.requests.clear()
        self.refused(self.server.url("none.zip"), code=2, words=["there is nothing at", "(404)"])
        self.server.refuse["secret.zip"] = [403] * 5
        self.refused(self.server.url("secret.zip"), words=["may not be read", "(403)"])
        self.assertEqual(self.statuses(), [404, 403])

    def test_a_server_that_is_gone_is_said_or_made_up_for(self):
        first = self.get(self.url)
        other = self.server.url("other.zip")
        self.server.stop()
        done = self.edgewise("data", "get", self.url, "--json")
        self.assertEqual(done.code, 0, done.stderr)
        self.assert_one_sentence(done.stderr, "what was fetched on", "is used")
        self.assertEqual(json.loads(done.stdout)["digest"], first["digest"])
        self.refused(other, words=["other.zip"])

    def test_passwords_are_sent_to_their_host_alone_and_written_nowhere(self):
        elsewhere = FileServer(self)
        elsewhere.files["x.tar.gz"] = self.body
        self.server.leads["moved.tar.gz"] = elsewhere.url("x.tar.gz").replace("127.0.0.1", "localhost")
        self.server.asked_password.add("x.tar.gz")
        for name in ("x.tar.gz", "moved.tar.gz"):
            source = self.server.url(name + "?X-Amz-Signature=s3cr3t", user="me:pa55word@")
            dataset = self.get(source)
            self.assertEqual(dataset["file_sha256"], sha256(self.body))
            self.assertNotIn("pa55word", json.dumps(dataset))
            self.assertNotIn("s3cr3t", json.dumps(dataset))
        self.assertTrue(self.server.requests[-1][-1])
        self.assertEqual([note[-1] for note in elsewhere.requests], [None])
        message = self.refused(self.server.url("none.zip?X-Amz-Signature=s3cr3t", user="me:pa55word@"), code=2)
        kept = subprocess.run(["grep", "-rlE", "pa55word|s3cr3t", self.scratch], capture_output=True, text=True, check=False)
        self.assertEqual((kept.stdout, kept.returncode), ("", 1))
        self.assertNotRegex(message, "pa55word|s3cr3t")

    def test_a_file_that_is_no_archive_is_a_dataset_of_one(self):
        self.server.files["street.mp4"] = b"moving pictures"
        self.server.plain.add("street.mp4")
        self.assertEqual(self.content(self.get(self.server.url("street.mp4"))), {"street.mp4": b"moving pictures"})

    def test_two_at_once_fetch_it_once(self):
        self.server.hold["x.tar.gz"] = threading.Event()
        both = [self.start("data", "get", self.url, "--json") for _ in range(2)]
        wait_until(lambda: self.server.requests, "the first request")
        self.server.hold.pop("x.tar.gz").set()
        answers = [json.loads(process.communicate()[0]) for process in both]
        self.assertEqual([answer["file_sha256"] for answer in answers], [sha256(self.body)] * 2)
        self.assertEqual(sorted(self.statuses()), [200, 304])

    def test_certificates_are_checked(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.scratch / "key.pem",
                        "-out", self.scratch / "cert.pem"], check=True, capture_output=True)
        server = FileServer(self, certificate=(self.scratch / "cert.pem", self.scratch / "key.pem"))
        server.files["x.tar.gz"] = self.body
        self.refused(server.url("x.tar.gz"), words=["is not trusted"])
        self.environment["SSL_CERT_FILE"] = str(self.scratch / "cert.pem")
        self.assertEqual(self.get(server.url("x.tar.gz"))["file_sha256"], sha256(self.body))


class Cache(DataTest):
    def test_the_least_recently_used_go_first(self):
        digests = []
        for name in "abc":
            digests.append(self.get(self.write(f"{name}.tar", tar_of((name, noise(100_000)), form="")))["digest"])
        self.get("a.tar")
        done = self.edgewise("data", "prune", "--keep", "250000", "--json")
        self.assertEqual(json.loads(done.stdout), {"removed_datasets": 1, "removed_bytes": 100_000, "left_bytes": 200_000})
        listed = json.loads(self.edgewise("data", "list", "--json").stdout)["datasets"]
        self.assertEqual([row["digest"] for row in listed], [digests[0], digests[2]])
        # The limit holds without being asked for.
        self.environment["EDGEWISE_DATA_LIMIT"] = "250000"
        self.get("b.tar")
        listed = json.loads(self.edgewise("data", "list", "--json").stdout)["datasets"]
        self.assertEqual([row["digest"] for row in listed], [digests[1], digests[0]])
        self.assertEqual(self.edgewise("data", "prune").code, 0)
        self.assertEqual(self.left(), [])

    def test_a_killed_unpacking_is_swept_by_the_next_start(self):
        path = self.write("big.tar.xz", tar_of(*[(f"f{i}", noise(200_000, i)) for i in range(30)], form="xz"))
        process = self.start("data", "get", path)
        wait_until(lambda: list(self.cache.glob("work/*/files/f*")) or process.poll() is not None, "something unpacked")
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        self.assertTrue(self.left())
        self.assertEqual(self.edgewise("data", "list").code, 0)
        self.assertEqual(self.left(), [])
        self.assertEqual(list(self.cache.glob("work/*")), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root can make a small disk")
    def test_a_full_disk_is_one_sentence_and_leaves_nothing(self):
        small = self.scratch / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small], capture_output=True, check=False).returncode:
            self.skipTest("nothing may be mounted here")
        self.addCleanup(subprocess.run, ["umount", small], check=False)
        self.environment["XDG_CACHE_HOME"] = str(small)
        self.cache = small / "edgewise/datasets"
        server = FileServer(self)
        server.files["long.bin"] = server.files["unknown.bin"] = noise(8 << 20)
        server.plain.add("unknown.bin")
        self.refused(server.url("long.bin"), words=["needs 8 MiB more", "XDG_CACHE_HOME"])
        self.assertEqual(self.left(), [])
        self.refused(server.url("unknown.bin"), words=["does not fit on the disk"])
        self.assertEqual(self.left(), [])
        self.refused(self.write("x.tar", tar_of(("long", noise(8 << 20)), form="")), words=["does not fit on the disk"])
        self.assertEqual(self.left(), [])


if __name__ == "__main__":
    unittest.main()
