package engine

import (
	"strconv"
	"testing"
)

// BenchmarkThreeTasks is the case of the targets: start and three completes, with
// two conditions on the way. One operation is one instance.
func BenchmarkThreeTasks(b *testing.B) {
	g := compileModel(b, `
		start s: a
		user a: x
		xor x: b[${days>3}] c[*]
		user b: m
		user c: m
		xor m: d
		user d: e
		end e`)
	vars := varsOf([]string{"days=5", `reason=a text of some length`})
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		st := &State{}
		id := strconv.Itoa(n)
		if _, err := Apply(g, st, Command{ID: "s" + id, At: clock0, ActorID: 7, Do: &Start{ID: id, DefinitionID: "v1", Vars: vars}}, Env{}); err != nil {
			b.Fatal(err)
		}
		for range 3 {
			if _, err := Apply(g, st, Command{ID: "c" + id, At: clock0, ActorID: 7, Do: &CompleteTask{Task: st.Tasks[0].ID}}, Env{}); err != nil {
				b.Fatal(err)
			}
		}
		if st.Instance.Status != Ended {
			b.Fatal("not ended")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "instances/s")
}

// BenchmarkApprovers100 completes a parallel multi-instance task of 100 people.
func BenchmarkApprovers100(b *testing.B) {
	g := compileModel(b, `
		start s: a
		user a count=100 done=${nrOfCompletedInstances/nrOfInstances>=1}: e
		end e`)
	for b.Loop() {
		st := &State{}
		if _, err := Apply(g, st, Command{ID: "s", At: clock0, Do: &Start{ID: "i", DefinitionID: "v1"}}, Env{}); err != nil {
			b.Fatal(err)
		}
		for len(st.Tasks) > 0 {
			if _, err := Apply(g, st, Command{ID: "c", At: clock0, Do: &CompleteTask{Task: st.Tasks[0].ID}}, Env{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
