package i18n

import (
	"context"
	"strings"
	"testing"
)

func TestFromHeader(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"", ZH},
		{"zh-CN,zh;q=0.9,en;q=0.8", ZH},
		{"en-US,en;q=0.9", EN},
		{"EN", EN},
		{"en_GB", EN},
		{"fr, en;q=0.5, zh;q=0.4", EN},
		{"fr, en;q=0.4, zh;q=0.5", ZH},
		{"zh;q=0, en;q=0.1", EN},
		{"en;q=0", ZH},
		{"en;q=NaN", ZH},
		{"en;q=7", ZH},
		{"en;level=1", ZH},
		{"de, fr", ZH},
		{"*", ZH},
		{"english", ZH},
		{"en; q = 0.3", EN},
		{strings.Repeat("de,", 200) + "en", ZH},
	} {
		if got := FromHeader(c.header); got != c.want {
			t.Errorf("FromHeader(%.40q) = %s, want %s", c.header, got, c.want)
		}
	}
}

func TestPick(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		ctx  context.Context
		want string
	}{
		{"default", ctx, "中"},
		{"chinese", With(ctx, ZH), "中"},
		{"english", With(ctx, EN), "E"},
		{"unknown counts as chinese", With(ctx, "fr"), "中"},
		{"the inner one holds", With(With(ctx, EN), ZH), "中"},
	} {
		if got := Pick(c.ctx, "中", "E"); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	if got := Pick(With(ctx, EN), "中", ""); got != "中" {
		t.Errorf("missing English text: %q", got)
	}
}

func FuzzFromHeader(f *testing.F) {
	f.Add("zh-CN,zh;q=0.9,en;q=0.8")
	f.Fuzz(func(t *testing.T, header string) {
		if got := FromHeader(header); got != ZH && got != EN {
			t.Fatalf("%q: %q", header, got)
		}
	})
}
