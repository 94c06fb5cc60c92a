// Package a does.
package a
import (
	"fmt"
	m "net/http"
	. "x/y"
	_ "z"
)
const ( A, B = iota, "x" + `y` )
type S[T any, K ~int | string] struct { *m.Client; F func(T) (K, error) `json:"f"` }
type I interface { Do(x ...int); fmt.Stringer }
// Do does.
func (s *S[T, K]) Do(ch <-chan int) (n int, err error) {
	defer func() { recover() }()
	for i, v := range []int{1, 2} { if v < i && true { go s.F(v) } }
	switch x := ch.(type) { case nil: fallthrough; default: goto end }
	select { case v := <-ch: fmt.Println(v) }
end:
	return map[string]S[int, K]{}, &S{}
}
func TestA(t *testing.T) { Do(a.b[1:2]) }
