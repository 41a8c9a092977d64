package thesis

// StepCode numbers the steps in order (dictionary thesis_step).
type StepCode int

// The steps of a thesis.
const (
	StepPlan        StepCode = 10
	StepSubject     StepCode = 20
	StepProposal    StepCode = 30
	StepMidterm     StepCode = 40
	StepPreDefense  StepCode = 50
	StepSimilarity  StepCode = 60
	StepBlindReview StepCode = 70
	StepDefense     StepCode = 80
	StepDegree      StepCode = 90
	StepArchive     StepCode = 100
	StepCertificate StepCode = 110
)

// stepNames are the labels in Chinese and English.
var stepNames = map[StepCode][2]string{
	StepPlan:        {"培养计划", "Study plan"},
	StepSubject:     {"选题", "Topic"},
	StepProposal:    {"开题", "Proposal"},
	StepMidterm:     {"中期", "Mid-term"},
	StepPreDefense:  {"预答辩", "Pre-defence"},
	StepSimilarity:  {"查重", "Similarity"},
	StepBlindReview: {"盲审", "Blind review"},
	StepDefense:     {"答辩", "Defence"},
	StepDegree:      {"学位评定", "Degree"},
	StepArchive:     {"归档", "Archive"},
	StepCertificate: {"证书", "Certificate"},
}

// stepRule says what a step asks for. Built tells whether its page exists already.
type stepRule struct {
	code    StepCode
	built   bool
	opening []guardFunc
	submit  []guardFunc
}

// stepRules is the ordered list; the guards of a step that is not built are those every
// step has.
var stepRules = []stepRule{
	{code: StepPlan, opening: []guardFunc{guardActive, guardAdvisor}, submit: []guardFunc{guardActive, guardAdvisor}},
	{code: StepSubject, built: true, opening: []guardFunc{guardActive, guardPrevious},
		submit: submitGuards},
	{code: StepProposal, opening: common, submit: common},
	{code: StepMidterm, opening: common, submit: common},
	{code: StepPreDefense, opening: common, submit: common},
	{code: StepSimilarity, opening: common, submit: common},
	{code: StepBlindReview, opening: common, submit: common},
	{code: StepDefense, opening: common, submit: common},
	{code: StepDegree, opening: common, submit: common},
	{code: StepArchive, opening: common, submit: common},
	{code: StepCertificate, opening: common, submit: common},
}

// submitGuards are the conditions of handing in a declaration.
var submitGuards = []guardFunc{guardActive, guardPrevious, guardRealName, guardAdvisor, guardStudyLimit, guardWindow, guardFiles}

var common = []guardFunc{guardActive, guardPrevious, guardStudyLimit}

// ruleOf gives the rule of a step; ok is false for a number that is no step.
func ruleOf(code StepCode) (stepRule, bool) {
	for _, r := range stepRules {
		if r.code == code {
			return r, true
		}
	}
	return stepRule{}, false
}

// after gives the step that follows, 0 after the last.
func after(code StepCode) StepCode {
	for i, r := range stepRules {
		if r.code == code && i+1 < len(stepRules) {
			return stepRules[i+1].code
		}
	}
	return 0
}
