package bpmn

import "fmt"

// Severity says whether a problem forbids deployment.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem is one finding about a file.
type Problem struct {
	ElementID   string
	ElementType string
	Severity    Severity
	Code        string // stable, hyphenated
	Zh          string
	En          string
	At          Position
}

// Error gives the Chinese text, the language of the logs; Decode answers a file
// it cannot read at all with a *Problem.
func (p *Problem) Error() string {
	if p.At.Line == 0 {
		return p.Zh
	}
	return fmt.Sprintf("第 %d 行第 %d 列：%s", p.At.Line, p.At.Column, p.Zh)
}

// Text gives the message in the language, "zh" or "en".
func (p *Problem) Text(lang string) string {
	if lang == "en" {
		return p.En
	}
	return p.Zh
}
