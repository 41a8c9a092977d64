package web_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

func withKey(s *site, who, key, name string) scenario {
	return scenario{Method: "POST", URL: "/demo/item/create", As: s.token[who], Body: map[string]string{"name": name},
		Headers: map[string]string{"Idempotency-Key": key}}
}

func TestIdempotency(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		s := newSite(t, db, web.Options{})
		first := withKey(s, "admin", "k", "a").Run(t, s.h)
		again := withKey(s, "admin", "k", "a").Run(t, s.h)
		if string(first.Raw) != string(again.Raw) || s.count(t) != 1 {
			t.Errorf("%s and %s, %d rows", first.Raw, again.Raw, s.count(t))
		}
		other := withKey(s, "admin", "k", "b")
		other.Code = 1070000004
		other.Run(t, s.h)
		elsewhere := withKey(s, "admin", "k", "a")
		elsewhere.URL, elsewhere.Code = "/demo/raw", 1070000004
		elsewhere.Run(t, s.h)
		withKey(s, "creator", "k", "a").Run(t, s.h) // another user's key is another key
		withKey(s, "admin2", "k", "a").Run(t, s.h)
		raw := withKey(s, "admin", "raw", "a")
		raw.URL = "/demo/raw"
		one, two := raw.Run(t, s.h), raw.Run(t, s.h)
		if string(one.Raw) != string(two.Raw) || s.count(t) != 3 {
			t.Errorf("%s and %s, %d rows", one.Raw, two.Raw, s.count(t))
		}
		// A refused call leaves its key free: what is sent next counts.
		refused := withKey(s, "admin", "r", "refused")
		refused.Code = 1099000001
		refused.Run(t, s.h)
		withKey(s, "admin", "r", "better").Run(t, s.h)
		long := withKey(s, "admin", fmt.Sprintf("%0129d", 1), "a")
		long.Code = 400
		long.Run(t, s.h)
		if s.count(t) != 4 {
			t.Errorf("%d rows", s.count(t))
		}
	}, fixture)
}

func TestIdempotency_storm(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, db *store.DB) {
		s := newSite(t, db, web.Options{})
		var wg sync.WaitGroup
		answers := make([]string, 20)
		for i := range answers {
			wg.Go(func() { answers[i] = string(withKey(s, "admin", "k", "a").Call(t, s.h).Raw) })
		}
		wg.Wait()
		for _, a := range answers {
			if a != answers[0] || a != `{"code":0,"data":1,"msg":""}`+"\n" {
				t.Errorf("%q", a)
			}
		}
		if s.count(t) != 1 {
			t.Errorf("%d rows", s.count(t))
		}
	}, fixture)
}

func TestIdempotency_expires(t *testing.T) {
	db := kerneltest.Open(t, fixture)
	s := newSite(t, db, web.Options{})
	withKey(s, "admin", "k", "a").Run(t, s.h)
	ctx := kerneltest.AsSystem(db, 1)
	if err := web.ExpireKeys(ctx); err != nil {
		t.Fatal(err)
	}
	withKey(s, "admin", "k", "a").Run(t, s.h)
	later := time.Now().Add(25 * time.Hour)
	defer clock.Set(func() time.Time { return later })()
	if err := web.ExpireKeys(ctx); err != nil {
		t.Fatal(err)
	}
	withKey(s, "admin", "k", "a").Run(t, s.h)
	if s.count(t) != 2 {
		t.Errorf("%d rows", s.count(t))
	}
}
