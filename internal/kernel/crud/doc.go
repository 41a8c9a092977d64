// Package crud derives the calls of a plain entity from its struct: page, get, create,
// update, delete, delete-list and export-excel, on request list-all-simple and import,
// with permissions module:entity:verb, audit, tenant filter, soft delete, optimistic
// version, duplicate and reference checks, OpenAPI and the description that the web
// page is made of. It is called by ordinary code:
//
//	r := crud.Mount[Post](m, "post", "岗位|Post", crud.Simple)
//	r.BeforeDelete = refuseIfUsed
//
// The ladder out: tags, hooks (BeforeSave, AfterSave, BeforeDelete, Scope, View), one
// hand-written call beside the derived ones (Without), plain calls only.
package crud
