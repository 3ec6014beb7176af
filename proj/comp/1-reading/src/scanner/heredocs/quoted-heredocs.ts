import { opensHeredoc } from '../assignment.js'
import { delimiter, readHeader, readHeredocOpener } from '../grammar.js'
import type { Dialect } from '../items.js'

/**
 * Follows heredocs quoted inside an open heredoc's content, so that a quoted terminator does not end the open one:
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     content = <<'EOT_SHAM_abc'
 *     #!SHAM [@three-char-SHA-256: abc]          ← its own header: from here openers count
 *     content = <<'EOT_SHAM_abc'                 ← opened anew
 *     EOT_SHAM_abc                               ← ends what was opened anew
 *     #!END_SHAM_abc
 *     EOT_SHAM_abc                               ← its own
 *     #!END_SHAM_abc
 *
 * A heredoc with a wrong word is only recognised: for it an opener counts wherever it stands.
 */
export class QuotedHeredocs {
  readonly #id: string | undefined
  readonly #own: string | undefined
  #counts: boolean
  #opened = 0
  /** Words of other heredocs that are still open, so that the owner of the next terminator is unknown. */
  #others: Set<string> | undefined
  #last: 'own' | 'quoted' | 'in doubt' = 'own'

  constructor({ id, dialect }: { id: string | undefined; dialect: Dialect }, private readonly word: string) {
    this.#id = id
    this.#own = id === undefined ? undefined : delimiter(dialect, id)
    this.#counts = word !== this.#own
  }

  /** Takes the lines of the content up to the next line equal to the word: tells whose terminator that is. */
  terminatorAfter(content: string): 'own' | 'quoted' | 'in doubt' {
    if (this.#last === 'in doubt') return this.#last
    if (content.includes(this.#counts ? '<<' : '#')) for (const line of content.split('\n')) this.#read(line)
    if (this.#opened > 0) {
      this.#opened--
      this.#last = 'quoted'
    } else this.#last = this.#others !== undefined && this.#others.size > 0 ? 'in doubt' : 'own'
    return this.#last
  }

  #read(line: string): void {
    const text = line.replace(/^[\s>*+-]+/, '').trimEnd()
    if (text.startsWith('#') && readHeader(text)?.id === this.#id && this.#id !== undefined) this.#counts = true
    else if (this.#others?.delete(text) || !this.#counts || !opensHeredoc(text)) return
    else {
      const word = readHeredocOpener(text).word?.trim()
      if (word === this.word) this.#opened++
      else if (this.word === this.#own) (this.#others ??= new Set()).add(word ?? NO_WORD)
    }
  }
}

/** A word that no line equals. */
const NO_WORD = '\n'
