"""What `doctor` says this machine can do is what `run` can do."""
import json
import os
import shutil
import unittest

from driving import EDGEWISE, EdgewiseTest

NOBODY = 65534

# What is claimed, and a run that needs it.
CLAIMS = {
    "CPU quota": ["--cpu-quota", "50%"],
    "memory limit": ["--memory-limit", "200Mi"],
    "affinity": ["--cpus", str(min(os.sched_getaffinity(0)))],
    "nice": ["--nice", "1"],
    "real-time policies": ["--policy", "rr:1"],
}


class DoctorTest(EdgewiseTest):
    def abilities(self, **options):
        done = self.edgewise("doctor", "--json", **options)
        self.assertEqual((done.code, done.stderr), (0, ""))
        return {ability["what"]: ability for ability in json.loads(done.stdout)["abilities"]}

    def check_claims(self, **options):
        abilities = self.abilities(**options)
        for what, flags in CLAIMS.items():
            with self.subTest(what=what):
                done = self.edgewise("run", *flags, "--", "true", **options)
                if abilities[what]["state"] == "missing":
                    self.assertEqual(done.code, 125, done.stderr)
                else:
                    self.assertEqual(done.code, 0, done.stderr)

    def test_every_ability_has_its_reason(self):
        for ability in self.abilities().values():
            self.assertIn(ability["state"], ("available", "limited", "missing"))
            self.assertTrue(ability["detail"].strip(), ability)

    def test_its_text_names_every_ability(self):
        done = self.edgewise("doctor")
        self.assertEqual(done.code, 0)
        for what in self.abilities():
            self.assertIn(what, done.stdout)

    def test_what_it_claims_is_so(self):
        self.check_claims()

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "becoming another user needs root and setpriv")
    def test_what_it_claims_is_so_for_others(self):
        shutil.copy(EDGEWISE, self.scratch / "edgewise")
        os.chmod(self.scratch, 0o755)
        self.home.mkdir()
        for folder in (self.home, self.temp):
            os.chown(folder, NOBODY, NOBODY)
        self.check_claims(prefix=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                                  "--inh-caps=-all", "--bounding-set=-all", "--"],
                          binary=self.scratch / "edgewise")

    def test_it_leaves_nothing_behind(self):
        self.abilities()
        self.assertFalse((self.home / "edgewise.db").exists())
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
