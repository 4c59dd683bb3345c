// Package schema holds the contracts of the service: the GraphQL SDL, which
// the executor is generated from, and the OpenAPI document of the REST API.
package schema

import _ "embed"

// OpenAPI is the OpenAPI document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte
