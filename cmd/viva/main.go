// Command viva is the whole product in one program: `viva serve` answers the
// administration API and the web application and runs the jobs.
package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"
)

// version is set at build time.
var version = "dev"

// commands are the command line; every flag is also an environment variable VIVA_….
type commands struct {
	Serve    serveCommand     `cmd:"" help:"Serve the application (the default)." default:"withargs"`
	Migrate  migrateCommand   `cmd:"" help:"Bring the database schema to this version and stop."`
	Backup   backupCommand    `cmd:"" help:"Back up database and files while the server runs."`
	Restore  restoreCommand   `cmd:"" help:"Check a backup, or put it in place of the data directory."`
	Transfer transferCommand  `cmd:"" help:"Copy a SQLite data directory into an empty PostgreSQL database."`
	User     userCommand      `cmd:"" help:"Create or reset an administrator."`
	Openapi  openapiCommand   `cmd:"" help:"Write the generated documents: OpenAPI, calls, entity descriptions."`
	Version  kong.VersionFlag `help:"Print the version."`
}

// dataFlags say where the data is.
type dataFlags struct {
	Data string `help:"Data directory: files, secrets and the SQLite database." default:"./data" env:"VIVA_DATA" type:"path"`
	DB   string `name:"db" help:"PostgreSQL address postgres://…; empty uses SQLite in the data directory." env:"VIVA_DB"`
}

func main() {
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo})))
	var c commands
	ctx := kong.Parse(&c, kong.Name("viva"), kong.Description("Graduate theses, from study plan to degree certificate."),
		kong.UsageOnError(), kong.Vars{"version": version})
	if err := ctx.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "viva:", err)
		os.Exit(1)
	}
}
