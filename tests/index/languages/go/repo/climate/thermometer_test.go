package climate

import "testing"

func TestReadWithoutHistory(t *testing.T) {
	meter := NewThermometer("door")
	if _, err := meter.Read(); err != ErrSilent {
		t.Fatal(err)
	}
}
