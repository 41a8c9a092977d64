package identity

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

func decodePuzzle(t testing.TB, text string) image.Image {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDrawPuzzle(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(40) {
		p, err := drawPuzzle(rand.New(rand.NewPCG(seed, 9)))
		if err != nil {
			t.Fatal(err)
		}
		seen[p.x] = true
		if p.x < puzzleMinX || p.x >= puzzleWidth-pieceWidth {
			t.Errorf("target %d", p.x)
		}
		back, piece := decodePuzzle(t, p.background), decodePuzzle(t, p.piece)
		if back.Bounds() != image.Rect(0, 0, 310, 155) || piece.Bounds() != image.Rect(0, 0, 47, 155) {
			t.Fatalf("%v %v", back.Bounds(), piece.Bounds())
		}
		inspectPiece(t, p, back, piece)
		if path := os.Getenv("VIVA_PUZZLE_OUT"); path != "" {
			raw, _ := base64.StdEncoding.DecodeString(p.background)
			_ = os.WriteFile(fmt.Sprintf("%s/back%d.png", path, seed), raw, 0o600)
			raw, _ = base64.StdEncoding.DecodeString(p.piece)
			_ = os.WriteFile(fmt.Sprintf("%s/piece%d.png", path, seed), raw, 0o600)
		}
	}
	if len(seen) < 20 {
		t.Errorf("targets hardly vary: %v", seen)
	}
}

// inspectPiece checks that the strip holds a piece of sensible size, clear of
// its edges, and that the background is darker where it belongs.
func inspectPiece(t *testing.T, p puzzlePicture, back, piece image.Image) {
	t.Helper()
	solid, light := 0, 0.0
	for y := range puzzleHeight {
		for x := range pieceWidth {
			c := color.NRGBAModel.Convert(piece.At(x, y)).(color.NRGBA)
			if c.A > 0 && (x == 0 || x == pieceWidth-1 || y == 0 || y == puzzleHeight-1) {
				t.Fatalf("the piece touches the edge at %d,%d", x, y)
			}
			if c.A == 255 {
				solid++
				light += pixelLuminance(c) - pixelLuminance(back.At(p.x+x, y))
			}
		}
	}
	if solid < 800 || solid > 2200 {
		t.Errorf("the piece covers %d pixels", solid)
	}
	if mean := light / float64(solid); mean < 15 {
		t.Errorf("the hole is only %.1f darker than the piece", mean)
	}
}

func pixelLuminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 257
}

func TestPieceShapes(t *testing.T) {
	for up := -1; up <= 1; up++ {
		for down := -1; down <= 1; down++ {
			for _, notched := range []bool{false, true} {
				s := pieceShape{top: 60, up: up, down: down, leftNotched: notched}
				if d := s.distance(pieceLeft+pieceBody/2, 60+pieceBody/2); d >= 0 {
					t.Errorf("%+v: the middle is outside by %.1f", s, d)
				}
				above := s.distance(pieceLeft+pieceBody/2, 60-knobRadius/2) < 0
				if above != (up == 1) {
					t.Errorf("%+v: above %v", s, above)
				}
				if inside := s.distance(pieceLeft+1, 60+pieceBody/2) < 0; inside == notched {
					t.Errorf("%+v: left edge %v", s, inside)
				}
				if math.IsNaN(s.distance(0, 0)) {
					t.Errorf("%+v: not a number", s)
				}
			}
		}
	}
}

func BenchmarkDrawPuzzle(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	size := 0
	for b.Loop() {
		p, err := drawPuzzle(r)
		if err != nil {
			b.Fatal(err)
		}
		size = len(p.background) + len(p.piece)
	}
	b.ReportMetric(float64(size), "bytes")
}
