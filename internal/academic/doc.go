// Package academic knows the people and terms that a thesis needs: students, advisors,
// who supervises whom, majors and semesters. Wire prefix /thesis.
//
//   - A student is a system user of type 1 with one thesis_student row. Students see
//     their own row only, whatever permission they hold.
//   - "Advisor" is never a role: it follows from an active row in thesis_supervision and
//     ends with it. A student has at most one active advisor per supervision role; the
//     database index says so, too.
//   - Staff see the rows of the departments in their data scope and, by relation, the
//     students they supervise. A row outside answers like a row that does not exist.
//   - Exactly one semester is current.
//
// Higher modules learn of changes through Service.OnStudentChanged (same transaction)
// and may complete the session's student part through Service.OnStudentDto.
package academic
