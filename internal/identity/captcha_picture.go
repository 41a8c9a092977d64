package identity

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// The measures of the puzzle are part of the wire contract: the client scales
// by them.
const (
	puzzleWidth  = 310
	puzzleHeight = 155
	pieceWidth   = 47
	puzzleMinX   = 100 // nearer the start the piece would cover its hole
)

// The piece: a body with knobs of this radius standing out by most of it.
const (
	pieceBody   = 34.0
	pieceLeft   = 2.0
	knobRadius  = 6.5
	knobOffset  = 2.5 // from the edge to the centre of the knob
	pieceMargin = 12  // room for a knob above and below the body
)

// puzzlePicture is a drawn puzzle: both images as base64 of PNG, and where the
// piece belongs.
type puzzlePicture struct {
	x          int
	background string
	piece      string
}

// pieceShape is one cut of the piece. The right edge always has a knob, the
// left one never: it would not fit the strip.
type pieceShape struct {
	top         float64 // of the body
	up, down    int     // edges: 1 knob, -1 notch, 0 straight
	leftNotched bool
}

// distance is the signed distance from a point of the strip to the edge of the
// shape, negative inside.
func (s pieceShape) distance(x, y float64) float64 {
	cx, cy := pieceLeft+pieceBody/2, s.top+pieceBody/2
	d := roundedBox(x-cx, y-cy, pieceBody/2, 3)
	d = min(d, math.Hypot(x-(pieceLeft+pieceBody+knobOffset), y-cy)-knobRadius)
	edges := []struct {
		kind int
		y    float64
	}{{s.up, s.top - float64(s.up)*knobOffset}, {s.down, s.top + pieceBody + float64(s.down)*knobOffset}}
	for _, e := range edges {
		knob := math.Hypot(x-cx, y-e.y) - knobRadius
		switch e.kind {
		case 1:
			d = min(d, knob)
		case -1:
			d = max(d, -knob)
		}
	}
	if s.leftNotched {
		d = max(d, knobRadius-math.Hypot(x-(pieceLeft+knobOffset), y-cy))
	}
	return d
}

func roundedBox(x, y, half, radius float64) float64 {
	dx, dy := math.Abs(x)-half+radius, math.Abs(y)-half+radius
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
}

func randomShape(r *rand.Rand) pieceShape {
	return pieceShape{
		top:         float64(pieceMargin + r.IntN(puzzleHeight-int(pieceBody)-2*pieceMargin)),
		up:          r.IntN(3) - 1,
		down:        r.IntN(3) - 1,
		leftNotched: r.IntN(2) == 0,
	}
}

// drawPuzzle draws one puzzle with a decoy hole where there is room for one.
func drawPuzzle(r *rand.Rand) (puzzlePicture, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, puzzleWidth, puzzleHeight))
	paintScene(canvas, r)
	shape := randomShape(r)
	x := puzzleMinX + r.IntN(puzzleWidth-pieceWidth-puzzleMinX)
	piece := cutPiece(canvas, shape, x)
	punchHole(canvas, shape, x)
	if other, at, ok := decoyHole(r, shape, x); ok {
		punchHole(canvas, other, at)
	}
	puzzleWatermark(canvas)
	back, err := pngBase64(canvas)
	if err != nil {
		return puzzlePicture{}, err
	}
	front, err := pngBase64(piece)
	return puzzlePicture{x: x, background: back, piece: front}, err
}

// decoyHole finds a place for a second hole: clear of the true one and clearly in
// another row, so that a person, who sees the piece slide in its row, is not
// misled.
func decoyHole(r *rand.Rand, shape pieceShape, x int) (pieceShape, int, bool) {
	for range 20 {
		other, at := randomShape(r), 60+r.IntN(puzzleWidth-pieceWidth-60)
		if math.Abs(float64(at-x)) > pieceWidth && math.Abs(other.top-shape.top) > pieceBody*0.6 {
			return other, at, true
		}
	}
	return pieceShape{}, 0, false
}

// cutPiece copies what the shape covers into a strip of full height.
func cutPiece(src *image.RGBA, shape pieceShape, x int) *image.NRGBA {
	piece := image.NewNRGBA(image.Rect(0, 0, pieceWidth, puzzleHeight))
	for py := range puzzleHeight {
		for px := range pieceWidth {
			d := shape.distance(float64(px)+0.5, float64(py)+0.5)
			a := pixelCoverage(d)
			if a == 0 {
				continue
			}
			c := src.RGBAAt(x+px, py)
			c = mixColour(c, color.RGBA{255, 255, 255, 255}, 0.9*pixelCoverage(math.Abs(d)-0.8))
			piece.SetNRGBA(px, py, color.NRGBA{c.R, c.G, c.B, uint8(a*255 + 0.5)})
		}
	}
	return piece
}

// punchHole darkens what the shape covers and outlines it.
func punchHole(dst *image.RGBA, shape pieceShape, x int) {
	for py := range puzzleHeight {
		for px := range pieceWidth {
			d := shape.distance(float64(px)+0.5, float64(py)+0.5)
			c := dst.RGBAAt(x+px, py)
			c = mixColour(c, color.RGBA{24, 28, 40, 255}, 0.55*pixelCoverage(d))
			c = mixColour(c, color.RGBA{255, 255, 255, 255}, 0.75*pixelCoverage(math.Abs(d)-0.7))
			dst.SetRGBA(x+px, py, c)
		}
	}
}

