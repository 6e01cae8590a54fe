package climate

// Thermometer is a probe that remembers.
type Thermometer struct {
	*Probe
	History[float64]
}

var _ Sensor = (*Thermometer)(nil)

// NewThermometer hangs one up.
func NewThermometer(name string) *Thermometer {
	return &Thermometer{Probe: NewProbe(name, Celsius)}
}

// Read returns the last number that is in range.
func (t *Thermometer) Read() (float64, error) {
	// TODO: skip numbers older than an hour
	for _, value := range t.Values {
		if t.inRange(value) {
			return value, nil
		}
	}
	return 0, ErrSilent
}

type (
	// History keeps values, the newest first.
	History[T any] struct {
		Values []T
	}
	// Filter drops values.
	Filter func(value float64) bool
)

// Push adds a value.
func (h *History[T]) Push(value T) {
	h.Values = append([]T{value}, h.Values...)
}

// Keep applies a filter.
func Keep[T any](values []T, keep func(T) bool) []T {
	var kept []T
	for _, value := range values {
		if keep(value) {
			kept = append(kept, value)
		}
	}
	return kept
}
