"""The JSON of `run` and `show` keeps the contract of docs/formats."""
import json
import unittest

from driving import SOURCE, EdgewiseTest, program

TYPES = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}

# What users were promised, whatever the schema file says.
PROMISED = ("id", "command", "exit_code", "signal", "interrupted", "wall_s", "cpu_user_s", "cpu_system_s",
            "max_rss_bytes", "tree_peak_bytes", "voluntary_switches", "involuntary_switches", "spans", "profiler",
            "unavailable")
PROMISED_OF_SPANS = ("name", "count", "dropped", "mean_ms", "max_ms", "stddev_ms", "jitter_ms", "p50_ms", "p90_ms",
                     "p95_ms", "p99_ms")


class Validator:
    """As much of JSON Schema as docs/formats/run.schema.json uses; anything else in it is an error."""

    KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "items", "enum",
             "const", "minimum", "oneOf", "additionalProperties"}

    def __init__(self, schema):
        self.root = schema

    def problems(self, value, schema=None, at="$"):
        schema = self.root if schema is None else schema
        unknown = set(schema) - self.KNOWN
        if unknown:
            raise NotImplementedError(f"{at}: schema keywords {unknown}")
        if "$ref" in schema:
            return self.problems(value, self.root["$defs"][schema["$ref"].rpartition("/")[2]], at)
        if "oneOf" in schema:
            fitting = [s for s in schema["oneOf"] if not self.problems(value, s, at)]
            return [] if len(fitting) == 1 else [f"{at}: {value!r} fits {len(fitting)} alternatives"]
        found = []
        if "type" in schema:
            wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            if not any(self.is_a(value, name) for name in wanted):
                return [f"{at}: {value!r} is no {wanted}"]
        if "const" in schema and value != schema["const"]:
            found.append(f"{at}: {value!r} is not {schema['const']!r}")
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{at}: {value!r} is none of {schema['enum']}")
        if "minimum" in schema and isinstance(value, (int, float)) and value < schema["minimum"]:
            found.append(f"{at}: {value!r} is below {schema['minimum']}")
        if isinstance(value, dict):
            found += [f"{at}: {key} is missing" for key in schema.get("required", ()) if key not in value]
            for key, inner in schema.get("properties", {}).items():
                if key in value:
                    found += self.problems(value[key], inner, f"{at}.{key}")
            others = set(value) - set(schema.get("properties", value))
            if isinstance(schema.get("additionalProperties"), dict):
                for key in set(value) - set(schema.get("properties", ())):
                    found += self.problems(value[key], schema["additionalProperties"], f"{at}.{key}")
            elif others:
                found.append(f"{at}: not documented: {sorted(others)}")
        if isinstance(value, list) and isinstance(schema.get("items"), dict):
            for i, element in enumerate(value):
                found += self.problems(element, schema["items"], f"{at}[{i}]")
        return found

    @staticmethod
    def is_a(value, name):
        if name in ("integer", "number"):
            return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
        return isinstance(value, TYPES[name])


class JsonTest(EdgewiseTest):
    @classmethod
    def setUpClass(cls):
        cls.validator = Validator(json.loads((SOURCE / "docs/formats/run.schema.json").read_text()))

    def assert_valid(self, run):
        self.assertEqual(self.validator.problems(run), [])
        for key in PROMISED:
            self.assertIn(key, run)
        for span in run["spans"]:
            for key in PROMISED_OF_SPANS:
                self.assertIn(key, span)

    def test_a_run_with_every_kind_of_record_is_valid(self):
        run = self.run_json("--cpus", "0", "--label", "x", "--", *program("spans", "steady", 400))
        self.assert_valid(run)
        self.assertEqual({span["name"] for span in run["spans"]}, {"frame", "step", "control"})
        self.assertTrue({"temperature_c", "seen", "fps"} <= {series["name"] for series in run["series"]})

    def test_runs_of_every_ending_are_valid(self):
        self.assert_valid(self.run_json("--", "true"))
        self.assert_valid(self.run_json("--", "sh", "-c", "kill -SEGV $$", code=139))
        self.assert_valid(self.run_json("--timeout", "100ms", "--", "sleep", "1000", code=124))
        self.assert_valid(self.run_json("--duration", "100ms", "--", "sleep", "1000"))
        for run in self.run_json("--repeat", "2", "--", "true")["runs"]:
            self.assert_valid(run)

    def test_an_interrupted_run_is_valid(self):
        process = self.start("run", "--", *program("spans", "endless"))
        process.stdout.read(5)
        process.kill()
        process.wait()
        run = self.show()
        self.assert_valid(run)
        self.assertTrue(run["interrupted"])
        self.assertIsNone(run["exit_code"])
        # It was never counted to its end: unknown, not nothing.
        for key in ("wall_s", "cpu_user_s", "max_rss_bytes", "voluntary_switches"):
            self.assertIsNone(run[key], key)

    def test_show_says_what_run_said(self):
        run = self.run_json("--", *program("spans", "steady", 100))
        self.assertEqual(self.show(run["id"]), run)
        exported = self.edgewise("export", run["id"], "--format", "json")
        self.assertEqual(json.loads(exported.stdout), run)

    def test_what_cannot_be_read_is_null_with_a_reason_and_never_zero(self):
        run = self.run_json("--", *program("burn", 100, 4))
        reasons = {entry["what"]: entry["why"] for entry in run["unavailable"]}
        self.assertTrue(all(why.strip() for why in reasons.values()))
        counters = {counter["name"]: counter["value"] for counter in run["counters"]}
        for name, key in (("cycles", "instructions_per_cycle"), ("branches", "branch_miss_percent")):
            if any(name in what.split(", ") for what in reasons):
                self.assertIsNone(counters.get(name))
                self.assertIsNone(run[key])
            else:
                self.assertGreater(counters[name], 0)
        # No quota, no throttling; no sensor, no energy.
        self.assertIsNone(run["throttled_periods"] or None)
        if any("power" in what for what in reasons):
            self.assertIsNone(run["energy_j"])

    def test_the_screen_shows_dashes_and_each_reason_once(self):
        done = self.edgewise("run", "--", *program("burn", 20, 1))
        run = self.show()
        text = " ".join(done.stderr.split())
        for entry in run["unavailable"]:
            self.assertEqual(text.count(" ".join(entry["why"].split())), 1, entry)
        if run["energy_j"] is None:
            self.assertIn("--", done.stderr)

    def test_percentiles_have_intervals_or_say_that_samples_are_too_few(self):
        run = self.run_json("--", *program("spans", "steady", 500))
        frame = next(span for span in run["spans"] if span["name"] == "frame")
        p50 = frame["p50_ms"]
        self.assertLessEqual(p50["low"], p50["value"])
        self.assertLessEqual(p50["value"], p50["high"])
        p999 = frame["p999_ms"]
        self.assertTrue(p999 is None or p999["low"] is None or p999["high"] is None, p999)
        self.assertIn("insufficient samples", self.edgewise("show").stdout)

    def test_a_strange_command_line_makes_valid_json(self):
        words = ["true", 'quo"te', "new\nline", "tab\t", "ünï", "$(x)", ""]
        self.assertEqual(self.run_json("--", *words)["command"], words)


if __name__ == "__main__":
    unittest.main()
