// Package webapp holds the built web application: dist is filled by `npm run build`
// before the binary is compiled. Without a build it holds only a placeholder.
package webapp

import "embed"

// Dist is the build output.
//
//go:embed all:dist
var Dist embed.FS
