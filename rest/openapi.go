package rest

import (
	"net/http"

	"github.com/contentgraph/contentgraph/schema"
)

// openAPI answers GET /openapi.yaml with the contract of this interface.
func openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml")
	w.Write(schema.OpenAPI)
	return nil
}
