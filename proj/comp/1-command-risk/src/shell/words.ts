import { parse, type Assignment, type CommandArgument, type ParsedScript, type Word, type WordPart } from 'unbash'
import { expandBraces } from './braces.js'
import { expandParameter, valuesOf } from './expand-parameter.js'
import type { Scope } from './scope.js'
import { ANY, CONTENT, DECODED, isKnown } from './taint.js'

/** Runs a script inside a word, and returns its output. */
export type RunNested = (script: ParsedScript) => string

const MOST_FIELDS = 256
const LONGEST = 65_536

/** Part of a word; with `splits`, blanks in it separate fields. */
interface Piece {
  texts: readonly string[]
  splits: boolean
}

/** Expands words as the shell does: quotes, variables and substitutions, as far as known. */
export class Words {
  constructor(private readonly scope: Scope, private readonly run: RunNested) {}

  /** Expands words to fields. */
  fields(words: readonly Word[]): string[] {
    return words.flatMap((word) => this.#fieldsOf(word)).slice(0, MOST_FIELDS)
  }

  /** Expands a word without splitting: for assignments and targets of redirections. */
  text(word: Word): string {
    return joined(this.#pieces(word.parts, word))
  }

  /** Expands the body of a here-document. */
  body(parts: readonly WordPart[] | undefined, text: string): string {
    return parts === undefined ? text : clipped(parts.map((part) => this.#piece(part, true).texts.join(' ')).join(''))
  }

  /** Evaluates text that the shell takes for a number or name: a subscript in it may run commands. */
  evaluate(text: string): void {
    if (text.includes('[') || /^[^[]*\$\(/.test(text)) this.arithmetic(text)
    else this.#values(text)
  }

  /** Evaluates arithmetic: runs its substitutions, and those in values of its variables. */
  arithmetic(text: string): void {
    if (/\$[({]|`/.test(text)) this.run(parse(`: "${clipped(text)}"`))
    this.#values(text)
  }

  #values(text: string): void {
    for (const [name] of clipped(text).matchAll(/[A-Za-z_]\w*/g)) {
      const value = this.scope.variables.get(name)?.join(' ') ?? ''
      if (/\[.*(?:\$\(|`)/s.test(value)) this.run(parse(`: "${value}"`))
    }
  }

  /** Carries out an assignment. */
  assign({ name, value, append, index }: Assignment): void {
    const { variables } = this.scope
    const texts = value.type === 'ArrayValue' ? this.fields(value.elements) : [this.text(value)]
    const before = variables.get(name) ?? []
    if (index !== undefined) this.arithmetic(this.text(index))
    const isFurther = index !== undefined || (append === true && value.type === 'ArrayValue')
    if (isFurther) variables.set(name, [...before, ...texts])
    else variables.set(name, append ? [clipped((before[0] ?? '') + texts[0])] : texts)
  }

  /** Expands an argument; assignments as in `export a=b` are carried out too. */
  argument(argument: CommandArgument): string[] {
    if (argument.type === 'Word') return this.#fieldsOf(argument)
    this.assign(argument)
    return [`${argument.name}=${(this.scope.variables.get(argument.name) ?? []).join(' ')}`]
  }

  #fieldsOf(word: Word): string[] {
    if (word.parts?.some(({ type }) => type === 'BraceExpansion')) {
      const texts = expandBraces(word.text)
      if (texts.length > 1) return this.#reread(texts)
    }
    const pieces = this.#pieces(word.parts, word)
    // Quoted, only `"$@"` and `"${a[@]}"` expand to several fields.
    const [only] = pieces
    if (pieces.length === 1 && only && !only.splits && only.texts.length !== 1) return [...only.texts]
    return split(pieces, this.#separators())
  }

  #reread(texts: readonly string[]): string[] {
    const [statement] = parse(`x ${texts.join(' ')}`).commands
    const command = statement?.command
    if (command?.type !== 'Command') return [ANY]
    const separators = this.#separators()
    return command.args.flatMap((argument) =>
      argument.type === 'Word' ? split(this.#pieces(argument.parts, argument), separators) : [argument.text],
    )
  }

  /** Blanks, and separators that the script has set (IFS). */
  #separators(): RegExp {
    const own = this.scope.variables.get('IFS')?.[0] ?? ''
    const further = isKnown(own) ? own.replace(/[^!-/:-@[-`{-~\w]/g, '').replace(/[\\\]^-]/g, '\\$&') : ''
    return new RegExp(`[ \\t\\n${further}]+`)
  }

  #pieces(parts: readonly WordPart[] | undefined, { value }: Pick<Word, 'value'>): Piece[] {
    return parts === undefined ? [{ texts: [value], splits: false }] : parts.map((part) => this.#piece(part, false))
  }

  #piece(part: WordPart, isQuoted: boolean): Piece {
    const splits = !isQuoted
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return { texts: [part.value], splits: false }
      case 'DoubleQuoted':
      case 'LocaleString': {
        const inner = part.parts.map((child) => this.#piece(child, true))
        const [only] = inner
        return inner.length === 1 && only ? only : { texts: [joined(inner)], splits: false }
      }
      case 'SimpleExpansion':
        return { texts: valuesOf(part.text.replace(/^\$\{?|\}$/g, ''), this.scope), splits }
      case 'ParameterExpansion':
        return { texts: expandParameter(part, this.scope, (word) => this.text(word)), splits }
      case 'CommandExpansion':
        return { texts: [part.script ? clipped(readable(this.run(part.script).replace(/\n+$/, ''))) : ANY], splits }
      case 'ProcessSubstitution':
        return { texts: [this.#processFile(part.operator, part.script)], splits: false }
      case 'ArithmeticExpansion':
        this.arithmetic(part.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ''))
        return { texts: [/^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.replace(/\D/g, '') : ANY], splits: false }
      default:
        return { texts: [part.text], splits: false }
    }
  }

  /** Process substitution: a file with the script's output, or one that passes what is written to it to the script. */
  #processFile(operator: '<' | '>', script: ParsedScript | undefined): string {
    const printed = script ? this.run(script) : CONTENT
    if (operator === '>') return '/dev/fd/substituted'
    const path = `/dev/fd/${this.scope.files.size + 60}`
    this.scope.files.set(path, printed)
    return path
  }
}

function joined(pieces: readonly Piece[]): string {
  return clipped(pieces.map(({ texts }) => texts.join(' ')).join(''))
}

/** Converts text decoded here to known text. */
function readable(text: string): string {
  return text.length > 1 && text.startsWith(DECODED) ? text.slice(1) : text
}

/** Text that is too long becomes unknown. */
function clipped(text: string): string {
  return text.length > LONGEST ? ANY : text
}

function split(pieces: readonly Piece[], separators: RegExp): string[] {
  const fields: string[] = []
  let open: string | undefined
  for (const { texts, splits } of pieces) {
    const text = texts.join(' ')
    if (!splits) {
      open = (open ?? '') + text
      continue
    }
    const [head = '', ...rest] = text.split(separators)
    if (head !== '' || open !== undefined) open = (open ?? '') + head
    for (const next of rest) {
      if (open !== undefined) fields.push(open)
      open = next === '' ? undefined : next
    }
  }
  if (open !== undefined) fields.push(open)
  return fields
}
