package thesis

import (
	"context"
	"sort"
	"strings"
	"unicode/utf8"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// SimilarTitle is a title of the tenant close to the one asked for. It names no person.
type SimilarTitle struct {
	TitleZh   string  `json:"titleZh"`
	EntryYear int     `json:"entryYear"`
	Score     float64 `json:"score"`
}

// Bounds of the warning about similar titles.
const (
	similarAt    = 0.7
	similarYears = 10
	similarMost  = 5
)

// A declaration in approval counts by its own title, a passed one by the record's.
const sqlTitles = `SELECT x.title_zh, s.entry_year FROM thesis_students_subject x JOIN thesis_student s ON s.id = x.student_id AND s.tenant_id = x.tenant_id
 WHERE x.tenant_id = :tenant AND x.deleted = false AND x.record_id <> :record AND x.audit_state IN (1, 2, 3, 4, 8) AND s.entry_year >= :year
 AND LENGTH(x.title_zh) BETWEEN :least AND :most`

// findSimilar compares the title with those declared within ten years, except those of
// the record itself. Titles whose length alone rules a match out are not read.
func findSimilar(ctx context.Context, title string, recordID int64) ([]SimilarTitle, error) {
	title = strings.TrimSpace(title)
	list := []SimilarTitle{}
	n := utf8.RuneCountInString(title)
	if n < titleMin {
		return list, nil
	}
	own := trigrams(title)
	args := store.Args{"record": recordID, "year": clock.Now().Year() - similarYears, "least": int(float64(n)*similarAt) - 2, "most": int(float64(n)/similarAt) + 2}
	err := store.Each(ctx, sqlTitles, args, func(t SimilarTitle) error {
		if t.Score = overlap(own, trigrams(t.TitleZh)); t.Score >= similarAt {
			list = append(list, t)
		}
		return nil
	})
	sort.SliceStable(list, func(i, j int) bool { return list[i].Score > list[j].Score })
	return list[:min(len(list), similarMost)], err
}

// trigrams are the runs of three characters, with the ends marked, in lower case.
func trigrams(s string) map[[3]rune]bool {
	runes := append([]rune{' ', ' '}, []rune(strings.ToLower(strings.Join(strings.Fields(s), "")))...)
	runes = append(runes, ' ')
	set := make(map[[3]rune]bool, len(runes))
	for i := 0; i+3 <= len(runes); i++ {
		set[[3]rune(runes[i:i+3])] = true
	}
	return set
}

// overlap is the share of common trigrams in all of both.
func overlap(a, b map[[3]rune]bool) float64 {
	both := 0
	for g := range a {
		if b[g] {
			both++
		}
	}
	all := len(a) + len(b) - both
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

type similarIn struct {
	Title string `query:"title" required:"true" minLength:"5" maxLength:"60" doc:"题目|Title"`
}

// similarTitles warns a student before he submits; his own declarations do not count.
func (s *Service) similarTitles(ctx context.Context, in similarIn) ([]SimilarTitle, error) {
	own := int64(0)
	if me, found, err := academic.StudentOfUser(ctx, actor.From(ctx).UserID); err != nil {
		return nil, err
	} else if found {
		rec, _, err := recordOfStudent(ctx, me.ID)
		if err != nil {
			return nil, err
		}
		own = rec.ID
	}
	return findSimilar(ctx, in.Title, own)
}
