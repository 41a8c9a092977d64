// Package infra keeps what the product runs on: configuration parameters, files and the
// administrator's view of background jobs.
//
//	/infra/config      parameters, shared; edited by the operator's tenant only
//	/infra/file        uploads in resumable chunks, downloads, public pictures
//	/infra/job, -log   schedules, their logs, and runs that died
//
// A file belongs to its uploader until a module binds it with Attach; from then on the
// module's OnAccess hook decides who else may download it. Everybody else gets "no such
// record". While nobody uses it, the uploader may delete it. Pictures of the slots avatar and image have a public, unguessable address.
// What a file is, is judged by its content: see package blob. Bytes are shared between
// equal files and removed by a job when no row refers to them.
package infra
