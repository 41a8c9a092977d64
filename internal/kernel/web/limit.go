package web

import (
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"
)

var noTime time.Time

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// limiter holds one token bucket per key.
type limiter struct {
	rate    rate.Limit
	burst   int
	buckets *otter.Cache[int64, *rate.Limiter]
}

func newLimiter(perSecond float64) *limiter {
	return &limiter{rate: rate.Limit(perSecond), burst: int(perSecond * 4), buckets: otter.Must(&otter.Options[int64, *rate.Limiter]{
		MaximumSize: 50_000, ExpiryCalculator: otter.ExpiryAccessing[int64, *rate.Limiter](10 * time.Minute),
	})}
}

func (l *limiter) allow(key int64) bool {
	if l.rate < 0 {
		return true
	}
	bucket, ok := l.buckets.GetIfPresent(key)
	if !ok {
		bucket, _ = l.buckets.SetIfAbsent(key, rate.NewLimiter(l.rate, l.burst))
	}
	return bucket.Allow()
}
