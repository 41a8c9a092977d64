// Package web is the HTTP edge and the only importer of net/http servers. A module
// declares a call as a typed function with its access rule:
//
//	web.Post(m, "/feedback/create", web.Perm("thesis:feedback:create"), s.create)
//
// and gets decoding, validation, the envelope {code,data,msg}, session, permission,
// tenant wall, transaction, idempotency, limits, log, metrics and the OpenAPI entry.
// Every answered call has HTTP status 200 and a code in the body; real statuses are
// kept for infrastructure (404 asset, 413, 429, 503).
package web
