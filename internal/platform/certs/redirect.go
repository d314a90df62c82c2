package certs

import "net/http"

// Redirect sends browsers to the same path at the encrypted address. Everything but reading is refused, so that programs do
// not go on sending their keys without encryption.
func Redirect(baseURL string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "This server accepts requests only over HTTPS, at "+baseURL, http.StatusForbidden)

			return
		}

		http.Redirect(w, r, baseURL+r.URL.RequestURI(), http.StatusPermanentRedirect) //nolint:gosec // to our own address
	})
}
