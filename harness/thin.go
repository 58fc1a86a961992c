package harness

// Thin returns r with series of at most n points each, n at least 1, for
// keeping. Of each group of neighbours one point is left, with the largest
// value of each kind in the group: peaks are what one looks for. All else is
// shared with r.
func Thin(r *Record, n int) *Record {
	thin := *r
	thin.Samples = make([]Sample, len(r.Samples))
	for i, s := range r.Samples {
		s.Series = s.Series.thin(n)
		thin.Samples[i] = s
	}
	return &thin
}

func (s Series) thin(n int) Series {
	points := min(len(s.At), len(s.RSS), len(s.Threads))
	if points <= n {
		return s
	}
	group := (points + n - 1) / n
	var thin Series
	for from := 0; from < points; from += group {
		at, rss, threads := s.At[from], s.RSS[from], s.Threads[from]
		for i := from; i < min(from+group, points); i++ {
			rss, threads = max(rss, s.RSS[i]), max(threads, s.Threads[i])
		}
		thin.At, thin.RSS, thin.Threads = append(thin.At, at), append(thin.RSS, rss), append(thin.Threads, threads)
	}
	return thin
}
