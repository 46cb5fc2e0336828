"""The HTTP service on its own: what it answers, refuses and survives."""
import json
import shutil
import signal
import socket
import unittest

from driving import EdgewiseTest
from onnx_bytes import a_model
from serving import MODEL, SEED_ALONE, Served, check_schema, on, promtool_complaints


FORM = {"Content-Type": "multipart/form-data; boundary=edge"}


def a_form(**parts):
    """The body of a form; every part is a file."""
    return b"".join(b"--edge\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"net.onnx\"\r\n\r\n%s\r\n"
                    % (name.encode(), body) for name, body in parts.items()) + b"--edge--\r\n"


class Basics(EdgewiseTest):
    def test_says_where_it_is_and_ends_cleanly(self):
        for ending in (signal.SIGINT, signal.SIGTERM):
            served = Served(self)
            self.assertEqual(served.get("/healthz").json, {"status": "ok"})
            self.assertEqual(served.get("/readyz").status, 200)
            self.assertEqual(served.end(ending), 0)

    def test_metrics_are_clean_and_count(self):
        served = Served(self)
        served.get("/healthz")
        served.get("/nowhere")
        answer = served.get("/metrics")
        text = answer.bytes.decode()
        self.assertTrue(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        self.assertIn('edgewise_http_requests_total{route="/healthz",method="GET",code="200"} 1', text)
        self.assertIn("edgewise_http_unmatched_requests_total 1", text)
        if shutil.which("promtool"):
            self.assertEqual(promtool_complaints(answer.bytes), "")

    def test_stays_small_when_idle(self):
        served = Served(self)
        served.get("/healthz")
        with open(f"/proc/{served.process.pid}/status", encoding="ascii") as status:
            resident_kib = int(next(line for line in status if line.startswith("VmRSS")).split()[1])
        self.assertLess(resident_kib, 20 << 10)

    def test_loopback_unless_a_token_or_an_explicit_word(self):
        refused = self.edgewise("serve", "--listen", "0.0.0.0", "--port", 0)
        self.assertEqual(refused.code, 2)
        self.assert_one_sentence(refused.stderr, "--token-file")
        Served(self, "--listen", "0.0.0.0", "--open-predictions")

    def test_token_is_needed_for_predictions_only(self):
        tokens = self.scratch / "tokens"
        tokens.write_text("0123456789abcdef\n")
        served = Served(self, "--token-file", tokens)
        body = MODEL | on("Raspberry Pi 4B")
        self.assertEqual(served.profile(body).status, 401)
        self.assertEqual(served.profile(body).json["error"]["code"], "token_required")
        self.assertEqual(served.profile(body, headers={"Authorization": "Bearer 0123456789abcdef"}).status, 200)
        self.assertEqual(served.get("/healthz").status, 200)

    def test_bad_options_are_one_sentence(self):
        short = self.scratch / "short"
        short.write_text("abc\n")
        for options, word in ((("--token-file", short), "16 characters"), (("--port", "70000"), "--port"),
                              (("--prometheus", "ftp://x"), "--prometheus"), (("--listen", "no such"), "no such"),
                              (("--model", "/no/model"), "/no/model"), (("--state-limit", "soon"), "--state-limit")):
            done = self.edgewise("serve", *options)
            self.assertEqual(done.code, 2, (options, done.stderr))
            self.assert_one_sentence(done.stderr, word)

    def test_taken_port_is_said(self):
        served = Served(self)
        done = self.edgewise("serve", "--port", served.port)
        self.assertNotEqual(done.code, 0)
        self.assert_one_sentence(done.stderr, "another program")


class Devices(EdgewiseTest):
    """Stand-alone: the caller names the device."""

    @classmethod
    def setUpClass(cls):
        cls.keep = cls()
        cls.keep.setUp()
        cls.addClassCleanup(cls.keep.doCleanups)
        cls.served = Served(cls.keep)

    def test_seed_request_is_answered_as_the_seed_shows(self):
        answer = self.served.profile(SEED_ALONE)
        self.assertEqual(answer.status, 200)
        self.assertEqual(set(answer.json), {"message", "model_characteristics", "profiling_prediction", "status"})
        self.assertEqual(answer.json["model_characteristics"], json.loads(SEED_ALONE))
        self.assertIn(b'"total_parameters":10000000000000000000', answer.bytes)
        keys = list(answer.json["model_characteristics"])
        self.assertEqual(keys, sorted(keys))
        prediction = answer.json["profiling_prediction"]
        self.assertEqual(prediction["model"], "model")
        self.assertIsInstance(prediction["predicted_execution_time"], float)
        self.assertTrue(0 < prediction["predicted_execution_time"] < 1e12)
        self.assertTrue(prediction["out_of_distribution"])

    def test_numbers_of_any_size_come_back_unchanged(self):
        body = json.dumps(MODEL | on("Raspberry Pi 4B")).replace("1235496", "123456789012345678901234567890")
        answer = self.served.profile(body)
        self.assertEqual(answer.status, 200)
        self.assertIn(b'"total_parameters":123456789012345678901234567890', answer.bytes)

    def test_names_of_one_board_are_one(self):
        times = {name: self.served.profile(MODEL | on(name)).json["profiling_prediction"]
                 for name in ("Raspberry Pi 4B", "Raspberry Pi 4 Model B Rev 1.4 ", "raspberry pi 4 model b")}
        self.assertEqual(len({time["predicted_execution_time"] for time in times.values()}), 1, times)
        self.assertTrue(all(time["device_known"] for time in times.values()))

    def test_unknown_hardware_is_not_something_else(self):
        known = self.served.profile(MODEL | on("Raspberry Pi 4B")).json["profiling_prediction"]
        unknown = self.served.profile(MODEL | on("Acme Board 7")).json["profiling_prediction"]
        self.assertFalse(unknown["device_known"])
        self.assertEqual(unknown["basis"], "spec_only")
        width = [time["interval_90"][1] / time["interval_90"][0] for time in (known, unknown)]
        self.assertGreater(width[1], width[0])

    def test_more_load_is_not_faster(self):
        times = [self.served.profile(MODEL | on("Raspberry Pi 4B", cpu)).json["profiling_prediction"]
                 ["predicted_execution_time"] for cpu in (0, 25, 50, 75, 100)]
        self.assertEqual(times, sorted(times))

    def test_larger_models_are_not_faster(self):
        times = [self.served.profile(MODEL | {"total_parameters": count} | on("Raspberry Pi 4B"))
                 .json["profiling_prediction"]["predicted_execution_time"] for count in (10**5, 10**7, 10**9)]
        self.assertEqual(times, sorted(times))

    def test_wrong_bodies_are_refused_with_a_code_and_the_field(self):
        whole = MODEL | on("Raspberry Pi 4B")
        cases = [("", 400, "invalid_json", None), ("{", 400, "invalid_json", None), ("[]", 400, "invalid_json", None),
                 ("null", 400, "invalid_json", None), ("\xff", 400, "invalid_json", None),
                 ("[" * 20000, 400, "invalid_json", None),
                 ("{}", 400, "missing_field", "model"),
                 (MODEL, 400, "missing_field", "device_type"),
                 (whole | {"model": 7}, 400, "invalid_field", "model"),
                 (whole | {"model": ""}, 400, "invalid_field", "model"),
                 (whole | {"conv_layers": "many"}, 400, "invalid_field", "conv_layers"),
                 (whole | {"conv_layers": True}, 400, "invalid_field", "conv_layers"),
                 (whole | {"conv_layers": -1}, 400, "invalid_field", "conv_layers"),
                 (whole | {"extra": {"deep": 1}}, 400, "invalid_field", "extra"),
                 (whole | {"cpu_usage(percentage)": 101}, 400, "invalid_field", "cpu_usage(percentage)"),
                 (json.dumps(whole).replace("1235496", "1e999"), 400, "invalid_field", "total_parameters"),
                 ("x" * 100_000, 413, "too_large", None)]
        for field in MODEL:
            cases.append(({key: value for key, value in whole.items() if key != field}, 400, "missing_field", field))
        for body, status, code, field in cases:
            answer = self.served.profile(body)
            self.assertEqual(answer.status, status, (body, answer.bytes))
            self.assertEqual(answer.json["error"]["code"], code, answer.bytes)
            self.assertEqual(answer.json["error"].get("field"), field, answer.bytes)
            self.assertTrue(answer.json["error"]["message"])
        self.assertEqual(self.served.profile(whole).status, 200)

    def test_other_content_and_methods_are_refused(self):
        answer = self.served.profile("a=b", headers={"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual((answer.status, answer.json["error"]["code"]), (415, "unsupported_media_type"))
        answer = self.served.get("/api/profiling")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "POST"))

    def test_batches(self):
        answer = self.served.ask("POST", "/api/v1/predict", {
            "models": [MODEL, {"network": "mobilenet_v2"}, {"network": "none"}], "devices": ["Raspberry Pi 4B", "?"]})
        self.assertEqual(answer.status, 200)
        by_fields, by_layers, wrong = answer.json["results"]
        self.assertEqual({entry["basis"] for entry in by_fields["ranking"]}, {"coarse", "spec_only"})
        self.assertIn("known_device", {entry["basis"] for entry in by_layers["ranking"]})
        self.assertEqual(wrong["error"]["code"], "unknown_network")
        ranking = self.served.ask("POST", "/api/v1/predict", {"models": [MODEL], "top": 7}).json["results"][0]["ranking"]
        times = [entry["predicted_execution_time"] for entry in ranking]
        self.assertEqual((len(times), times), (7, sorted(times)))
        for body, field in (({}, "models"), ({"models": 3}, "models"), ({"models": [], "top": 0}, "top"),
                            ({"models": [], "devices": [1]}, "devices"), ({"models": [MODEL] * 1001}, "models")):
            answer = self.served.ask("POST", "/api/v1/predict", body)
            self.assertEqual((answer.status, answer.json["error"]["field"]), (400, field), answer.bytes)

    def test_devices_are_listed(self):
        names = [device["name"] for device in self.served.get("/api/v1/devices").json["devices"]]
        self.assertIn("Raspberry Pi 5", names)
        self.assertEqual(names, sorted(names))

    def test_idle_clients_do_not_stop_it(self):
        idle = [socket.create_connection(("127.0.0.1", self.served.port)) for _ in range(300)]
        try:
            for half in idle[::2]:
                half.sendall(b"POST /api/profiling HTTP/1.1\r\nContent-Le")
            self.assertEqual(self.served.profile(MODEL | on("Raspberry Pi 5")).status, 200)
        finally:
            for each in idle:
                each.close()

    def test_document_agrees_with_what_is_answered(self):
        document = self.served.get("/openapi.json").json
        requests = {"/api/profiling": MODEL | on("Raspberry Pi 4B"), "/api/v1/predict": {"models": [MODEL]},
                    "/upload": a_form(file=a_model())}
        for path, operations in document["paths"].items():
            if "job" in path:
                continue  # jobs_test.py
            for method, operation in operations.items():
                body = requests.get(path)
                self.assertEqual(body is None, "requestBody" not in operation, path)
                if isinstance(body, dict):
                    schema = next(iter(operation["requestBody"]["content"].values())).get("schema", {})
                    check_schema(self, document, schema, body, path)
                answer = self.served.ask(method.upper(), path, body, FORM if isinstance(body, bytes) else None)
                self.assertIn(str(answer.status), operation["responses"], path)
                content = operation["responses"][str(answer.status)]["content"]
                self.assertEqual([answer.headers["Content-Type"].split(";")[0]], list(content), path)
                schema = next(iter(content.values())).get("schema")
                if schema:
                    check_schema(self, document, schema, answer.json, path)
                other = self.served.ask("PATCH", path, "{}")
                self.assertEqual(other.status, 405, path)
                if body is not None:
                    refused = self.served.ask(method.upper(), path, {})
                    self.assertNotEqual(refused.status, answer.status)
                    self.assertIn(str(refused.status), operation["responses"])
                    check_schema(self, document, operation["responses"][str(refused.status)]["content"]["application/json"]
                               ["schema"], refused.json, path)

    def test_uploaded_model_is_inspected_and_ranked(self):
        answer = self.served.ask("POST", "/upload", a_form(file=a_model()), FORM)
        self.assertEqual(answer.status, 201, answer.bytes)
        fields = answer.json["model_characteristics"]
        self.assertEqual((fields["conv_layers"], fields["filter_details"], fields["total_parameters"]), (1, 8, 216))
        self.assertEqual((fields["model_input_size"], fields["model_output_size"]), (3 * 64 * 64 * 4, 8 * 64 * 64 * 4))
        self.assertEqual(answer.json["inspection"]["macs"], 216 * 64 * 64)
        times = [entry["predicted_execution_time"] for entry in answer.json["ranking"]]
        self.assertEqual((len(times) > 10, times), (True, sorted(times)))
        alone = self.served.ask("POST", "/upload?name=net.onnx", a_model(), {"Content-Type": "application/octet-stream"})
        self.assertEqual((alone.status, alone.json["ranking"]), (201, answer.json["ranking"]))

    def test_wrong_uploads_are_refused(self):
        cases = [(b"", FORM, 400, "invalid_form"), (a_form(other=b"x"), FORM, 400, "missing_field"),
                 (a_form(file=b""), FORM, 400, "invalid_model"), (a_form(file=b"rubbish" * 99), FORM, 400, "invalid_model"),
                 (a_form(file=a_model()[:40]), FORM, 400, "invalid_model"),
                 (a_form(file=a_model(), input_shape=b"zzz"), FORM, 400, "invalid_field"),
                 (a_form(file=a_model())[:200], FORM, 400, "invalid_form"), ("{}", {}, 415, "unsupported_media_type")]
        for body, headers, status, code in cases:
            answer = self.served.ask("POST", "/upload", body, headers)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), (body, answer.bytes))

    def test_page_is_served(self):
        answer = self.served.get("/predict")
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.headers["Content-Type"].startswith("text/html"))
        self.assertIn(b"Content-Security-Policy", answer.bytes)


if __name__ == "__main__":
    unittest.main()
