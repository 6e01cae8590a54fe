package main

import (
	"fmt"
	"os"

	air "example.org/greenhouse/climate"
)

type report struct {
	sensor air.Sensor
	lines  []string
}

var onError = func(err error) {
	fmt.Fprintln(os.Stderr, err)
}

func (r *report) add(line string) {
	r.lines = append(r.lines, line)
}

func main() {
	meter := air.NewThermometer("bench")
	meter.Push(21.5)
	r := report{sensor: meter}
	value, err := r.sensor.Read()
	if err != nil {
		onError(err)
	}
	r.add(fmt.Sprint(value))
	warm := air.Keep[float64](meter.Values, func(v float64) bool { return v > 20 })
	_ = air.Probe{Name: "spare"}
	fmt.Println(warm)
}
