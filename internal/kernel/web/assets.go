package web

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// Assets serves a built single-page application: hashed files immutable and in the
// compressed form that lies beside them, index.html fresh each time with the base path
// filled in, and index.html for every other address (history routing).
func (app *App) Assets(files fs.FS, base string) {
	base = "/" + strings.Trim(base, "/")
	if base != "/" {
		base += "/"
	}
	index := readIndex(files, base)
	app.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" || name == "index.html" || !exists(files, name) {
			if strings.HasPrefix(name, "assets/") { // a file of an older build: the page reloads itself
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "no-cache")
			_, _ = w.Write(index)
			return
		}
		if strings.HasPrefix(name, "assets/") {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			w.Header().Set("Cache-Control", "public, max-age=3600")
		}
		serveAsset(w, r, files, name)
	})
}

func serveAsset(w http.ResponseWriter, r *http.Request, files fs.FS, name string) {
	for _, form := range []struct{ suffix, encoding string }{{".br", "br"}, {".gz", "gzip"}} {
		if !accepts(r.Header.Get("Accept-Encoding"), form.encoding) || !exists(files, name+form.suffix) {
			continue
		}
		if kind := contentTypes[path.Ext(name)]; kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		w.Header().Set("Content-Encoding", form.encoding)
		w.Header().Add("Vary", "Accept-Encoding")
		http.ServeFileFS(w, r, files, name+form.suffix)
		return
	}
	if kind := contentTypes[path.Ext(name)]; kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	http.ServeFileFS(w, r, files, name)
}

// contentTypes does not depend on the machine's own table.
var contentTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".wasm": "application/wasm", ".png": "image/png",
}

func exists(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && !info.IsDir()
}

const notBuilt = "<!doctype html><meta charset=utf-8><title>Viva</title><p>The web application was not built into this binary: run make build."

func readIndex(files fs.FS, base string) []byte {
	index, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return []byte(notBuilt)
	}
	index = bytes.Replace(index, []byte(`<base href="/" />`), []byte(`<base href="`+base+`" />`), 1)
	return bytes.Replace(index, []byte(`name="viva-base" content="/"`), []byte(`name="viva-base" content="`+base+`"`), 1)
}
