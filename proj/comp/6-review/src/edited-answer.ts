import { editBlock, readAnswer, sourceOf, type Answer, type AnswerBlock, type ReadOptions } from './answer.js'

/** An answer and what was edited of it. */
export class EditedAnswer {
  readonly #original: Answer
  /** Texts of blocks as edited, by place. */
  readonly #texts = new Map<number, string>()
  readonly #revisions = new Map<number, number>()
  /** Places of blocks whose text is a fix. */
  readonly #mended = new Set<number>()
  #now: Answer

  constructor(given: Answer['given'], private readonly options: ReadOptions) {
    this.#original = readAnswer(given, options)
    this.#now = this.#original
  }

  /** As it would run. */
  get now(): Answer {
    return this.#now
  }

  /**
   * @param text of the block; `undefined`: as the answer has it.
   * @param isMend the text is a fix that hermes offered
   * @throws as `editBlock`, and then nothing has changed
   */
  edit(at: number, text: string | undefined, isMend = false): void {
    const original = textAt(this.#original, at)
    const source = text ?? original
    this.#now = editBlock(this.#now, at, source, this.options)
    if (source === original) this.#texts.delete(at)
    else this.#texts.set(at, source)
    if (isMend) this.#mended.add(at)
    else this.#mended.delete(at)
    this.#revisions.set(at, this.revision(at) + 1)
  }

  block(at: number): AnswerBlock | undefined {
    return this.#now.blocks[at]
  }

  /** What was made of a block; `original`: its text as the answer has it. */
  facts(at: number): { edited: boolean; mended: boolean; original: string; textRevision: number } {
    return {
      edited: this.#texts.has(at), mended: this.#mended.has(at), original: textAt(this.#original, at),
      textRevision: this.revision(at),
    }
  }

  /** Counts the texts a block has had. */
  revision(at: number): number {
    return this.#revisions.get(at) ?? 0
  }

  text(at: number): string {
    return textAt(this.#now, at)
  }

  name(at: number): string {
    return this.block(at)?.blockId ?? String(at + 1)
  }

  /** Ids of the blocks that are edited. */
  get editedIds(): string[] {
    return [...this.#texts.keys()].flatMap((at) => this.block(at)?.blockId ?? [])
  }

  /** Of these the ids of those that run with a fix put in place. */
  get mendedIds(): string[] {
    return [...this.#mended].flatMap((at) => this.block(at)?.blockId ?? [])
  }
}

function textAt(answer: Answer, at: number): string {
  const block = answer.blocks[at]
  return block ? sourceOf(answer, block) : ''
}
