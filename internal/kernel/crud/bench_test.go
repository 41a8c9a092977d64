package crud_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"
)

// BenchmarkGet is the whole edge without a network: guard, query, JSON, log, metrics.
func BenchmarkGet(b *testing.B) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	s := start(b)
	id := s.create(admin, "讲师", "lecturer")
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest("GET", "/admin-api/test/post/get?id="+id, nil)
		req.Header.Set("Authorization", "Bearer "+admin)
		s.handler.ServeHTTP(httptest.NewRecorder(), req)
	}
}
