#include "server/job_endpoints.h"

namespace edgewise {

const char kJobSchemas[] = R"("Job": {
  "type": "object",
  "required": ["id", "name", "state", "retry", "interruptions", "submitted", "started", "ended", "exit_code", "reason", "runs", "links"],
  "properties": {
    "id": {"type": "string"},
    "name": {"type": "string", "description": "Of the app."},
    "state": {"type": "string", "enum": ["queued", "running", "done", "failed", "cancelled", "interrupted"]},
    "retry": {"type": "boolean", "description": "Run it again if the server ends meanwhile."},
    "interruptions": {"type": "integer", "description": "How often that happened."},
    "submitted": {"type": "string"},
    "started": {"type": "string", "nullable": true},
    "ended": {"type": "string", "nullable": true},
    "exit_code": {"type": "integer", "nullable": true},
    "reason": {"type": "string", "description": "Why it did not end well; or empty."},
    "runs": {"type": "array", "items": {"type": "string"}, "description": "Ids of its Runs."},
    "links": {
      "type": "object",
      "required": ["self", "log", "events", "artifacts"],
      "properties": {
        "self": {"type": "string"},
        "log": {"type": "string"},
        "events": {"type": "string"},
        "artifacts": {"type": "string"}
      }
    }
  }
},
"Jobs": {
  "type": "object",
  "required": ["jobs"],
  "properties": {"jobs": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}}}
},
"Artifacts": {
  "type": "object",
  "required": ["artifacts"],
  "properties": {
    "artifacts": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "content_type", "description", "href"],
        "properties": {
          "name": {"type": "string"},
          "content_type": {"type": "string"},
          "description": {"type": "string"},
          "href": {"type": "string"}
        }
      }
    }
  }
},
"BuildForm": {
  "type": "object",
  "required": ["app_name"],
  "properties": {
    "app_name": {"type": "string", "description": "The image."},
    "app_args": {"type": "string", "description": "For the app; split as a shell would."},
    "app_docker_args": {"type": "string", "description": "For the engine; split as a shell would."}
  }
})";

}  // namespace edgewise
