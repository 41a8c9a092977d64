// Package system keeps what every page needs: dictionaries, notices, internal messages,
// the look of the sign-in page, and the readable operation log.
//
//	/system/dict-type, /system/dict-data      shared by all tenants, edited by the operator's
//	/system/notice                            per tenant; readers see enabled ones only
//	/system/notify-template                   shared texts with {parameters}
//	/system/notify-message                    one row per receiver; Notify writes them
//	/thesis/system-config                     title, logo and sign text of the tenant
//	/system/operate-log                       the audit rows as people read them
//
// New installs App.Dictionary, which checks and labels dictionary fields everywhere.
// Dictionaries, templates and their texts are seeded from the lists of all modules and
// from dicts.tsv; a row that an administrator changed or removed is left alone.
// Modules above send messages with Notify in their own transaction.
package system
