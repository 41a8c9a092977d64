package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"
)

// plan is what one run measures.
type plan struct {
	rows, workers int
	seconds       time.Duration
	binary        string
}

func main() {
	rows := flag.Int("rows", 100_000, "rows of the measured table")
	workers := flag.Int("workers", 16, "parallel clients")
	seconds := flag.Int("seconds", 3, "length of each measurement")
	var parts parts
	flag.BoolVar(&parts.sqlite, "sqlite", true, "measure the calls on SQLite")
	flag.BoolVar(&parts.postgres, "postgres", true, "measure the calls on PostgreSQL")
	flag.BoolVar(&parts.million, "million", true, "measure 1,000,000 rows in 50 tenants (SQLite)")
	flag.BoolVar(&parts.workflow, "workflow", true, "measure the process engine")
	floorDB := flag.String("floor", "", "internal: run the floor server on this database")
	outbox := flag.String("outbox", "", "internal: run the product with an outbox on this data directory")
	url := flag.String("url", "", "internal: the PostgreSQL address of -outbox")
	addr := flag.String("addr", "", "internal: address to listen on")
	flag.Parse()
	if *floorDB != "" {
		log.Fatal(serveFloor(*floorDB, *addr))
	}
	if *outbox != "" {
		if err := serveOutbox(*outbox, *url, *addr); err != nil {
			log.Fatal(err)
		}
		return
	}
	p := plan{rows: *rows, workers: *workers, seconds: time.Duration(*seconds) * time.Second, binary: "bin/viva"}
	if err := p.run(context.Background(), parts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parts of the table.
type parts struct{ sqlite, postgres, million, workflow bool }

func (p plan) run(ctx context.Context, parts parts) error {
	dir, err := os.MkdirTemp("", "viva-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var t table
	if parts.sqlite {
		if err := p.measure(ctx, &t, target{name: "SQLite", data: filepath.Join(dir, "lite")}); err != nil {
			return fmt.Errorf("SQLite: %w", err)
		}
	}
	if parts.postgres {
		cluster, err := startPostgres(dir)
		if err != nil {
			return fmt.Errorf("PostgreSQL: %w", err)
		}
		defer cluster.stop()
		if err := p.measure(ctx, &t, target{name: "PostgreSQL", data: filepath.Join(dir, "pg"), url: cluster.url}); err != nil {
			return fmt.Errorf("PostgreSQL: %w", err)
		}
	}
	if parts.million {
		if err := p.measureMillion(ctx, &t, filepath.Join(dir, "million")); err != nil {
			return fmt.Errorf("million rows: %w", err)
		}
	}
	if parts.workflow {
		if err := p.workflow(ctx, &t, filepath.Join(dir, "todo")); err != nil {
			return fmt.Errorf("process engine: %w", err)
		}
	}
	t.print(os.Stdout)
	return nil
}
