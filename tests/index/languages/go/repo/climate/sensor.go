// Package climate reads the air of a greenhouse.
package climate

import (
	"errors"
	"fmt"
)

// Unit is what a sensor counts in.
type Unit int

// The units there are.
const (
	Celsius Unit = iota
	Percent
)

const frost, heat = 0.0, 45.0

// ErrSilent means that a sensor gave nothing.
var ErrSilent = errors.New("silent sensor")

// Sensor gives one number at a time.
type Sensor interface {
	fmt.Stringer
	// Read returns the latest number.
	Read() (float64, error)
}

// Probe is the part that all sensors share.
type Probe struct {
	Name  string
	unit  Unit
	marks struct {
		low, high float64
	}
}

func (p *Probe) String() string {
	return fmt.Sprintf("%s in %d", p.Name, p.unit)
}

// inRange says whether a number can be true.
func (p Probe) inRange(value float64) bool {
	return value > p.marks.low && value < p.marks.high
}

// NewProbe makes a probe with the usual marks.
func NewProbe(name string, unit Unit) *Probe {
	p := &Probe{Name: name, unit: unit}
	p.marks.low, p.marks.high = frost, heat
	return p
}
