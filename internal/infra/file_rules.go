package infra

import (
	"context"
	"fmt"
	"path"
	"strings"
	"unicode"

	"viva/internal/kernel/blob"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// rule is what a use of uploads admits; the types are in package blob.
type rule struct {
	limit    int64
	public   bool
	allowed  string
	suffixes []string
}

const mega = 1 << 20

var rules = map[blob.Slot]rule{
	blob.Avatar:   {2 * mega, true, "png, jpg, webp, gif", []string{".png", ".jpg", ".jpeg", ".webp", ".gif"}},
	blob.Image:    {5 * mega, true, "png, jpg, webp, gif", []string{".png", ".jpg", ".jpeg", ".webp", ".gif"}},
	blob.Document: {50 * mega, false, "pdf, doc, docx", []string{".pdf", ".doc", ".docx"}},
}

// checkAnnounced judges what can be judged before the bytes arrive.
func checkAnnounced(slot blob.Slot, name string, size int64) error {
	r, known := rules[slot]
	switch {
	case !known:
		return errFileSlot.With()
	case size <= 0:
		return errFileEmpty.With()
	case size > r.limit:
		return errFileLarge.With(sizeText(r.limit))
	}
	ext := strings.ToLower(path.Ext(name))
	for _, s := range r.suffixes {
		if s == ext {
			return nil
		}
	}
	return errFileType.With(r.allowed)
}

// checkContent judges the stored bytes: what they are must agree with the name.
func checkContent(slot blob.Slot, name string, b blob.Blob) error {
	if !blob.Allowed(slot, b.MIME, path.Ext(name)) {
		return errFileType.With(rules[slot].allowed)
	}
	return nil
}

func sizeText(n int64) string { return fmt.Sprintf("%d MB", n/mega) }

const maxName = 120

// cleanName makes a name that is safe to show, to store and to offer for a download: no
// path, no control or direction characters, none that systems reserve, at most 120
// characters with the ending kept.
func cleanName(ctx context.Context, name string) (string, error) {
	name = strings.ToValidUTF8(name, "")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.TrimLeft(strings.TrimSpace(name), ".")
	ext := path.Ext(name)
	stem := strings.TrimRight(strings.TrimSpace(strings.TrimSuffix(name, ext)), ". ")
	if ext == "" || ext == "." || len(ext) > 11 || stem == "" {
		return "", errs.Field("name", i18n.Pick(ctx, "文件名不正确，需要名称和后缀，例如 论文.pdf", "The file name needs a name and an ending, such as thesis.pdf"))
	}
	if r := []rune(stem); len(r) > maxName-len([]rune(ext)) {
		stem = strings.TrimRight(string(r[:maxName-len([]rune(ext))]), ". ")
	}
	return stem + ext, nil
}

// slotFor guesses the use of a plain upload from its name.
func slotFor(name string) blob.Slot {
	ext := strings.ToLower(path.Ext(name))
	for _, s := range rules[blob.Image].suffixes {
		if s == ext {
			return blob.Image
		}
	}
	return blob.Document
}
