// Command oapi-codegen reads one video with the client that oapi-codegen generates, and prints the video. Its
// arguments are the address of the API, the API key and the id of the video. It is a separate module, to keep the
// client's dependencies out of the product.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"

	"github.com/reelgraph/reelgraph/clients/oapi-codegen/api"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: oapi-codegen API KEY VIDEO")
	}

	if err := read(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func read(ctx context.Context, address, key, id string) error {
	client, err := api.NewClientWithResponses(address, api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+key)

		return nil
	}))
	if err != nil {
		return err
	}

	answer, err := client.GetVideoWithResponse(ctx, id, nil)
	if err != nil {
		return err
	}

	if answer.JSON200 == nil {
		return errors.New(answer.Status())
	}

	v := answer.JSON200.Video

	return json.NewEncoder(os.Stdout).Encode(map[string]video{"video": {v.Id, v.Name, v.DurationSeconds, v.Dimensions}})
}

// video holds the compared fields. The client turns a missing string into an empty one.
type video struct {
	ID              string         `json:"id"`
	Name            string         `json:"name,omitempty"`
	DurationSeconds float64        `json:"durationSeconds"`
	Dimensions      api.Dimensions `json:"dimensions"`
}
