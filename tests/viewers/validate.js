// Checks a JSON file against a JSON schema: node validate.js SCHEMA FILE
const fs = require("fs");
const Ajv = require("ajv");

const [schema, file] = process.argv.slice(2).map((path) => JSON.parse(fs.readFileSync(path, "utf8")));
const ajv = new Ajv({ strict: false, allErrors: true });
const validate = ajv.compile(schema);
if (!validate(file)) {
  console.error(JSON.stringify(validate.errors.slice(0, 10), null, 1));
  process.exit(1);
}
