package web

import (
	"net/http"
	"strings"
)

// exposed are the answer headers that a page of another origin may read.
const exposed = "Content-Disposition, Retry-After, trace-id"

// cors lets clients of other origins call the API (contract system.md §1): any origin and
// any header. That gives away nothing, because a session is a bearer token in a header
// that a foreign page cannot know; cookies are neither set nor read. It reports whether
// the request was a preflight, which is answered here.
func cors(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if origin == "" || !strings.HasPrefix(r.URL.Path, Prefix+"/") {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Access-Control-Expose-Headers", exposed)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Set("Access-Control-Max-Age", "3600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
