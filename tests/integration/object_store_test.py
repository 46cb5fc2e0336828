"""Datasets from an object store: signatures, listings, and what goes wrong on the way."""
import json
import signal
import unittest

from datasets_test import DataTest, digest_of, noise, sha256, tar_of
from driving import wait_until
from object_store import ID, REGION, SECRET, TOKEN, ObjectStore

OBJECTS = {"a b+c=d&e.txt": b"odd", "sub/über~(1).txt": b"umlaut", "empty": b"", "large.bin": noise(3_000_000)}


class ObjectStoreTest(DataTest):
    def setUp(self):
        super().setUp()
        self.store = ObjectStore(self)
        self.environment.update({"AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION,
                                 "AWS_ENDPOINT_URL": self.store.address})

    def put_all(self):
        for name, content in OBJECTS.items():
            self.store.put("lab", f"street/2026/{name}", content)
        self.store.put("lab", "street/2026b/other", b"not this one")

    def asked(self, part):
        return [request for request in self.store.requests() if part in request["url"]]

    def test_the_objects_below_a_prefix_are_a_dataset(self):
        self.put_all()
        dataset = self.get("s3://lab/street/2026")
        self.assertEqual((self.content(dataset), dataset["digest"]), (OBJECTS, digest_of(OBJECTS)))
        again = self.get("s3://lab/street/2026/")
        self.assertTrue(again["from_cache"])
        self.assertEqual(len(self.asked("large.bin")), 1)
        # Changed there, fetched anew.
        self.store.put("lab", "street/2026/empty", b"no more")
        changed = self.get("s3://lab/street/2026")
        self.assertEqual(changed["digest"], digest_of({**OBJECTS, "empty": b"no more"}))
        self.environment["AWS_SESSION_TOKEN"] = TOKEN
        self.assertTrue(self.get("s3://lab/street/2026")["from_cache"])
        self.refused("s3://lab/street/2026", "--sha256", "0" * 64, words=[changed["digest"]])
        self.store.stop()
        self.get("s3://lab/street/2026", "--sha256", digest_of(OBJECTS))

    def test_listings_of_many_pages_are_read_to_the_end(self):
        self.store.fill("lab", "many/", 1200)
        dataset = self.get("s3://lab/many")
        self.assertEqual(dataset["digest"], digest_of({str(i): f"object {i}".encode() for i in range(1200)}))
        self.assertEqual(len(self.asked("list-type=2")), 2)
        self.assertEqual(len(self.asked("continuation-token=")), 1)

    def test_one_object_is_a_dataset_too(self):
        files = {"x": b"1", "y/z": b"2"}
        archive = tar_of(*files.items())
        self.store.put("lab", "packed/x.tar.gz", archive)
        self.store.put("lab", "packed/clip.mp4", b"clip")
        dataset = self.get("s3://lab/packed/x.tar.gz", "--sha256", sha256(archive))
        self.assertEqual(self.content(dataset), files)
        self.assertEqual(self.content(self.get("s3://lab/packed/clip.mp4")), {"clip.mp4": b"clip"})
        self.assertTrue(self.get("s3://lab/packed/clip.mp4")["from_cache"])

    def test_credentials_are_found_where_other_tools_look(self):
        self.put_all()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_ENDPOINT_URL"):
            del self.environment[name]
        self.write(".aws/credentials", f"[default]\naws_access_key_id=nobody\naws_secret_access_key=x\n\n[lab]\n"
                   f"aws_access_key_id = {ID}\naws_secret_access_key = {SECRET}\naws_session_token = {TOKEN}\n".encode())
        self.write(".aws/config", f"[default]\nregion = {REGION}\nendpoint_url = {self.store.address}\n[profile lab]\nregion = {REGION}\n"
                   f"services = here\n[services here]\ns3 =\n  endpoint_url = {self.store.address}/\n".encode())
        self.refused("s3://lab/street/2026", words=["does not know the access key", ".aws/credentials"])
        self.environment["AWS_PROFILE"] = "lab"
        self.assertEqual(self.get("s3://lab/street/2026")["digest"], digest_of(OBJECTS))
        for path in self.cache.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                self.assertFalse(SECRET.encode() in content or TOKEN.encode() in content, path)

    def test_refusals_say_what_to_do(self):
        self.put_all()
        source = "s3://lab/street/2026"
        environment = dict(self.environment)
        for change, words in [({"AWS_SECRET_ACCESS_KEY": "wrong"}, ["secret key from AWS_ACCESS_KEY_ID does not belong"]),
                              ({"AWS_ACCESS_KEY_ID": "nobody"}, ["does not know the access key"]),
                              ({"AWS_SESSION_TOKEN": "expired"}, ["has expired"]),
                              ({"AWS_REGION": "us-east-1"}, [f"is in the region {REGION}", "set AWS_REGION"]),
                              ({"AWS_ACCESS_KEY_ID": ""}, ["is not public", "AWS_SECRET_ACCESS_KEY"]),
                              ({"AWS_SECRET_ACCESS_KEY": ""}, ["no AWS_SECRET_ACCESS_KEY"]),
                              ({"AWS_PROFILE": "none"}, ["no profile none"]),
                              ({"AWS_ENDPOINT_URL": "ftp://x"}, ["AWS_ENDPOINT_URL"])]:
            with self.subTest(change):
                self.environment = {**environment, **change}
                done = self.edgewise("data", "get", source)
                self.assertIn(done.code, (2, 3))
                self.assert_one_sentence(done.stderr, *words)
                self.assertNotIn(SECRET, done.stderr)
        self.environment = environment
        self.refused("s3://nobucket/x", code=2, words=["no bucket nobucket"])
        self.refused("s3://lab/nothing", code=2, words=["nothing under s3://lab/nothing"])
        self.refused("s3:///x", code=2, words=["names no bucket"])
        self.store.fault(skew_s=7200)
        self.refused(source, words=["clock is off", "timedatectl"])

    def test_what_breaks_on_the_way_is_continued(self):
        self.put_all()
        self.store.fault(match="large.bin", cut_after=1_000_000, times=2)
        self.store.fault(match="list-type=2", status=503, times=2)
        self.assertEqual(self.get("s3://lab/street/2026")["digest"], digest_of(OBJECTS))
        self.assertEqual([request.get("range") for request in self.asked("large.bin")], [None, "bytes=1000000-", "bytes=2000000-"])
        self.assertEqual(len(self.asked("list-type=2")), 3)

    def test_what_was_fetched_before_a_kill_is_not_fetched_again(self):
        self.put_all()
        self.store.fault(match="large.bin", status=503, headers={"Retry-After": "600"})
        process = self.start("data", "get", "s3://lab/street/2026")
        wait_until(lambda: sum(len(path.read_text().splitlines()) for path in self.cache.glob("partial/*/done")) == 3, "three objects")
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = len(self.store.requests())
        process = self.start("data", "get", "s3://lab/street/2026")
        wait_until(lambda: len(self.store.requests()) >= before + 2, "the next try")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        later = [request["url"] for request in self.store.requests()[before:]]
        self.assertEqual({url.rpartition("/")[2] for url in later if "list-type" not in url}, {"large.bin"})

    def test_unknown_is_said_as_json_alone(self):
        self.put_all()
        done = self.edgewise("data", "get", "s3://lab/street/2026", "--json")
        self.assertIsNone(json.loads(done.stdout)["file_sha256"])


if __name__ == "__main__":
    unittest.main()
