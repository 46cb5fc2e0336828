"""An HTTP server of a test's own that has files, parts of them, and bad days."""
import http.server
import ssl
import threading


class FileServer:
    """Serves `files` (name to bytes). What it should do wrong is set by name:

    cut      how many bytes to send before the connection breaks, answer by answer
    refuse   statuses to answer with first
    hold     an Event to wait for after half of the answer
    plain    no length, no version, no parts
    leads    where a redirection leads
    """

    def __init__(self, test, certificate=None):
        self.files, self.versions = {}, {}
        self.cut, self.refuse, self.hold, self.plain, self.leads, self.asked_password = {}, {}, {}, set(), {}, set()
        self.requests = []  # (name, status, range, If-Range, Authorization)
        self.sent = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                outer.answer(self)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        test.addCleanup(self.stop)
        self.scheme = "https" if certificate else "http"

    def stop(self):
        for event in self.hold.values():
            event.set()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def url(self, name, user=""):
        return f"{self.scheme}://{user}127.0.0.1:{self.server.server_address[1]}/{name}"

    def answer(self, handler):
        name = handler.path.partition("?")[0].lstrip("/")
        wanted = handler.headers.get("Range")
        note = (wanted, handler.headers.get("If-Range"), handler.headers.get("Authorization"))
        status, body, headers = self.choose(name, wanted, handler.headers)
        hold = self.hold.get(name)  # the test may take it away once it sees the request
        self.requests.append((name, status, *note))
        handler.send_response(status)
        for field, value in headers.items():
            handler.send_header(field, value)
        if name in self.plain:
            handler.send_header("Connection", "close")
            handler.close_connection = True
        else:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        cuts = self.cut.get(name)
        if status in (200, 206) and cuts:
            body = body[:cuts.pop(0)]
            handler.close_connection = True
        half = len(body) // 2 if hold else 0
        try:
            handler.wfile.write(body[:half])
            handler.wfile.flush()
            if half:
                hold.wait()
            handler.wfile.write(body[half:])
            self.sent += len(body)
        except OSError:
            handler.close_connection = True

    def choose(self, name, wanted, asked):
        """Status, body and headers of an answer."""
        if self.refuse.get(name):
            return self.refuse[name].pop(0), b"", {"Retry-After": "0"}
        if name in self.leads:
            return 302, b"", {"Location": self.leads[name]}
        if name in self.asked_password and not asked.get("Authorization"):
            return 401, b"", {"WWW-Authenticate": "Basic realm=x"}
        if name not in self.files:
            return 404, b"", {}
        whole = self.files[name]
        if name in self.plain:
            return 200, whole, {}
        version = self.versions.get(name, '"1"')
        headers = {"ETag": version, "Accept-Ranges": "bytes"}
        if asked.get("If-None-Match") == version:
            return 304, b"", headers
        if wanted and asked.get("If-Range") in (None, version):
            start = int(wanted[len("bytes="):-1])
            if start >= len(whole):
                return 416, b"", {**headers, "Content-Range": f"bytes */{len(whole)}"}
            return 206, whole[start:], {**headers, "Content-Range": f"bytes {start}-{len(whole) - 1}/{len(whole)}"}
        return 200, whole, headers
