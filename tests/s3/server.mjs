// An object store for tests: s3rver, and in front of it a door that checks
// every signature with aws4 (s3rver itself lets any signature of version 4
// pass) and that misbehaves on request.
//
//   server.mjs FOLDER    prints the door's port and serves until stdin ends
//
// What tests ask of the door itself:
//   PUT /_put/BUCKET/KEY   makes the bucket and the object
//   POST /_fill            {bucket, prefix, count}: so many objects
//   POST /_fault           {match, times, status, code, cut_after, skew_s, ...}
//   GET /_log              the requests so far
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.EDGEWISE_PACKAGES, "package.json"));
const aws4 = require("aws4");
const S3rver = require("s3rver");

const KEY = { accessKeyId: "S3RVER", secretAccessKey: "wJalr/XUtn+FEMI=K7MDENG", sessionToken: "a/valid+token==" };
const REGION = "eu-central-1";
const MAX_SKEW_MS = 15 * 60 * 1000;

const store = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory: process.argv[2] });
const { port: storePort } = await store.run();

const log = [];
let faults = [];

function failure(response, status, code, extra = "", headers = {}) {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message>${extra}</Error>`;
  response.writeHead(status, { "Content-Type": "application/xml", "Content-Length": Buffer.byteLength(body), ...headers });
  response.end(body);
}

// Why a request may not pass: [status, code]; undefined if it may.
function refusal(request, skewMs) {
  const authorization = request.headers.authorization;
  if (!authorization) return [403, "AccessDenied"];
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(authorization);
  if (!parts) return [400, "AuthorizationHeaderMalformed"];
  const [, id, , region, signedNames, signature] = parts;
  if (id !== KEY.accessKeyId) return [403, "InvalidAccessKeyId"];
  if (region !== REGION) return [400, "AuthorizationHeaderMalformed", `<Region>${REGION}</Region>`];
  const date = request.headers["x-amz-date"] ?? "";
  const stamp = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() + skewMs - stamp) < MAX_SKEW_MS)) return [403, "RequestTimeTooSkewed"];
  const token = request.headers["x-amz-security-token"];
  if (token === "expired") return [400, "ExpiredToken"];
  if (token !== undefined && token !== KEY.sessionToken) return [400, "InvalidToken"];
  const names = signedNames.split(";");
  // As the real one insists on.
  const mustBeSigned = ["host", ...Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"))];
  if (!request.headers["x-amz-content-sha256"] || mustBeSigned.some((name) => !names.includes(name))) return [403, "AccessDenied"];
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name] ?? ""]));
  headers["X-Amz-Date"] = date;
  delete headers["x-amz-date"];
  const again = aws4.sign(
    { host: request.headers.host, method: request.method, path: request.url, headers, service: "s3", region: REGION },
    { accessKeyId: KEY.accessKeyId, secretAccessKey: KEY.secretAccessKey },
  );
  return again.headers.Authorization.endsWith(`Signature=${signature}`) ? undefined : [403, "SignatureDoesNotMatch"];
}

function forward(request, response, cutAfter) {
  const headers = { ...request.headers, connection: "close" };
  const inner = http.request({ host: "127.0.0.1", port: storePort, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    let sent = 0;
    answer.on("data", (bytes) => {
      if (cutAfter !== undefined && sent + bytes.length > cutAfter) {
        response.write(bytes.subarray(0, cutAfter - sent), () => response.socket.destroy());
        answer.destroy();
      } else {
        sent += bytes.length;
        response.write(bytes);
      }
    });
    answer.on("end", () => response.end());
  });
  inner.on("error", () => response.socket.destroy());
  request.pipe(inner);
}

// Puts it into the store, past the door.
function put(url, body) {
  const options = aws4.sign({ host: `127.0.0.1:${storePort}`, method: "PUT", path: url, body, service: "s3", region: REGION }, { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" });
  return new Promise((resolve, reject) => {
    const inner = http.request({ ...options, hostname: "127.0.0.1", port: storePort }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    inner.on("error", reject);
    inner.end(body);
  });
}

function bodyOf(request) {
  return new Promise((resolve) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => resolve(Buffer.concat(pieces)));
  });
}

const door = http.createServer(async (request, response) => {
  if (request.url.startsWith("/_")) {
    const body = await bodyOf(request);
    let answer = "";
    if (request.url.startsWith("/_put/")) {
      const target = request.url.slice("/_put".length);
      await put(`/${target.split("/")[1]}`, "");
      answer = String(await put(target, body));
    } else if (request.url === "/_fill") {
      const { bucket, prefix, count } = JSON.parse(body);
      await put(`/${bucket}`, "");
      for (let i = 0; i < count; i += 20) {
        await Promise.all([...Array(Math.min(20, count - i)).keys()].map((j) => put(`/${bucket}/${prefix}${i + j}`, `object ${i + j}`)));
      }
    } else if (request.url === "/_fault") {
      faults.push(JSON.parse(body));
    } else if (request.url === "/_log") {
      answer = JSON.stringify(log);
    }
    response.end(answer);
    return;
  }
  log.push({ method: request.method, url: request.url, range: request.headers.range, ifRange: request.headers["if-range"] });
  const fault = faults.find(({ match }) => request.url.includes(match ?? ""));
  if (fault && fault.times !== undefined && --fault.times === 0) faults = faults.filter((other) => other !== fault);
  if (fault?.status) {
    failure(response, fault.status, fault.code ?? "SlowDown", "", fault.headers);
    return;
  }
  const refused = refusal(request, (fault?.skew_s ?? 0) * 1000);
  if (refused) {
    failure(response, ...refused, {});
    return;
  }
  forward(request, response, fault?.cut_after);
});
door.listen(0, "127.0.0.1", () => console.log(door.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
