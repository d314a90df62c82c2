package rest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A disallowed webhook address is refused with the reason, when registered and when changed.
func TestTargetsOfWebhooks(t *testing.T) {
	t.Parallel()

	a := api.New(t, api.Options{})
	owner := testkit.NewMember(t, a.Store, testkit.MemberOpts{})
	made := a.Call(t, owner.Key, http.MethodPost, "/v1/webhooks/endpoints", `{"url":"https://hooks.example/","filterTypes":["video.created"]}`)
	require.Equal(t, http.StatusOK, made.Status, made.Body)

	var registered struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(made.Body), &registered))
	endpoint := "/v1/webhooks/endpoints/" + registered.ID

	for url, says := range map[string]string{
		"http://169.254.169.254/":         "url address 169.254.169.254:80 is not allowed (metadata).",
		"http://[::ffff:10.0.0.1]/":       "url address [::ffff:10.0.0.1]:80 is not allowed (IPv4-mapped).",
		"http://2130706433/":              `url is not an address that events can be sent to: "2130706433" is not the usual spelling of an IP address.`,
		"https://user:word@hooks.example": "url is not an address that events can be sent to: user and password are not allowed.",
	} {
		body := `{"url":"` + url + `","filterTypes":["video.created"]}`

		for path, method := range map[string]string{"/v1/webhooks/endpoints": http.MethodPost, endpoint: http.MethodPatch} {
			refused := a.Call(t, owner.Key, method, path, body)
			require.Equal(t, http.StatusBadRequest, refused.Status, url)

			var answer struct{ Message string }
			require.NoError(t, json.Unmarshal([]byte(refused.Body), &answer))
			require.Equal(t, says, answer.Message, url)
		}
	}
}
