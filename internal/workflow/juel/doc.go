// Package juel reads and evaluates the expressions of a process: the subset of
// the Java Unified Expression Language (EL 2.2, JSR 245 MR2 §1) that process
// files of Camunda, Activiti and Flowable use, without reflection and without I/O.
//
//	${days > 3 && type == 'x'}   one wrapper: the typed value; #{…} means the same
//	A-${x}-${y}                  text with wrappers: a string, null gives ""
//	plain text                   no wrapper: a literal string; \${ writes ${
//
// Blanks around a single wrapper do not count.
//
// Operators by falling precedence: a.b a[b] · - ! not empty · * / div % mod ·
// + - · < > <= >= lt gt le ge · == != eq ne · && and · || or · ?:
// Assignment, lambdas, instanceof, collection literals, static calls and unknown
// functions or methods are syntax errors.
//
// Values are nil, bool, int64, Decimal (34 digits), string, time.Time, []any and
// map[string]any. Conversions follow EL §1.8 except: / is always decimal,
// overflow and division by zero are errors, text that is no number is an error
// beside a number, a text other than true or false is no truth value. An unknown
// variable is null for ==, !=, empty and as a whole result; order, arithmetic
// and logic refuse it by name.
//
// Functions: now() dateTime() today() date(x) formatDate(t,'yyyy-MM-dd HH:mm')
// plus(t,'P1DT2H') plusDays(t,n) plusHours(t,n) plusMinutes(t,n) daysBetween(a,b)
// hoursBetween(a,b) year(t) month(t) day(t) weekday(t), Monday is 1 · size(x)
// contains(c,x) indexOf(c,x) join(l,sep) split(s,sep) list(…) first(l) last(l)
// sum(l) min(…) max(…) abs(n) round(n,digits) floor(n) ceil(n) number(x) ·
// lower(s) upper(s) trim(s) startsWith(s,p) endsWith(s,p) replace(s,a,b)
// substring(s,from[,to]) concat(…) string(x) coalesce(…), and Flowable's
// var:get, getOrDefault, exists, isEmpty, isNotEmpty, equals, notEquals, lt, lte,
// gt, gte, contains, containsAny (also vars:, variables:).
// Values answer a few Java methods, listed in method.go: x.equals('a'), l.size().
// Every other call x.m(…) goes to the caller's bean x; Calls lists these.
//
// Limits: source 4 KiB, nesting 64, 500 nodes, 8 arguments, 20,000 steps an
// evaluation, 64 KiB for a string it makes. An Expr is immutable and may be
// shared between goroutines.
package juel
