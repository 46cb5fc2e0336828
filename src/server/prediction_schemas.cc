#include "server/prediction_endpoints.h"

namespace edgewise {

const char kPredictionSchemas[] = R"json("ModelCharacteristics": {
  "type": "object",
  "required": ["model", "conv_layers", "pool_layers", "fc_layers", "filter_details",
               "total_parameters", "model_input_size", "model_output_size"],
  "properties": {
    "model": {"type": "string", "minLength": 1, "maxLength": 200},
    "conv_layers": {"type": "number", "minimum": 0},
    "pool_layers": {"type": "number", "minimum": 0},
    "fc_layers": {"type": "number", "minimum": 0},
    "filter_details": {"type": "number", "minimum": 0, "description": "Sum of output channels of convolutions."},
    "total_parameters": {"type": "number", "minimum": 0},
    "model_input_size": {"type": "number", "minimum": 0, "description": "Bytes."},
    "model_output_size": {"type": "number", "minimum": 0, "description": "Bytes."}
  }
},
"ProfilingRequest": {
  "allOf": [{"$ref": "#/components/schemas/ModelCharacteristics"}],
  "description": "With device_type the prediction is for that device, else for the cluster's nodes.",
  "properties": {
    "device_type": {"type": "string", "description": "Then the next two are needed as well."},
    "cpu_usage(percentage)": {"type": "number", "minimum": 0, "maximum": 100},
    "disk_usage(percentage)": {"type": "number", "minimum": 0, "maximum": 100}
  }
},
"Interval": {
  "type": "array", "nullable": true, "minItems": 2, "maxItems": 2, "items": {"type": "number"},
  "description": "Seconds; nine of ten new models fall within. null: insufficient samples."
},
"ProfilingAnswer": {
  "type": "object",
  "required": ["message", "model_characteristics", "profiling_prediction", "status"],
  "properties": {
    "message": {"type": "string"},
    "model_characteristics": {"type": "object", "description": "The request, keys sorted."},
    "profiling_prediction": {
      "type": "object",
      "required": ["model", "predicted_execution_time", "interval_90", "out_of_distribution", "basis"],
      "properties": {
        "model": {"type": "string"},
        "predicted_execution_time": {"type": "number", "description": "Seconds."},
        "interval_90": {"$ref": "#/components/schemas/Interval"},
        "out_of_distribution": {"type": "boolean", "description": "Unlike all that was learnt from."},
        "basis": {"type": "string"},
        "load_assumed": {"type": "boolean", "description": "What load does was not learnt, but assumed."},
        "device_known": {"type": "boolean"},
        "class": {"type": "string"},
        "device_model": {"type": "string"},
        "node": {"type": "string"},
        "node_uuid": {"type": "string"},
        "metrics_age_s": {"type": "number"},
        "warning": {"type": "string"},
        "ranking": {"type": "array", "items": {"$ref": "#/components/schemas/RankedNode"}}
      }
    },
    "status": {"type": "string"}
  }
},
"RankedNode": {
  "type": "object",
  "required": ["node", "device_model", "predicted_execution_time", "interval_90", "placeable"],
  "properties": {
    "node": {"type": "string"},
    "device_model": {"type": "string"},
    "basis": {"type": "string"},
    "predicted_execution_time": {"type": "number", "nullable": true},
    "interval_90": {"$ref": "#/components/schemas/Interval"},
    "placeable": {"type": "boolean"},
    "why_not": {"type": "string"}
  }
},
"BatchRequest": {
  "type": "object",
  "required": ["models"],
  "properties": {
    "models": {
      "type": "array", "maxItems": 1000,
      "items": {"type": "object", "description": "The eight fields of ModelCharacteristics, or a known network's name as \"network\"."}
    },
    "devices": {"type": "array", "items": {"type": "string"}, "description": "Else the cluster's nodes or all known devices."},
    "cpu_usage(percentage)": {"type": "number", "minimum": 0, "maximum": 100},
    "top": {"type": "number", "minimum": 1, "maximum": 10000, "description": "Devices for each model; 10 if not given."}
  }
},
"BatchAnswer": {
  "type": "object",
  "required": ["results"],
  "properties": {
    "results": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "model": {"type": "string"},
          "ranking": {"type": "array", "items": {"type": "object", "required": ["predicted_execution_time", "interval_90"]}},
          "error": {"type": "object"}
        }
      }
    }
  }
},
"UploadForm": {
  "type": "object",
  "required": ["file"],
  "properties": {
    "file": {"type": "string", "format": "binary", "description": "An ONNX file."},
    "input_shape": {"type": "string", "description": "NAME=1x3x224x224 for sizes that the file leaves open."}
  }
},
"UploadAnswer": {
  "type": "object",
  "required": ["message", "model_characteristics", "inspection", "memory_bytes", "ranking", "status"],
  "properties": {
    "message": {"type": "string"},
    "model_characteristics": {"$ref": "#/components/schemas/ModelCharacteristics"},
    "inspection": {"type": "object", "description": "As edgewise inspect --json prints it."},
    "memory_bytes": {"type": "number", "description": "Weights, activations and runtime."},
    "ranking": {"type": "array", "items": {"type": "object", "required": ["predicted_execution_time", "interval_90"]}},
    "status": {"type": "string"}
  }
},
"Devices": {
  "type": "object",
  "required": ["devices"],
  "properties": {
    "devices": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "settings"],
        "properties": {"name": {"type": "string"}, "settings": {"type": "array", "items": {"type": "object"}}}
      }
    },
    "nodes": {"type": "array", "items": {"type": "object", "required": ["node", "device_model", "known_as"]}}
  }
})json";

}  // namespace edgewise
