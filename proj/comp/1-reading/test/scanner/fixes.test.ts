import { describe, expect, it } from 'vitest'
import {
  endMarkerFix, headerFix, isNearEnd, missingEndFix, strayFenceFix, terminatorFix, type MarkedBlock,
} from '../../src/scanner/index.js'

const sham: MarkedBlock = { dialect: 'SHAM', id: 'abc', indent: '' }
const nesl: MarkedBlock = { dialect: 'nesl', id: 'k7m', indent: '  ' }

describe('markers', () => {
  it('a header keeps what stands before it', () => {
    expect(headerFix(sham, 4, '- ')).toEqual({ startLine: 4, endLine: 4, text: '- #!SHAM [@three-char-SHA-256: abc]' })
  })

  it('an end marker stands as deep as its header', () => {
    expect(endMarkerFix(nesl, 9)).toEqual({ startLine: 9, endLine: 9, text: '  #!end_k7m' })
    expect(missingEndFix(nesl, 9)).toEqual({ startLine: 9, endLine: 8, text: '  #!end_k7m' })
  })

  it('an end marker goes before the edge of a fence that stands above it', () => {
    expect(strayFenceFix(sham, 5, '```')).toEqual({ startLine: 5, endLine: 6, text: '#!END_SHAM_abc\n```' })
  })

  it.each(['#END_SHAM_abc', '!END_SHAM_abc', '#!END_SHAM_ab', ' #!END SHAM abc', '#!END_SHAM_abc.'])('%s nearly is one', (line) => {
    expect(isNearEnd(line, sham)).toBe(true)
  })

  it.each(['The end of SHAM.', 'append = "x"', 'END', '# The end'])('%s is none', (line) => {
    expect(isNearEnd(line, sham)).toBe(false)
  })
})

describe('a terminator', () => {
  const at = (line: number, isThere: boolean) => ({ startLine: line, endLine: isThere ? line : line - 1, text: 'EOT_SHAM_abc' })

  it.each([
    ['EOT_SHAM_abd'], ['eot_sham_abc'], ['EOT_SHAM_ab'], ['EOT'], ['EOF'], ['  EOT_SHAM_abc'], ['`EOT_SHAM_abc`'], ['EOT_SHAM_abc;'],
  ])('in place of %s', (near) => expect(terminatorFix(sham, 3, ['text', near])).toEqual(at(5, true)))

  it('before the end marker, where no line nearly is one', () => {
    expect(terminatorFix(sham, 3, ['text', 'more'])).toEqual(at(6, false))
  })

  it('is not what ends a command of the value', () => {
    expect(terminatorFix(sham, 3, ['cat <<EOF', 'text', 'EOF'])).toEqual(at(7, false))
  })

  it.each([
    ['below a blank line', ['text', '']],
    ['where the value is empty', []],
    ['where a line may be the next of the block', ['text', 'append = "true"']],
    ['where a heredoc may be the next of the block', ['text', "other = <<'EOT_SHAM_abc'", 'more']],
    ['where two lines nearly are it', ['EOT_SHAM_abd', 'text', 'EOT_SHAM_abd']],
    ['where a header stands in the value', ['text', '#!SHAM [@three-char-SHA-256: def]', 'EOT_SHAM_abd']],
  ])('is nowhere certain %s', (_, lines) => expect(terminatorFix(sham, 3, lines)).toBeUndefined())
})