// pixelCoverage turns a signed distance into the share of a pixel that is inside.
func pixelCoverage(d float64) float64 { return min(max(0.5-d, 0), 1) }

func mixColour(a, b color.RGBA, t float64) color.RGBA {
	if t <= 0 {
		return a
	}
	f := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}

// paintScene paints a sky, discs, hills and strokes in one random mood, busy
// enough everywhere that the hole is not the only edge.
func paintScene(dst *image.RGBA, r *rand.Rand) {
	hue := r.Float64()
	shade := func(shift, s, v float64) color.RGBA { return hsvColour(math.Mod(hue+shift+1, 1), s, v) }
	corners := [4]color.RGBA{shade(0, 0.25, 0.98), shade(0.08, 0.35, 0.92), shade(-0.1, 0.55, 0.75), shade(0.15, 0.5, 0.7)}
	for y := range puzzleHeight {
		v := float64(y) / (puzzleHeight - 1)
		left, right := mixColour(corners[0], corners[2], v), mixColour(corners[1], corners[3], v)
		for x := range puzzleWidth {
			dst.SetRGBA(x, y, mixColour(left, right, float64(x)/(puzzleWidth-1)))
		}
	}
	for range 10 + r.IntN(6) {
		cx, cy, rad := r.Float64()*puzzleWidth, r.Float64()*puzzleHeight, 8+r.Float64()*34
		ring := r.IntN(3) == 0
		c := shade(r.Float64()*0.5-0.25, 0.3+r.Float64()*0.4, 0.6+r.Float64()*0.4)
		blendShape(dst, boxAround(cx, cy, cx, cy, rad+4), c, 0.25+r.Float64()*0.35, func(x, y float64) float64 {
			d := math.Hypot(x-cx, y-cy) - rad
			if ring {
				d = math.Abs(d) - 3
			}
			return d
		})
	}
	for i := range 3 {
		paintHills(dst, r, shade(0.05*float64(i), 0.5, 0.65-0.15*float64(i)), 70+25*float64(i))
	}
	for range 8 + r.IntN(6) {
		ax, ay := r.Float64()*puzzleWidth, r.Float64()*puzzleHeight
		turn, length, wide := r.Float64()*2*math.Pi, 20+r.Float64()*60, 0.7+r.Float64()*1.6
		bx, by := math.Cos(turn)*length, math.Sin(turn)*length
		c := shade(r.Float64(), 0.2, 0.5+r.Float64()*0.5)
		blendShape(dst, boxAround(ax, ay, ax+bx, ay+by, wide+1), c, 0.5, func(x, y float64) float64 {
			return segmentDistance(x-ax, y-ay, bx, by) - wide
		})
	}
}

// paintHills fills everything below a wave.
func paintHills(dst *image.RGBA, r *rand.Rand, c color.RGBA, base float64) {
	a1, a2 := 8+r.Float64()*14, 3+r.Float64()*6
	f1, f2 := 0.015+r.Float64()*0.02, 0.05+r.Float64()*0.05
	p1, p2 := r.Float64()*7, r.Float64()*7
	for x := range puzzleWidth {
		crest := base + a1*math.Sin(f1*float64(x)+p1) + a2*math.Sin(f2*float64(x)+p2)
		for y := max(0, int(crest)-1); y < puzzleHeight; y++ {
			dst.SetRGBA(x, y, mixColour(dst.RGBAAt(x, y), c, 0.6*pixelCoverage(crest-float64(y)-0.5)))
		}
	}
}

// segmentDistance is the distance from a point to the line from the origin to (bx, by).
func segmentDistance(x, y, bx, by float64) float64 {
	t := min(max((x*bx+y*by)/(bx*bx+by*by), 0), 1)
	return math.Hypot(x-bx*t, y-by*t)
}

// boxAround is the part of the canvas within margin of the box of two points.
func boxAround(x1, y1, x2, y2, margin float64) image.Rectangle {
	return image.Rect(int(min(x1, x2)-margin)-1, int(min(y1, y2)-margin)-1, int(max(x1, x2)+margin)+1, int(max(y1, y2)+margin)+1).
		Intersect(image.Rect(0, 0, puzzleWidth, puzzleHeight))
}

// blendShape lays a colour over the inside of a signed distance, looking at area.
func blendShape(dst *image.RGBA, area image.Rectangle, c color.RGBA, alpha float64, distance func(x, y float64) float64) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if a := pixelCoverage(distance(float64(x)+0.5, float64(y)+0.5)); a > 0 {
				dst.SetRGBA(x, y, mixColour(dst.RGBAAt(x, y), c, a*alpha))
			}
		}
	}
}

func hsvColour(h, s, v float64) color.RGBA {
	f := func(n float64) uint8 {
		k := math.Mod(n+h*6, 6)
		return uint8(255*(v-v*s*max(0, min(k, 4-k, 1))) + 0.5)
	}
	return color.RGBA{f(5), f(3), f(1), 255}
}

func puzzleWatermark(dst *image.RGBA) {
	d := font.Drawer{Dst: dst, Src: image.NewUniform(color.RGBA{200, 200, 200, 200}), Face: basicfont.Face7x13}
	d.Dot = fixed.P(puzzleWidth-34, puzzleHeight-5)
	d.DrawString("Viva")
}

func pngBase64(m image.Image) (string, error) {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, m); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}
