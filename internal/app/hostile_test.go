package app

import (
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// payloads of which every text field must make text, or a refusal that names the field:
// SQL, HTML and formula at once, characters no database or page holds well, and templates.
var payloads = []string{
	`=HYPERLINK("http://x.example","y")'; DROP TABLE system_users; --<script>alert(1)</script><img src=x onerror=alert(1)>`,
	"a\u0000b\u202ec\ufffed", "${7*7}{{7*7}}%s%n\\%_[", "💥",
}

// TestHostileText: nothing that is typed anywhere breaks a call.
func TestHostileText(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		u := demo(t, db)
		accepted := kerneltest.Hostile(t, u.Web, u.signIn(1, "admin"), u.object(), payloads...)
		if accepted < 200 {
			t.Errorf("only %d payloads were accepted as text", accepted)
		}
		for _, own := range []string{"student02", "advisor01", "secretary01"} { // whose calls an administrator cannot make
			kerneltest.Hostile(t, u.Web, u.signIn(1, own), u.object(), payloads[:2]...)
		}
	})
}
