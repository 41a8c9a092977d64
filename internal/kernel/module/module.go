// Package module is what a domain module declares about itself: its migrations, calls,
// menus, dictionaries, roles, message templates, configuration, jobs and events. The
// app package lists the modules in rank order; identity and system seed from the lists.
package module

import (
	"context"
	"io/fs"

	"viva/internal/kernel/event"
	"viva/internal/kernel/job"
	"viva/internal/kernel/web"
)

// Module is one domain module.
type Module struct {
	Name       string
	Migrations []fs.FS
	// Mount declares the calls.
	Mount func(app *web.App)
	// Work registers jobs and event consumers.
	Work func(queue *job.Queue, bus *event.Bus)
	// Seed writes what the module needs in a new tenant (inside a Write as the system in
	// that tenant); it must be repeatable.
	Seed      func(ctx context.Context) error
	Menus     []Menu
	Dicts     []Dict
	Roles     []Role
	Templates []Template
	Configs   []Config
}

// Menu types of the family.
const (
	Directory = 1
	Page      = 2
	Button    = 3
)

// Menu is one node of the menu tree. Buttons of a page are its Perms: one permission
// string each, named by their last word.
type Menu struct {
	Name, NameEn  string
	Path          string
	Component     string
	ComponentName string
	Icon          string
	Sort          int
	Hidden        bool
	NoCache       bool
	Permission    string
	Perms         []string
	// Operator names those of Perms that change what all tenants share: only the tenant
	// that runs the installation holds them.
	Operator []string
	// OperatorOnly keeps the node and all below it to that tenant.
	OperatorOnly bool
	Children     []Menu
}

// Dict is a dictionary type with its entries.
type Dict struct {
	Type, Name string
	Entries    []Entry
}

// Entry is one value; Color is default, primary, success, info, warning or danger.
type Entry struct {
	Value, Label, LabelEn, Color string
}

// Role is a built-in role of every tenant with the permissions it starts with.
type Role struct {
	Code, Name string
	// Scope is the data scope 1-5.
	Scope int
	Perms []string
}

// Template is a message template; {name} in Content is replaced by a parameter.
type Template struct {
	Code, Name, Nickname, Content string
	// Type is 1 notice or 2 system message.
	Type int
}

// Config is a configuration parameter with its first value.
type Config struct {
	Category, Name, Key, Value string
	Visible                    bool
	Remark                     string
}
