// Package bpmn turns BPMN 2.0 XML into immutable process graphs and says, with
// element id and reason, what in a file cannot be run.
//
// [Decode] is the one XML entry of the program (encoding/xml is imported
// nowhere else): DOCTYPE and other directives are refused, and size, depth,
// element count, attribute count and length are bounded before anything is
// built. The namespaces of Camunda, Activiti and Flowable are aliases, told
// apart by URI and never by prefix. The text of the file stays with the caller
// ([Text] gives it as UTF-8); nothing here writes XML.
//
// [Check] lists the problems of a document. Elements outside release 1 are
// errors with id, type and reason; nothing that changes the execution is
// ignored silently. A document whose Check has no error may be executed.
//
// The same bytes give the same graph: everything is in document order and
// identified by integer indices.
package bpmn
