"""edgewise serve, started on a free port, and asked."""
import http.client
import json
import re
import subprocess
import threading

MODEL = {"model": "squeezenet", "conv_layers": 26, "pool_layers": 4, "fc_layers": 0, "filter_details": 3944,
         "total_parameters": 1235496, "model_input_size": 602112, "model_output_size": 4000}
# The seed's own bodies, text as its curl lines send it.
SEED_CLUSTER = """{       "model" : "model",
        "conv_layers" : 66666666,
        "pool_layers" : 77777777,
        "fc_layers" : 34535353535,
        "filter_details" : 66,
        "total_parameters" : 10000000000000000000,
        "model_input_size": 345343543,
        "model_output_size": 123421435}"""
SEED_ALONE = """{       "model" : "model",
        "conv_layers" : 66666666,
        "pool_layers" : 77777777,
        "fc_layers" : 34535353535,
        "filter_details" : 66,
        "total_parameters" : 10000000000000000000,
        "model_input_size": 345343543,
        "cpu_usage(percentage)": 95,
        "disk_usage(percentage)":75,
        "device_type": "Raspberry Pi 4B",
        "model_output_size": 123421435}"""


def on(device, cpu=0):
    return {"device_type": device, "cpu_usage(percentage)": cpu, "disk_usage(percentage)": 50}


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.bytes = response.read()

    @property
    def json(self):
        return json.loads(self.bytes)


class Served:
    """A server that is killed when the test ends."""

    def __init__(self, test, *options, env=None):
        self.process = test.start("serve", "--port", 0, *options, env=env)
        self.said = self.process.stderr.readline().decode()
        found = re.search(r"http://\S+:(\d+)", self.said)
        test.assertTrue(found, self.said + self.process.stderr.read().decode() if not found else "")
        self.port = int(found.group(1))
        # What it says further must not fill the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
            headers = {"Content-Type": "application/json", **(headers or {})} if body is not None else headers or {}
            connection.request(method, path, body=body, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def profile(self, body, **options):
        return self.ask("POST", "/api/profiling", body, **options)

    def end(self, signal):
        self.process.send_signal(signal)
        return self.process.wait(timeout=60)


def promtool_complaints(text):
    """What promtool says of metrics; empty if nothing."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=60)
    return (done.stdout + done.stderr).decode() if done.returncode else ""


def check_schema(test, document, schema, value, where):
    """As much of JSON Schema as the document uses."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in schema.get("allOf", []):
        check_schema(test, document, part, value, where)
    if value is None and schema.get("nullable"):
        return
    kinds = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool}
    if "type" in schema:
        test.assertIsInstance(value, kinds[schema["type"]], where)
    if "enum" in schema:
        test.assertIn(value, schema["enum"], where)
    for key in schema.get("required", []):
        test.assertIn(key, value, where)
    if isinstance(value, dict):
        for key, part in schema.get("properties", {}).items():
            if key in value:
                check_schema(test, document, part, value[key], f"{where}.{key}")
    if isinstance(value, list):
        for each in value:
            check_schema(test, document, schema.get("items", {}), each, f"{where}[]")
