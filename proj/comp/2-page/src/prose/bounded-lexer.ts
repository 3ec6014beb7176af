import { Lexer, Tokenizer, type Token, type Tokens } from 'marked'

/** Quotes and lists within each other, and emphasis and links within each other: what lies deeper is text. */
const DEEPEST = 12
/** UTF-16 units of a paragraph, heading or cell; a longer one is text. */
const LONGEST_PARAGRAPH = 16 * 1024

/** marked's lexer for texts of any origin: neither its stack nor its time grows with how deep they are nested. */
export class BoundedLexer extends Lexer {
  #depth = 0

  constructor() {
    // Options of its own: those of marked are of the whole process, and hold a lexer.
    super({ gfm: true, tokenizer: new BoundedTokenizer() })
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= DEEPEST || src.length > LONGEST_PARAGRAPH) {
      tokens.push({ type: 'text', raw: src, text: src })
      return tokens
    }
    this.#depth++
    const lexed = super.inlineTokens(src, tokens)
    this.#depth--
    return lexed
  }
}

class BoundedTokenizer extends Tokenizer {
  #depth = 0

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src))
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src))
  }

  #within<T>(read: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined
    this.#depth++
    const token = read()
    this.#depth--
    return token
  }
}
