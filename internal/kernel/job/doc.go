// Package job runs work outside the call that caused it: at once, at a time, or by a
// cron schedule that administrators edit. Everything stands in three tables, so that
// any node may take any job and nothing is lost when a node ends.
//
//	queue.Handle("mail.send", sendMail)                       // start-up
//	job.Enqueue(ctx, "mail.send", letter, job.Opts{Key: key}) // inside a Write
//	queue.Every("audit.seal", "0 * * * * ?", sealAll)         // a schedule with its first cron text
//
// A handler runs as the system in the tenant that enqueued, at least once: when its
// process ends meanwhile, another takes over. A handler that only changes rows does so
// exactly once by calling Run.Finish inside its Write. Errors and panics are retried
// with back-off; after MaxTries (or Permanent) the run is dead, stays visible, and can
// be started again by Retry. Ownership is proven by a heartbeat counter that others
// watch on their own monotonic clock, so that a jumping wall clock doubles nothing.
package job
