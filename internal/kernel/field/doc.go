// Package field knows the kinds of entity fields: how each is read from JSON, from a
// query filter and from a spreadsheet cell, checked, shown and described. One file per
// kind. The struct tags of an entity are parsed once at start-up; a misspelt tag
// panics there.
//
//	Name   string `json:"name" label:"岗位名称|Post name" in:"required,max=50" q:"like"`
//	Status int    `json:"status" label:"状态|Status" in:"dict=common_status" q:"eq"`
//
// in: absent or "-" is read-only. Words: required, max=, min=, dict=, kind=, ref=table:/path,
// as=jsonName (for write-only fields whose json is "-"), pattern is left to kinds.
// q: like, eq, range, in. unique: "tenant" or "global".
package field
