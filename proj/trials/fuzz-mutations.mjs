const LONGEST = 20_000
const CHARACTERS = [
  ...'\n\n\n\t \r"\'`\\$(){}[]<>|&;:#!-*?~=,.@/%^+_0129azAZ',
  '\0',
  '\u001b',
  '\u007f',
  '\u009b',
  '\u00a0',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\udfff',
  '\u{1f600}',
  '\u{e0041}',
  'é',
  'e\u0301',
  'İ',
  'ﬁ',
]

/**
 * A text made of others.
 *
 * @param corpus texts that did something new
 * @param words pieces that mean something to the target
 */
export function mutated(corpus, words, random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const place = (text) => Math.floor(random() * (text.length + 1))
  const change = (text) => {
    const [from, to] = [place(text), place(text)].sort((a, b) => a - b)
    switch (Math.floor(random() * 11)) {
      case 0:
        return text.slice(0, from) + text.slice(to)
      case 1:
        return text.slice(0, to) + text.slice(from)
      case 2:
        return text.slice(0, from) + pick(CHARACTERS) + text.slice(from)
      case 3:
        return text.slice(0, from) + pick(CHARACTERS) + text.slice(from + 1)
      case 4:
      case 5:
        return text.slice(0, from) + pick(words) + text.slice(from)
      case 6:
        return text.slice(0, from) + pick(words) + text.slice(to)
      case 7: {
        const other = pick(corpus)
        const at = place(other)
        return text.slice(0, from) + other.slice(at, at + 500) + text.slice(to)
      }
      case 8:
        return (
          text.slice(0, from)
          + pick([...words, ...CHARACTERS]).repeat(2 ** Math.floor(random() * 12))
          + text.slice(from)
        )
      case 9: {
        const lines = text.split('\n')
        const [one, two] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)]
        ;[lines[one], lines[two]] = [lines[two], lines[one]]
        return lines.join('\n')
      }
      default:
        return text.replace(/^/gm, (line) => (random() < 0.3 ? pick([' ', '  ', '    ', '\t', '> ', '- ']) : line))
    }
  }
  let text = random() < 0.05 ? '' : pick(corpus)
  for (let count = 1 + Math.floor(random() * 6); count > 0; count--) text = change(text).slice(0, LONGEST)
  return text
}
