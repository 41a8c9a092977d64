// Command bench measures Viva against a floor on the same machine in the same run and
// prints one table. The floor is bare net/http and database/sql with the same SQL and
// the same JSON, without sessions, permissions, tenants, logs or metrics. Figures are
// ratios and CPU per operation; requests a second depend on the machine, since the
// load client shares its cores.
//
//	go run ./bench [-rows 100000] [-seconds 3] [-workers 16] [-postgres]
package main
