package syntax

// skipSpace skips space and comments.
func (s *scanner) skipSpace() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ';':
			for s.pos < len(s.text) && s.text[s.pos] != '\n' {
				s.pos++
			}
		case isSpace(c):
			s.pos++
		default:
			return
		}
	}
}

// ident goes to the end of a name that has begun.
func (s *scanner) ident() {
	for s.pos < len(s.text) {
		if c := s.text[s.pos]; !isIdent(c) && c != '.' && c != '?' && c != '!' {
			return
		}
		s.pos++
	}
}

// skipString goes to the end of a string that has begun.
func (s *scanner) skipString() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch c {
		case '\\':
			s.pos++
		case '"':
			return
		case '\n':
			s.alone = false
			return
		}
	}
	s.pos = len(s.text)
	s.alone = false
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isIdent(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
