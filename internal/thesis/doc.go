// Package thesis carries a thesis from the study plan to the certificate: one record per
// student and degree attempt, eleven ordered steps with attempts, and one form per
// step. So far the steps PLAN (passed by policy) and SUBJECT (topic declaration) work.
// Wire prefix /thesis.
//
//   - machine.go holds every state and transition; nothing else assigns a status.
//   - guard.go is the one evaluator behind the progress page, the buttons, the list of
//     who is not yet eligible, and the check inside the submit transaction.
//   - decide.go is the one door through which a declaration moves (submit, withdraw,
//     approve, return, reject). process.go moves the process thesis_subject with it, in
//     the same transaction: the diagram says which levels are asked, machine.go what
//     their verdicts mean. A school may draw steps of its own between the levels.
//   - approver.go says who decides: the advisor by supervision, then the secretary of the
//     student's college, then (policy subject.third_level) the degree office. Nobody
//     decides on a student he supervises, except as advisor.
//   - A record's row is locked before its steps, forms and topics, always in this order.
//   - Every transition is appended to thesis_transition, chained by hash per record.
//   - Rules are data (policy.go), pinned to the step when it opens.
//   - Messages are written in the transaction of the change.
package thesis
