package syntax
import ("testing";"os";"fmt";"math/rand/v2";"strconv";"time")
func TestZZ(t *testing.T){
	n,_ := strconv.Atoi(os.Getenv("N"))
	seed,_ := strconv.Atoi(os.Getenv("SEED"))
	for i := range n {
		random := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		q := randomQuery(random, 0)
		done := make(chan struct{})
		go func() { select { case <-done: case <-time.After(20*time.Second): fmt.Printf("SLOW %q\n", q); os.Exit(3) } }()
		os.WriteFile("/tmp/synfuzz/current", []byte(q), 0o644)
		sameBetweenOthers(t, q)
		close(done)
	}
}
