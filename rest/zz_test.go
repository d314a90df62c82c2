package rest_test
import ("testing";"fmt";"strings";"github.com/reelgraph/reelgraph/rest")
func TestZZ(t *testing.T){ for _,p:=range rest.Describe("https://x").Paths { for _,m:=range p.Value { for _,q:=range m.Value.Parameters { if q.In=="query" { fmt.Println(m.Value.OperationID,q.Name,strings.Join(q.Schema.Type,"|"),q.Description,q.Schema.Enum,q.Schema.Ref,q.Schema.Default) } } } } }
